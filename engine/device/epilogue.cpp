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

tl::expected<Epilogue, Refusal> epilogueOf(const KernelRequest& request, const ChainForm& chain,
                                           std::size_t biasDim) {
    Epilogue epilogue{.hasRelu = chain.hasRelu};
    if (request.outputs.size() != 1) {
        return refused("another op reads the intermediate value too");
    }
    std::size_t member = 1;
    if (chain.hasBias) {
        const std::vector<int>& reads = request.body->reads[member];
        if (reads[0] >= 0) {
            return refused("the chain continues as the bias");
        }
        if (!isAlong(request.body->members[member], biasDim)) {
            return refused("adds a bias along a dim other than that of the results");
        }
        epilogue.bias = static_cast<std::size_t>(reads[1]);
        ++member;
    }
    if (chain.hasAddend) {
        const std::vector<int>& reads = request.body->reads[member];
        if (reads.size() != 2) {
            return refused("adds more than one value");
        }
        epilogue.addend = static_cast<std::size_t>(std::max(reads[0], reads[1]));
    }
    return epilogue;
}

void forEachChain(const std::function<void(const std::string& links, const ChainForm&)>& take) {
    for (const bool hasBias : {false, true}) {
        for (const bool hasAddend : {false, true}) {
            for (const bool hasRelu : {false, true}) {
                take(std::string(hasBias ? "+bias_add" : "") + (hasAddend ? "+add" : "") +
                         (hasRelu ? "+relu" : ""),
                     {hasBias, hasAddend, hasRelu});
            }
        }
    }
}

void addWithEpilogues(
    KernelList& list, const std::string& op, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const ChainForm&)>& choose,
    const std::function<std::string()>& lacks, bool takesBf16) {
    forEachChain([&](const std::string& links, const ChainForm& chain) {
        list.add({.op = op + links,
                  .implementation = implementation,
                  .choose = [=](const KernelRequest& request) { return choose(request, chain); },
                  .lacks = lacks,
                  .takesBf16 = takesBf16});
    });
}

} // namespace weft
