// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/epilogue.h"

#include <utility>

namespace weft::cuda {

namespace {

bool isAlong(const KernelRequest& bias, std::size_t dim) {
    const std::int64_t wanted = bias.attributes.integer("dim");
    const auto rank = static_cast<std::int64_t>(bias.inputs[0].shape.size());
    return (wanted < 0 ? wanted + rank : wanted) == static_cast<std::int64_t>(dim);
}

} // namespace

Ending Epilogue::of(const KernelArguments& at) const {
    return {.bias = bias ? input<float>(at, *bias) : nullptr,
            .addend = addend ? input<float>(at, *addend) : nullptr,
            .hasRelu = hasRelu};
}

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
        const std::vector<int>& reads = body.reads[m];
        if (member.op == "relu") {
            epilogue.hasRelu = true;
        } else if (member.inputs.size() != 2) {
            return refuse("adds more than one value");
        } else if (member.op == "add") {
            epilogue.addend = static_cast<std::size_t>(std::max(reads[0], reads[1]));
        } else if (reads[0] >= 0) {
            return refuse("the chain goes on as a bias");
        } else if (!isAlong(member, biasDim)) {
            return refuse("adds a bias along another dim than that of the results");
        } else {
            epilogue.bias = static_cast<std::size_t>(reads[1]);
        }
    }
    return epilogue;
}

void addWithEpilogues(KernelList& list, const std::string& op,
                      const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose) {
    for (const char* bias : {"", "+bias_add"}) {
        for (const char* sum : {"", "+add"}) {
            for (const char* end : {"", "+relu"}) {
                list.add({op + bias + sum + end, "cuda", choose});
            }
        }
    }
}

ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product) {
    const auto epilogue = epilogueOf(request, request.outputs[0].shape.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return withScratch(request, productScratch(product.size),
                       [=, ending = *epilogue](const KernelArguments& at, float* scratch) {
                           launchProduct(product, input<float>(at, 0), input<float>(at, 1),
                                         ending.of(at), output<float>(at, 0), scratch,
                                         streamOf(at));
                       });
}

ChoiceOrRefusal withScratch(const KernelRequest& request, std::int64_t floats,
                            std::function<void(const KernelArguments&, float* scratch)> run) {
    const Bytes scratch{floats * static_cast<std::int64_t>(sizeof(float))};
    if (scratch > request.scratchLimit) {
        return refuse("needs more scratch than it may have");
    }
    return allPlain(request, choiceOf(
                                 [run = std::move(run)](const KernelArguments& at) {
                                     run(at, static_cast<float*>(at.scratch));
                                 },
                                 scratch));
}

} // namespace weft::cuda
