// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cudnn/plan_table.h"
#include "backends/cuda/cudnn/planned.h"
#include "backends/cuda/kernels/per_element.h"
#include "backends/cuda/products/bf16.h"
#include "backends/cuda/products/epilogue.h"
#include "device/library_calls.h"
#include "device/settled_formats.h"

#include <algorithm>
#include <array>

namespace weft::cuda {

namespace {

constexpr std::int64_t placed = 256; ///< alignment of operands in scratch
/// Bytes that Weft's own kernel converts to f32 at a time if the library has no plan.
constexpr std::int64_t widenedAtOnce = std::int64_t{32} << 20;

std::int64_t roundedUp(std::int64_t bytes) { return (bytes + placed - 1) / placed * placed; }

/// Layouts of the operands and the result of a pass.
struct PassMaps {
    Maps first, second, result;
};

/// Operands are bf16 and channels-last.
PassMaps mapsOf(const Convolution& c, ConvolutionPass pass) {
    const Maps x{c.batch, std::int64_t{c.groups} * c.inputs, c.plane(), true};
    const Maps w{std::int64_t{c.groups} * c.outputs, c.inputs, c.taps(), true};
    const Maps y{c.batch, std::int64_t{c.groups} * c.outputs, c.positions(), true};
    switch (pass) {
    case ConvolutionPass::inputGradient: return {y, w, x};
    case ConvolutionPass::weightGradient: {
        Maps dw = w;
        dw.isLast = c.isWLast;
        return {x, y, dw};
    }
    case ConvolutionPass::forward: break;
    }
    return {x, w, y};
}

/// A requested convolution with bf16 operands, and which of its other values are bf16.
struct HalvedConvolution {
    RequestedConvolution asked;
    bool makesBf16 = true;
    bool addsBf16 = false;

    [[nodiscard]] PassMaps maps() const { return mapsOf(asked.of, asked.pass); }
    [[nodiscard]] bool makesFilters() const {
        return asked.pass == ConvolutionPass::weightGradient;
    }
    [[nodiscard]] bool hasEnding() const {
        return asked.epilogue.bias || asked.epilogue.addend || asked.epilogue.hasRelu;
    }
    [[nodiscard]] Bf16Ending endingOf(const KernelArguments& arguments) const {
        Bf16Ending ending{.of = cuda::endingOf(asked.epilogue, arguments)};
        if (addsBf16) {
            ending.of.addend = nullptr;
            ending.addend = input<Bf16>(arguments, *asked.epilogue.addend);
        }
        return ending;
    }
};

PlannedConvolution plannedOf(const RequestedConvolution& asked) {
    return {.of = asked.of.channelsLast(), .pass = asked.pass, .precision = Precision::bf16};
}

/// Returns the key of the measured plans of a convolution.
std::string measurementKeyOf(const HalvedConvolution& halved) {
    return measurementKeyOf(halved.asked, Precision::bf16) + (halved.makesBf16 ? ", as bf16" : "");
}

/// Computes exactly with Weft's own kernel: converts operands to f32, as many images at a time as
/// fit.
class WidenedConvolution {
public:
    explicit WidenedConvolution(const HalvedConvolution& halved)
        : halved_(halved), maps_(halved.maps()) {
        const std::int64_t image =
            elementsOfImage(maps_.first) +
            elementsOfImage(halved.makesFilters() ? maps_.second : maps_.result);
        images_ = std::clamp<std::int64_t>(widenedAtOnce / floatBytes / image, 1, batch());
    }

    [[nodiscard]] std::int64_t scratch() const {
        return (elements(maps_.first) + elements(maps_.second) + elements(maps_.result) +
                std::max(workOf(images_), workOf(batch() % images_))) *
               floatBytes;
    }

    void run(const KernelArguments& arguments) const {
        StreamHandle stream = streamOf(arguments);
        const auto* first = input<Bf16>(arguments, halved_.asked.first);
        const auto* second = input<Bf16>(arguments, halved_.asked.second);
        auto* const wideFirst = static_cast<float*>(arguments.scratch);
        auto* const wideSecond = wideFirst + elements(maps_.first);
        auto* const made = wideSecond + elements(maps_.second);
        auto* const work = made + elements(maps_.result);
        if (!halved_.makesFilters()) {
            launchToFloats(maps_.second, second, wideSecond, stream);
        }
        for (std::int64_t image = 0; image < batch(); image += images_) {
            const std::int64_t count = std::min(images_, batch() - image);
            launchToFloats(some(maps_.first, count), first + image * elementsOfImage(maps_.first),
                           wideFirst, stream);
            if (halved_.makesFilters()) {
                launchToFloats(some(maps_.second, count),
                               second + image * elementsOfImage(maps_.second), wideSecond, stream);
            }
            launchConvolution(of(count), halved_.asked.pass, wideFirst, wideSecond, {}, made, work,
                              stream);
            give(arguments, image, count, made);
        }
    }

private:
    static constexpr auto floatBytes = static_cast<std::int64_t>(sizeof(float));

