// SPDX-License-Identifier: Apache-2.0
// Equal products by the library: one batched call if operands and results have constant strides, or
// share an operand, as query, key and value of an attention do; else one call per product.
#include "backends/cuda/cublaslt/requested_product.h"
#include "backends/cuda/products/linear_of.h"
#include "device/named_way.h"
#include "device/settled_formats.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace weft::cuda {

namespace {

/// The addresses that each member of a group reads and writes.
using Members = std::vector<ProductOperands>;

/// Returns the constant distance between addresses in elements; nothing if distances differ or are
/// negative.
std::optional<std::int64_t> stepOf(const Members& members,
                                   const std::function<const void*(const ProductOperands&)>& of,
                                   std::int64_t elementBytes) {
    const auto number = [&](std::size_t k) {
        return reinterpret_cast<std::intptr_t>(of(members[k]));
    };
    const std::intptr_t step = number(1) - number(0);
    for (std::size_t k = 2; k < members.size(); ++k) {
        if (number(k) - number(k - 1) != step) {
            return std::nullopt;
        }
    }
    return step < 0 || step % elementBytes != 0 ? std::nullopt : std::optional(step / elementBytes);
}

/// Returns all members as one product of several sets; nothing if the strides are not constant.
std::optional<ProductOperands> asOne(const Members& members, const RequestedProduct& asked) {
    const std::int64_t ofOperand = asked.isBf16() ? sizeof(Bf16) : sizeof(float);
    const std::int64_t ofResult = asked.makesBf16 ? sizeof(Bf16) : sizeof(float);
    const auto a = stepOf(
        members, [](const auto& one) { return one.a; }, ofOperand);
    const auto b = stepOf(
        members, [](const auto& one) { return one.b; }, ofOperand);
    const auto bias = stepOf(
        members, [](const auto& one) { return one.bias; }, ofResult);
    const auto addend = stepOf(
        members, [](const auto& one) { return one.addend; }, ofResult);
    const auto result = stepOf(
        members, [](const auto& one) -> const void* { return one.result; }, ofResult);
    if (!a || !b || !bias || !addend || !result || *result < asked.of.size.results()) {
        return std::nullopt;
    }
    if (asked.epilogue.addend && *addend != *result) {
        return std::nullopt;
    }
    ProductOperands one = members.front();
    one.stepOfA = *a;
    one.stepOfB = *b;
    one.stepOfBias = *bias;
    one.stepOfResult = *result;
    return one;
}

class LibraryBatchedKernel final : public Kernel, public NamedWay {
public:
    LibraryBatchedKernel(const RequestedProduct& asked, std::shared_ptr<const GroupBody> body,
                         std::int64_t workspace)
        : asked_(asked), body_(std::move(body)), workspace_(workspace) {
        const LibraryProduct one = asked.asLibraryProduct(asked.ending());
        LibraryProduct all = one;
        const std::int64_t apart = inScratchSteps(one.of.size.results());
        all.of.size.sets = static_cast<std::int64_t>(body_->members.size());
        all.of.a.set = inScratchSteps(one.of.size.rows * one.of.size.terms);
        all.of.b.set = inScratchSteps(one.of.size.columns * one.of.size.terms);
        all.of.resultSet = apart;
        if (auto made = products::make(all, workspace)) {
            ofAll_ = std::move(*made);
        }
        if (auto made = products::make(one, workspace)) {
            ofOne_ = std::move(*made);
        } else {
            why_ = made.error();
        }
        members_.resize(body_->members.size());
    }

    [[nodiscard]] std::string way() const override {
        const std::string each =
            ofOne_ == nullptr ? "Weft's own tile, since " + why_ : ofOne_->algorithm();
        return ofAll_ == nullptr
                   ? each
                   : ofAll_->algorithm() + " for operands at equal distances, else " + each;
    }

