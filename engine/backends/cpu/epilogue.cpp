// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/epilogue.h"

#include "backends/cpu/request.h"

namespace weft::cpu {

namespace {

bool isAlong(const KernelRequest& bias, std::size_t dim) {
    const std::int64_t wanted = bias.attributes.integer("dim");
    const auto rank = static_cast<std::int64_t>(bias.inputs[0].shape.size());
    return (wanted < 0 ? wanted + rank : wanted) == static_cast<std::int64_t>(dim);
}

} // namespace

tl::expected<Epilogue, Refusal> epilogueOf(const KernelRequest& request, std::size_t biasDim) {
    Epilogue epilogue;
    if (!request.body) {
        return epilogue;
    }
    if (request.outputs.size() != 1) {
        return refuse("what lies between is read elsewhere too");
    }
    const GroupBody& body = *request.body;
    for (std::size_t m = 1; m < body.members.size(); ++m) {
        const KernelRequest& member = body.members[m];
        if (member.op == "relu") {
            epilogue.hasRelu = true;
        } else if (member.op == "add") {
            if (member.inputs.size() != 2) {
                return refuse("adds more than one value");
            }
            epilogue.hasSum = true;
        } else if (body.reads[m].front() >= 0) {
            return refuse("the chain goes on as a bias");
        } else if (isAlong(member, biasDim)) {
            epilogue.hasBias = true;
        } else {
            return refuse("adds a bias along another dim than that of the results");
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

} // namespace weft::cpu
