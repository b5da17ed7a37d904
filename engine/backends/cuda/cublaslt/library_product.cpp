// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cublaslt/library_product.h"

#include "backends/cuda/cublaslt/requested_product.h"
#include "backends/cuda/products/bf16.h"
#include "backends/cuda/products/linear_of.h"
#include "device/named_way.h"
#include "device/settled_formats.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::cuda {

namespace {

constexpr std::int64_t leastOfProduct = std::int64_t{1} << 20;
constexpr std::int64_t mostOfProduct = std::int64_t{32} << 20;
constexpr std::int64_t slicesWithRoom = 16;

/// Computes exactly with Weft's own kernel.
void runOwn(const RequestedProduct& asked, const KernelArguments& arguments) {
    auto* const scratch = static_cast<float*>(arguments.scratch);
    const Ending ending = endingOf(asked.epilogue, arguments);
    if (!asked.isBf16()) {
        launchProduct(asked.of, input<float>(arguments, 0), input<float>(arguments, 1), ending,
                      output<float>(arguments, 0), scratch, streamOf(arguments));
        return;
    }
    const Bf16ProductResult result{.data = arguments.outputs[0],
                                   .bias = ending.bias,
                                   .addend = ending.addend,
                                   .hasRelu = ending.hasRelu,
                                   .isBf16 = asked.makesBf16};
    launchBf16Product(asked.of, input<Bf16>(arguments, 0), input<Bf16>(arguments, 1), result,
                      scratch, streamOf(arguments));
}

class LibraryProductKernel final : public Kernel, public NamedWay {
public:
    LibraryProductKernel(const RequestedProduct& asked, std::int64_t workspace)
        : asked_(asked), workspace_(workspace), ending_(asked.ending()) {
        for (const ProductEnding& ending : {ending_, ProductEnding{}}) {
            auto made = products::make(asked.asLibraryProduct(ending), workspace);
            if (made) {
                plan_ = std::move(*made);
                endsBehind_ = ending != ending_;
                return;
            }
            why_ = made.error();
        }
    }

    [[nodiscard]] std::string way() const override {
        if (plan_ == nullptr) {
            return "Weft's own tile, since " + why_;
        }
        return plan_->algorithm() + (endsBehind_ ? ", then a second kernel" : "");
    }

    void run(const KernelArguments& arguments) override {
        const Epilogue& epilogue = asked_.epilogue;
        ProductOperands operands{
            .a = arguments.inputs[0], .b = arguments.inputs[1], .result = arguments.outputs[0]};
        if (!endsBehind_) {
            operands.bias = epilogue.bias ? arguments.inputs[*epilogue.bias] : nullptr;
            operands.addend = epilogue.addend ? arguments.inputs[*epilogue.addend] : nullptr;
        }
        if (plan_ == nullptr || !isAlignedForProduct(operands)) {
            runOwn(asked_, arguments);
            return;
        }
        if (asked_.roundsBias() && !endsBehind_) {
            auto* const rounded =
                reinterpret_cast<Bf16*>(static_cast<std::byte*>(arguments.scratch) + workspace_);
            launchRoundedBias(asked_, input<float>(arguments, *epilogue.bias), rounded,
                              streamOf(arguments));
            operands.bias = rounded;
        }
        plan_->run(operands, arguments.scratch, streamOf(arguments));
        if (endsBehind_) {
            end(arguments);
        }
    }

private:
    /// Applies in a second launch the fused ops that the library does not support.
    void end(const KernelArguments& arguments) const {
        const ProductSize& size = asked_.of.size;
        const Maps maps{.images = size.rows, .channels = size.columns, .isLast = true};
        Bf16Ending ending{.of = endingOf(asked_.epilogue, arguments)};
        if (asked_.makesBf16) {
            ending.addend = reinterpret_cast<const Bf16*>(ending.of.addend);
            ending.of.addend = nullptr;
            auto* const result = output<Bf16>(arguments, 0);
            launchEpilogue(maps, result, ending, result, streamOf(arguments));
        } else {
            auto* const result = output<float>(arguments, 0);
            launchEpilogue(maps, result, ending, result, streamOf(arguments));
        }
    }

    RequestedProduct asked_;
    std::int64_t workspace_; ///< bytes at the beginning of the scratch
    ProductEnding ending_;
    bool endsBehind_ = false; ///< true: the library only computes the sums
    std::unique_ptr<ProductPlan> plan_;
    std::string why_; ///< why there is no plan
};

/// Formats of a bf16 product: both operands are bf16, and the result if possible.
ChoiceOrRefusal asBf16(const KernelRequest& request, const RequestedProduct& asked,
                       KernelChoice choice) {
    const auto inBf16 = [](const TensorPart& part) { return halved({}, part.shape.size()); };
    std::vector<Format> inputs(request.inputs.size());
    inputs[0] = inBf16(request.inputs[0]);
    inputs[1] = inBf16(request.inputs[1]);
    const Format result = asked.makesBf16 ? inBf16(request.outputs[0]) : Format{};
    if (asked.epilogue.addend) {
        inputs[*asked.epilogue.addend] = result;
    }
    return withFormats(request, std::move(choice), std::move(inputs), {result});
}

} // namespace