    [[nodiscard]] std::int64_t batch() const { return maps_.first.images; }
    static std::int64_t elementsOfImage(const Maps& maps) { return maps.elements() / maps.images; }
    static Maps some(Maps maps, std::int64_t images) {
        maps.images = images;
        return maps;
    }
    /// Elements converted at a time; filters are converted whole.
    [[nodiscard]] std::int64_t elements(const Maps& maps) const {
        const bool isOfImages =
            &maps == &maps_.first || (&maps == &maps_.second) == halved_.makesFilters();
        return isOfImages ? elementsOfImage(maps) * images_ : maps.elements();
    }
    [[nodiscard]] std::int64_t workOf(std::int64_t images) const {
        return images == 0 ? 0 : productScratch(sizeOf(of(images), halved_.asked.pass));
    }
    [[nodiscard]] Convolution of(std::int64_t images) const {
        Convolution c = halved_.asked.of.channelsLast();
        c.isWLast = !halved_.makesFilters() || halved_.asked.of.isWLast;
        c.batch = images;
        return c;
    }

    /// Stores the results of these images; gradients of filters are accumulated.
    void give(const KernelArguments& arguments, std::int64_t image, std::int64_t count,
              const float* made) const {
        StreamHandle stream = streamOf(arguments);
        if (halved_.makesFilters()) {
            auto* const result = output<float>(arguments, 0);
            const Terms<float> terms = image == 0 ? Terms<float>{.x = {made}, .count = 1}
                                                  : Terms<float>{.x = {result, made}, .count = 2};
            launchAddTerms(terms, result, maps_.result.elements(), stream);
            return;
        }
        const std::int64_t begin = image * elementsOfImage(maps_.result);
        Bf16Ending ending = halved_.endingOf(arguments);
        ending.of.addend += ending.of.addend == nullptr ? 0 : begin;
        ending.addend += ending.addend == nullptr ? 0 : begin;
        const Maps maps = some(maps_.result, count);
        if (halved_.makesBf16) {
            launchEpilogue(maps, made, ending, output<Bf16>(arguments, 0) + begin, stream);
        } else {
            launchEpilogue(maps, made, ending, output<float>(arguments, 0) + begin, stream);
        }
    }

    HalvedConvolution halved_;
    PassMaps maps_;
    std::int64_t images_ = 1;
};

class HalvedKernel final : public Kernel, public LibraryKernel {
public:
    HalvedKernel(const HalvedConvolution& halved, std::int64_t workspace,
                 std::unique_ptr<Plan> plan)
        : halved_(halved),
          maps_(halved.maps()),
          workspace_(workspace),
          widened_(halved),
          plan_(std::move(plan)) {}

    void addCalls(std::vector<std::string>& calls) const override {
        calls.push_back(planDescription(plan_.get()));
    }

