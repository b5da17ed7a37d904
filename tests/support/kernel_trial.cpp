// SPDX-License-Identifier: Apache-2.0
#include "support/kernel_trial.h"

#include <algorithm>

namespace weft::test {

namespace {

bool canShare(const KernelChoice& choice, const RunOptions& options) {
    const auto formatAt = [](const std::vector<Format>& formats, std::size_t k) {
        return k < formats.size() ? formats[k] : Format{};
    };
    return std::ranges::all_of(options.inPlace, [&](const auto& pair) {
        return formatAt(choice.inputFormats, pair.input) ==
               formatAt(choice.outputFormats, pair.output);
    });
}

/// Dims that a tag describes: its letters before the first block.
std::size_t rankOf(const std::string& tag) {
    return static_cast<std::size_t>(
        std::ranges::find_if(tag, [](char c) { return c >= '0' && c <= '9'; }) - tag.begin());
}

} // namespace

KernelTrial tryKernel(Oracle& device, const KernelMaker& maker, const KernelCase& one,
                      const RunOptions& options, Precision precision) {
    const KernelRequest request =
        requestOf(maker.op, one.attributes, one.local.inputs, one.local.outputs, options);
    const ChoiceOrRefusal choice = maker.choose(request);
    if (!choice) {
        return {.fault = choice.error().reason.empty() ? "refuses and gives no reason" : ""};
    }
    KernelTrial trial{.isTaken = true};
    for (const auto* formats : {&choice->inputFormats, &choice->outputFormats}) {
        for (const Format& format : *formats) {
            format.isHalved() ? void() : (void)trial.tags.insert(format.tag);
        }
    }
    if (canShare(*choice, options)) {
        const auto y = device.run(request, *choice, one.local.numbers, options);
        const auto again = device.run(request, *choice, one.local.numbers, options);
        trial.fault = faultIn(one, y, again, precision);
    }
    return trial;
}

std::vector<RunOptions> waysInPlace(const Op& op, const KernelCase& one) {
    std::vector<RunOptions> ways;
    for (const InPlacePair& pair : op.inPlace) {
        if (one.local.inputs[pair.input].elements() == one.local.outputs[pair.output].elements()) {
            ways.push_back({.randomKey = KernelCases::randomKey, .inPlace = {pair}});
        }
    }
    return ways;
}

std::vector<RunOptions> waysInFormat(const KernelCase& one, const std::string& tag) {
    std::vector<Format> formats;
    std::vector<std::vector<Format>> alone;
    for (const TensorPart& part : one.local.inputs) {
        const bool fits =
            !tag.empty() && rankOf(tag) == part.shape.size() && isFloating(part.dtype);
        formats.push_back({fits ? tag : ""});
        if (fits) {
            alone.emplace_back(one.local.inputs.size());
            alone.back()[formats.size() - 1] = {tag};
        }
    }
    std::vector<RunOptions> ways;
    const auto add = [&](const std::vector<Format>& offered, bool mayChoose) {
        ways.push_back({.randomKey = KernelCases::randomKey,
                        .formats = offered,
                        .mayChooseFormats = mayChoose});
    };
    if (!alone.empty()) {
        add(formats, true);
        add(formats, false);
    }
    for (std::size_t k = 0; k < alone.size() && alone.size() > 1; ++k) {
        add(alone[k], true);
    }
    return ways;
}

} // namespace weft::test