std::string libraryProductName(Precision precision) {
    return precision == Precision::exact ? "cublaslt"
                                         : "cublaslt in " + std::string(nameOf(precision));
}

std::int64_t productWorkspaceLimit(const ProductSize& size) {
    const std::int64_t bytes =
        inScratchSteps(slicesWithRoom * size.results() * static_cast<std::int64_t>(sizeof(float)));
    return std::clamp(bytes, leastOfProduct, mostOfProduct);
}

tl::expected<RequestedProduct, Refusal> requestedProductOf(const KernelRequest& request,
                                                           const MatrixProduct& product,
                                                           const ChainForm& chain,
                                                           Precision precision, ResultType kept) {
    const auto epilogue = epilogueOf(request, chain, request.outputs[0].shape.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    RequestedProduct asked{product, *epilogue, precision};
    if (asked.isBf16() && kept == ResultType::asBf16) {
        asked.makesBf16 = !epilogue->addend || request.inputs[*epilogue->addend].format.isHalved();
    }
    return asked;
}

bool isAlignedForProduct(const ProductOperands& operands) {
    const std::array<const void*, 5> addresses{operands.a, operands.b, operands.bias,
                                               operands.addend, operands.result};
    return std::ranges::all_of(addresses, [](const void* address) {
        return reinterpret_cast<std::uintptr_t>(address) % productAlignment == 0;
    });
}

void launchRoundedBias(const RequestedProduct& asked, const float* bias, Bf16* rounded,
                       StreamHandle stream) {
    launchToBf16({.channels = asked.of.size.columns, .isLast = true}, bias, rounded, stream);
}

std::optional<ProductScratch> scratchFor(const KernelRequest& request, const ProductSize& size,
                                         std::int64_t own, std::int64_t ofBiases) {
    const std::int64_t limit = request.scratchLimit.count;
    if (std::max(own, ofBiases) > limit) {
        return std::nullopt;
    }
    const std::int64_t room = (limit - ofBiases) / scratchStep * scratchStep;
    const std::int64_t workspace = std::min(productWorkspaceLimit(size), room);
    return ProductScratch{workspace, std::max(own, workspace + ofBiases)};
}

std::string missingForProducts() { return products::library().why; }

ChoiceOrRefusal libraryProduct(const KernelRequest& request, const MatrixProduct& product,
                               const ChainForm& chain, Precision precision, ResultType kept) {
    const auto refused = [&](std::string reason) {
        return tl::unexpected<Refusal>({libraryProductName(precision), std::move(reason)});
    };
    const auto asked = requestedProductOf(request, product, chain, precision, kept);
    if (!asked) {
        return refused(asked.error().reason);
    }
    const auto scratch =
        scratchFor(request, product.size,
                   productScratch(product.size) * static_cast<std::int64_t>(sizeof(float)),
                   asked->bytesOfBias());
    if (!scratch) {
        return refused("needs more workspace than the limit allows");
    }
    KernelChoice choice{.implementation = libraryProductName(precision),
                        .scratch = {scratch->all},
                        .launches = asked->roundsBias() ? 2 : 1,
                        .make = [asked = *asked, workspace = scratch->workspace] {
                            return std::make_unique<LibraryProductKernel>(asked, workspace);
                        }};
    return asked->isBf16() ? asBf16(request, *asked, std::move(choice))
                           : allPlain(request, std::move(choice));
}

void addLibraryLinear(KernelList& list, Precision precision,
                      const std::function<std::string()>& lacks) {
    const std::string name = libraryProductName(precision);
    const bool takesBf16 = precision == Precision::bf16;
    addWithEpilogues(
        list, "linear", name,
        [precision](const KernelRequest& request, const ChainForm& chain) {
            return libraryProduct(request, productOfY(request), chain, precision);
        },
        lacks, takesBf16);
    list.add({.op = "linear_dx",
              .implementation = name,
              .choose =
                  [precision](const KernelRequest& request) {
                      return libraryProduct(request, productOfDx(request), {}, precision);
                  },
              .lacks = lacks,
              .takesBf16 = takesBf16});
    list.add({.op = "linear_dw",
              .implementation = name,
              .choose =
                  [precision](const KernelRequest& request) {
                      return libraryProduct(request, productOfDw(request), {}, precision,
                                            ResultType::asFloats);
                  },
              .lacks = lacks,
              .takesBf16 = takesBf16});
    addLibraryBatched(list, precision, lacks);
}

} // namespace weft::cuda