    void run(const KernelArguments& arguments) override {
        const auto* first = input<Bf16>(arguments, halved_.asked.first);
        const auto* second = input<Bf16>(arguments, halved_.asked.second);
        const std::array<const void*, 3> addresses{first, second, arguments.outputs[0]};
        if (plan_ == nullptr || !std::ranges::all_of(addresses, isAlignedForPlan)) {
            widened_.run(arguments);
            return;
        }
        StreamHandle stream = streamOf(arguments);
        auto* const made =
            halved_.makesBf16
                ? output<Bf16>(arguments, 0)
                : reinterpret_cast<Bf16*>(static_cast<std::byte*>(arguments.scratch) + workspace_);
        plan_->run(first, second, {}, made, arguments.scratch, stream);
        const Bf16Ending ending = halved_.endingOf(arguments);
        if (halved_.makesFilters()) {
            launchToFloats(maps_.result, made, output<float>(arguments, 0), stream);
        } else if (!halved_.makesBf16) {
            launchEpilogue(maps_.result, made, ending, output<float>(arguments, 0), stream);
        } else if (halved_.hasEnding()) {
            launchEpilogue(maps_.result, made, ending, made, stream);
        }
    }

private:
    HalvedConvolution halved_;
    PassMaps maps_;
    std::int64_t workspace_; ///< bytes for the plan, at the beginning of the scratch
    WidenedConvolution widened_;
    std::unique_ptr<Plan> plan_;
};

/// Formats with bf16 operands and results, except gradients of filters and results to which f32 is
/// added.
struct HalvedFormats {
    std::vector<Format> inputs;
    Format output;
    std::vector<Format> preferredInputFormats = {};
    std::vector<Format> preferredOutputFormats = {};
};

Format keptOrder(const Shape& shape) { return shape.size() == 4 ? channelsLast() : Format{}; }

/// The filters' format from which rounding to bf16 needs no reorder.
Format preferredFormatFor(const Shape& filters) {
    const Format last = keptOrder(filters);
    return isSameLayout({}, last, filters) ? Format{} : last;
}

HalvedFormats formatsOf(const KernelRequest& request, HalvedConvolution& halved) {
    const RequestedConvolution& asked = halved.asked;
    HalvedFormats formats{.inputs = std::vector<Format>(request.inputs.size()), .output = {}};
    for (const std::size_t k : {asked.first, asked.second}) {
        const Shape& shape = request.inputs[k].shape;
        formats.inputs[k] = weft::halved(keptOrder(shape), shape.size());
    }
    const TensorPart& made = request.outputs[0];
    if (halved.makesFilters()) {
        halved.makesBf16 = false;
        formats.output = made.format == channelsLast() ? channelsLast() : Format{};
        halved.asked.of.isWLast = made.format == channelsLast();
        formats.preferredOutputFormats = {preferredFormatFor(made.shape)};
        return formats;
    }
    if (asked.epilogue.addend) {
        halved.addsBf16 = halved.makesBf16 =
            request.inputs[*asked.epilogue.addend].format.isHalved();
    }
    formats.output = keptOrder(made.shape);
    formats.output =
        halved.makesBf16 ? weft::halved(formats.output, made.shape.size()) : formats.output;
    if (asked.epilogue.addend) {
        formats.inputs[*asked.epilogue.addend] = formats.output;
    }
    formats.preferredInputFormats.resize(request.inputs.size());
    formats.preferredInputFormats[asked.second] =
        preferredFormatFor(request.inputs[asked.second].shape);
    return formats;
}

} // namespace

ChoiceOrRefusal chooseBf16Convolution(const KernelRequest& request, RequestedConvolution asked) {
    HalvedConvolution halved{.asked = std::move(asked)};
    HalvedFormats formats = formatsOf(request, halved);
    const std::string name = plannedKernelName(Precision::bf16);
    const auto refused = [&](std::string reason) {
        return tl::unexpected<Refusal>({name, std::move(reason)});
    };
    if (!countsSameWindows(halved.asked.of)) {
        return refused("the local part of the input continues after the last window");
    }
    const PlannedConvolution planned = plannedOf(halved.asked);
    const auto wanted = workspaceFor(planned, request.chip);
    if (!wanted) {
        return refused("cuDNN has no plan for this convolution");
    }
    const std::int64_t result =
        halved.maps().result.elements() * static_cast<std::int64_t>(sizeof(Bf16));
    const std::int64_t beside = halved.makesBf16 ? 0 : roundedUp(result);
    const std::int64_t own = WidenedConvolution(halved).scratch();
    const std::int64_t limit = request.scratchLimit.count;
    if (std::max(own, beside) > limit) {
        return refused("needs more workspace than the limit allows");
    }
    const std::int64_t room = (limit - beside) / placed * placed;
    const std::int64_t workspace = std::min(roundedUp(*wanted), room);
    const std::int64_t tried = std::min(roundedUp(workspaceToTry(planned, *wanted)), room);
    std::string known = measurementKeyOf(halved);
    const MeasuredPlan* const measured = measuredPlan(request, known, room);
    const std::int64_t taken =
        measured == nullptr ? workspace : roundedUp(measured->workspace.count);
    const auto kernelIn = [halved](std::int64_t size) {
        return [halved, size](std::unique_ptr<Plan> plan) {
            return std::make_unique<HalvedKernel>(halved, size, std::move(plan));
        };
    };
    const bool isEnded = !halved.makesBf16 || halved.hasEnding();
    KernelChoice choice{
        .implementation = plannedKernelName(Precision::bf16, measured),
        .scratch = {std::max(own, taken + beside)},
        .reorderedBytes = {isEnded ? 2 * result : 0}, // bytes of the result: written, then read
        .launches = isEnded ? 2 : 1,
        .preferredInputFormats = std::move(formats.preferredInputFormats),
        .preferredOutputFormats = std::move(formats.preferredOutputFormats),
        .make =
            [=, engine = measured == nullptr ? "" : measured->engine] {
                return kernelIn(taken)(planFor(planned, taken, engine));
            },
        .ways = kernelWaysOf(request, std::move(known), std::max(own, tried + beside), 0, planned,
                             tried, kernelIn(tried))};
    if (measured != nullptr) {
        choice.measured = *measured;
    }
    return withFormats(request, std::move(choice), std::move(formats.inputs), {formats.output});
}

} // namespace weft::cuda