    void run(const KernelArguments& arguments) override {
        const bool areAligned = find(arguments);
        const std::optional<ProductOperands> one =
            ofAll_ != nullptr && areAligned ? asOne(members_, asked_) : std::nullopt;
        if (one) {
            roundBiases(arguments);
            ofAll_->run(withRoundedBias(*one, arguments), arguments.scratch, streamOf(arguments));
        } else if (ofOne_ != nullptr && areAligned) {
            roundBiases(arguments);
            for (const ProductOperands& member : members_) {
                ofOne_->run(member, arguments.scratch, streamOf(arguments));
            }
        } else {
            runOwn(arguments);
        }
    }

private:
    [[nodiscard]] const void* operand(const KernelArguments& arguments, std::size_t member,
                                      std::size_t k) const {
        return arguments.inputs[static_cast<std::size_t>(body_->reads[member][k])];
    }
    [[nodiscard]] Bf16* roundedBias(const KernelArguments& arguments, std::size_t member) const {
        auto* const first = static_cast<std::byte*>(arguments.scratch) + workspace_;
        return reinterpret_cast<Bf16*>(first +
                                       static_cast<std::int64_t>(member) * asked_.bytesOfBias());
    }

    /// Collects the members' addresses; false if some are unaligned. Rounded biases are in scratch.
    bool find(const KernelArguments& arguments) {
        const Epilogue& epilogue = asked_.epilogue;
        bool areAligned = true;
        for (std::size_t m = 0; m < members_.size(); ++m) {
            ProductOperands& one = members_[m];
            one.a = operand(arguments, m, 0);
            one.b = operand(arguments, m, 1);
            one.bias = !epilogue.bias        ? nullptr
                       : asked_.roundsBias() ? roundedBias(arguments, m)
                                             : operand(arguments, m, *epilogue.bias);
            one.addend = epilogue.addend ? operand(arguments, m, *epilogue.addend) : nullptr;
            one.result = arguments.outputs[static_cast<std::size_t>(body_->writes[m][0])];
            areAligned = areAligned && isAlignedForProduct(one);
        }
        return areAligned;
    }

    void roundBiases(const KernelArguments& arguments) const {
        for (std::size_t m = 0; m < members_.size() && asked_.roundsBias(); ++m) {
            const auto* const bias =
                static_cast<const float*>(operand(arguments, m, *asked_.epilogue.bias));
            launchRoundedBias(asked_, bias, roundedBias(arguments, m), streamOf(arguments));
        }
    }
    [[nodiscard]] ProductOperands withRoundedBias(ProductOperands one,
                                                  const KernelArguments& arguments) const {
        one.bias = asked_.roundsBias() ? roundedBias(arguments, 0) : one.bias;
        return one;
    }

    void runOwn(const KernelArguments& arguments) const {
        asked_.isBf16() ? runOwnBf16(arguments) : runOwnFloats(arguments);
    }
    void runOwnBf16(const KernelArguments& arguments) const {
        for (std::size_t m = 0; m < members_.size(); ++m) {
            const ProductOperands& one = members_[m];
            const Epilogue& epilogue = asked_.epilogue;
            const void* const bias =
                epilogue.bias ? operand(arguments, m, *epilogue.bias) : nullptr;
            launchBf16Product(asked_.of, static_cast<const Bf16*>(one.a),
                              static_cast<const Bf16*>(one.b),
                              {.data = one.result,
                               .bias = static_cast<const float*>(bias),
                               .addend = one.addend,
                               .hasRelu = epilogue.hasRelu,
                               .isBf16 = asked_.makesBf16},
                              static_cast<float*>(arguments.scratch), streamOf(arguments));
        }
    }
    void runOwnFloats(const KernelArguments& arguments) const {
        for (std::size_t first = 0; first < members_.size(); first += BatchedProducts::most) {
            BatchedProducts equals{.count =
                                       std::min(BatchedProducts::most, members_.size() - first),
                                   .hasRelu = asked_.epilogue.hasRelu};
            for (std::size_t k = 0; k < equals.count; ++k) {
                const ProductOperands& one = members_[first + k];
                equals.a[k] = static_cast<const float*>(one.a);
                equals.b[k] = static_cast<const float*>(one.b);
                equals.bias[k] = static_cast<const float*>(one.bias);
                equals.addend[k] = static_cast<const float*>(one.addend);
                equals.c[k] = static_cast<float*>(one.result);
            }
            launchBatched(asked_.of, equals, static_cast<float*>(arguments.scratch),
                          streamOf(arguments));
        }
    }

