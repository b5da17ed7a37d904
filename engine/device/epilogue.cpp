// SPDX-License-Identifier: Apache-2.0
#include "device/epilogue.h"

#include <algorithm>

namespace weft {

namespace {

bool isAlong(const KernelRequest& bias, std::size_t dim) {
    const std::int64_t wanted = bias.attributes.integer("dim");
    const auto rank = static_cast<std::int64_t>(bias.inputs[0].shape.size());
    return (wanted < 0 ? wanted + rank : wanted) == static_cast<std::int64_t>(dim);
}

tl::unexpected<Refusal> refused(const char* reason) {
    return tl::unexpected(Refusal{.implementation = {}, .reason = reason});
}

} // namespace

tl::expected<Epilogue, Refusal> epilogueOf(const KernelRequest& request, std::size_t biasDim) {
    Epilogue epilogue;
    if (!request.body) {
        return epilogue;
    }
    if (request.outputs.size() != 1) {
        return refused("what lies between is read elsewhere too");
    }
    const GroupBody& body = *request.body;
    for (std::size_t m = 1; m < body.members.size(); ++m) {
        const KernelRequest& member = body.members[m];
        const std::vector<int>& reads = body.reads[m];
        if (member.op == "relu") {
            epilogue.hasRelu = true;
        } else if (member.inputs.size() != 2) {
            return refused("adds more than one value");
        } else if (member.op == "add") {
            epilogue.addend = static_cast<std::size_t>(std::max(reads[0], reads[1]));
        } else if (reads[0] >= 0) {
            return refused("the chain goes on as a bias");
        } else if (!isAlong(member, biasDim)) {
            return refused("adds a bias along another dim than that of the results");
        } else {
            epilogue.bias = static_cast<std::size_t>(reads[1]);
        }
    }
    return epilogue;
}

void addWithEpilogues(KernelList& list, const std::string& op, const std::string& implementation,
                      const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose) {
    for (const char* bias : {"", "+bias_add"}) {
        for (const char* sum : {"", "+add"}) {
            for (const char* end : {"", "+relu"}) {
                list.add({op + bias + sum + end, implementation, choose});
            }
        }
    }
}

} // namespace weft
