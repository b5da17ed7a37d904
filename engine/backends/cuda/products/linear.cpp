// SPDX-License-Identifier: Apache-2.0
// y = x w^T (and + b, + z, max(0, .)), dx = dy w, dw = dy^T x with w [o, i] and all leading dims of
// x as rows; single, or several equal ones in one launch
#include "backends/cuda/products/epilogue.h"
#include "backends/cuda/products/linear_of.h"

#include <algorithm>

namespace weft::cuda {

void linear(KernelList& list);

namespace {

/// Returns the addresses of the members from `first` on that one launch takes.
BatchedProducts bound(const GroupBody& body, std::size_t first, const Epilogue& epilogue,
                      const KernelArguments& arguments) {
    BatchedProducts batched{.count = std::min(BatchedProducts::most, body.members.size() - first),
                            .hasRelu = epilogue.hasRelu};
    for (std::size_t k = 0; k < batched.count; ++k) {
        const auto operand = [&](std::size_t of) {
            return input<float>(arguments, static_cast<std::size_t>(body.reads[first + k][of]));
        };
        batched.a[k] = operand(0);
        batched.b[k] = operand(1);
        batched.bias[k] = epilogue.bias ? operand(*epilogue.bias) : nullptr;
        batched.addend[k] = epilogue.addend ? operand(*epilogue.addend) : nullptr;
        batched.c[k] =
            output<float>(arguments, static_cast<std::size_t>(body.writes[first + k][0]));
    }
    return batched;
}

ChoiceOrRefusal chooseBatched(const KernelRequest& request, ProductOf productOfOne,
                              const ChainForm& chain) {
    const KernelRequest& one = request.body->members.front();
    const auto epilogue = epilogueOf(one, chain, one.outputs[0].shape.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    const MatrixProduct each = productOfOne(one);
    const std::size_t count = request.body->members.size();
    const auto atOnce = static_cast<std::int64_t>(std::min(BatchedProducts::most, count));
    auto choice =
        withScratch(request, atOnce * productScratch(each.size),
                    [=, body = request.body, ending = *epilogue](const KernelArguments& arguments,
                                                                 float* scratch) {
                        for (std::size_t first = 0; first < count; first += BatchedProducts::most) {
                            launchBatched(each, bound(*body, first, ending, arguments), scratch,
                                          streamOf(arguments));
                        }
                    });
    if (choice) {
        choice->launches *=
            static_cast<int>((count + BatchedProducts::most - 1) / BatchedProducts::most);
    }
    return choice;
}

void addBatched(KernelList& list, const std::string& op, ProductOf product,
                const ChainForm& chain = {}) {
    list.add({op + '=', "cuda", [=](const KernelRequest& request) {
                  return chooseBatched(request, product, chain);
              }});
}

} // namespace

void linear(KernelList& list) {
    addWithEpilogues(list, "linear", "cuda",
                     [](const KernelRequest& request, const ChainForm& chain) {
                         return productOf(request, productOfY(request), chain);
                     });
    list.add({"linear_dx", "cuda", [](const KernelRequest& request) {
                  return productOf(request, productOfDx(request));
              }});
    list.add({"linear_dw", "cuda", [](const KernelRequest& request) {
                  return productOf(request, productOfDw(request));
              }});
    forEachChain([&](const std::string& links, const ChainForm& chain) {
        addBatched(list, "linear" + links, productOfY, chain);
    });
    addBatched(list, "linear_dx", productOfDx);
    addBatched(list, "linear_dw", productOfDw);
}

} // namespace weft::cuda