    RequestedProduct asked_;
    std::shared_ptr<const GroupBody> body_;
    std::int64_t workspace_; ///< bytes at the beginning of the scratch
    std::unique_ptr<ProductPlan> ofAll_;
    std::unique_ptr<ProductPlan> ofOne_;
    std::string why_; ///< why there is no plan for one product
    Members members_;
};

/// The formats of each member: in bf16 both operands are bf16, and the result if possible.
ChoiceOrRefusal withFormatsOfAll(const KernelRequest& request, const RequestedProduct& asked,
                                 KernelChoice choice) {
    const auto inBf16 = [](const TensorPart& part) { return halved({}, part.shape.size()); };
    std::vector<Format> inputs(request.inputs.size());
    std::vector<Format> outputs(request.outputs.size());
    for (std::size_t m = 0; m < request.body->members.size() && asked.isBf16(); ++m) {
        const auto place = [&](std::size_t k) {
            return static_cast<std::size_t>(request.body->reads[m][k]);
        };
        const auto made = static_cast<std::size_t>(request.body->writes[m][0]);
        inputs[place(0)] = inBf16(request.inputs[place(0)]);
        inputs[place(1)] = inBf16(request.inputs[place(1)]);
        outputs[made] = asked.makesBf16 ? inBf16(request.outputs[made]) : Format{};
        if (asked.epilogue.addend) {
            inputs[place(*asked.epilogue.addend)] = outputs[made];
        }
    }
    return withFormats(request, std::move(choice), std::move(inputs), std::move(outputs));
}

ChoiceOrRefusal chooseBatched(const KernelRequest& request, ProductOf productOfOne,
                              const ChainForm& chain, Precision precision, ResultType kept) {
    const auto refused = [&](std::string reason) {
        return tl::unexpected<Refusal>({libraryProductName(precision), std::move(reason)});
    };
    const KernelRequest& one = request.body->members.front();
    const auto asked = requestedProductOf(one, productOfOne(one), chain, precision, kept);
    if (!asked) {
        return refused(asked.error().reason);
    }
    const auto count = static_cast<std::int64_t>(request.body->members.size());
    const std::int64_t atOnce =
        asked->isBf16() ? 1 : std::min(static_cast<std::int64_t>(BatchedProducts::most), count);
    ProductSize all = asked->of.size;
    all.sets = count;
    const auto scratch = scratchFor(request, all,
                                    atOnce * productScratch(asked->of.size) *
                                        static_cast<std::int64_t>(sizeof(float)),
                                    count * asked->bytesOfBias());
    if (!scratch) {
        return refused("needs more workspace than the limit allows");
    }
    KernelChoice choice{
        .implementation = libraryProductName(precision),
        .scratch = {scratch->all},
        .launches = asked->roundsBias() ? 1 + static_cast<int>(count) : 1,
        .make = [asked = *asked, body = request.body, workspace = scratch->workspace] {
            return std::make_unique<LibraryBatchedKernel>(asked, body, workspace);
        }};
    return withFormatsOfAll(request, *asked, std::move(choice));
}

} // namespace

void addLibraryBatched(KernelList& list, Precision precision,
                       const std::function<std::string()>& lacks) {
    const auto add = [&](const std::string& op, ProductOf product, const ChainForm& chain,
                         ResultType kept) {
        list.add({.op = op + '=',
                  .implementation = libraryProductName(precision),
                  .choose =
                      [=](const KernelRequest& request) {
                          return chooseBatched(request, product, chain, precision, kept);
                      },
                  .lacks = lacks,
                  .takesBf16 = precision == Precision::bf16});
    };
    forEachChain([&](const std::string& links, const ChainForm& chain) {
        add("linear" + links, productOfY, chain, ResultType::asBf16);
    });
    add("linear_dx", productOfDx, {}, ResultType::asBf16);
    add("linear_dw", productOfDw, {}, ResultType::asFloats);
}

} // namespace weft::cuda
