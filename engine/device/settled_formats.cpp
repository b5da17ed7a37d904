// SPDX-License-Identifier: Apache-2.0
#include "device/settled_formats.h"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

std::string differs(const char* what, std::size_t k, const Format& own, const Format& offered) {
    return what + std::to_string(k) + " in format '" + own.tag + "', not '" + offered.tag + "'";
}

} // namespace

bool isSameLayout(const Format& a, const Format& b, const Shape& shape) {
    if (a == b) {
        return true;
    }
    if (!isOrder(a) || !isOrder(b) || a.isHalved() != b.isHalved()) {
        return false;
    }
    const auto stepsA = stridesOf(a, shape);
    const auto stepsB = stridesOf(b, shape);
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        if (shape[dim] > 1 && stepsA[dim] != stepsB[dim]) {
            return false;
        }
    }
    return true;
}

std::optional<Format> formatForAll(const KernelRequest& request, const Shape& shape) {
    Format chosen;
    for (const TensorPart& part : request.inputs) {
        if (part.shape == shape && !part.format.isPlain() && chosen.isPlain() &&
            elementsIn(part.format, shape) == elementsOf(shape)) {
            chosen = part.format;
        }
    }
    const bool isWide = std::ranges::any_of(request.inputs, [&](const TensorPart& part) {
        return part.shape == shape && part.dtype == DType::f32 && !part.format.isHalved();
    });
    chosen = isWide ? widened(chosen) : chosen;
    if (!request.mayChooseFormats) {
        for (const auto* parts : {&request.inputs, &request.outputs}) {
            for (const TensorPart& part : *parts) {
                if (part.shape == shape && !isSameLayout(part.format, chosen, shape)) {
                    return std::nullopt;
                }
            }
        }
    }
    return chosen;
}

bool isBatchOutermost(const Format& format, const Shape& shape) {
    return isOrder(format) && layoutOf(format, shape.size()).order.front() == 0;
}

std::optional<Format> batchContiguousFormat(const KernelRequest& request, const Shape& shape) {
    auto format = formatForAll(request, shape);
    if (!format || isBatchOutermost(*format, shape)) {
        return format;
    }
    return request.mayChooseFormats ? std::optional(Format{}) : std::nullopt;
}

ChoiceOrRefusal withFormats(const KernelRequest& request, KernelChoice choice,
                            std::vector<Format> inputs, std::vector<Format> outputs) {
    inputs.resize(request.inputs.size());
    outputs.resize(request.outputs.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const TensorPart& part = request.inputs[k];
        if (isSameLayout(inputs[k], part.format, part.shape)) {
            inputs[k] = part.format;
        } else if (!request.mayChooseFormats) {
            return tl::unexpected<Refusal>(
                {choice.implementation, differs("wants input ", k, inputs[k], part.format)});
        }
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const TensorPart& part = request.outputs[k];
        if (isSameLayout(outputs[k], part.format, part.shape)) {
            outputs[k] = part.format;
        } else if (!request.mayChooseFormats) {
            return tl::unexpected<Refusal>(
                {choice.implementation, differs("gives output ", k, outputs[k], part.format)});
        }
    }
    choice.inputFormats = std::move(inputs);
    choice.outputFormats = std::move(outputs);
    return choice;
}

ChoiceOrRefusal allPlain(const KernelRequest& request, KernelChoice choice) {
    return withFormats(request, std::move(choice), {}, {});
}

ChoiceOrRefusal inOneFormat(const KernelRequest& request, const Format& format,
                            KernelChoice choice) {
    const auto& [shape, dtype] = std::pair(request.outputs[0].shape, request.outputs[0].dtype);
    const auto formats = [&](const std::vector<TensorPart>& parts) {
        std::vector<Format> result;
        result.reserve(parts.size());
        for (const TensorPart& part : parts) {
            const bool isAlike = part.shape == shape && (part.dtype == dtype || !format.isHalved());
            result.push_back(isAlike ? format : Format{});
        }
        return result;
    };
    return withFormats(request, std::move(choice), formats(request.inputs),
                       formats(request.outputs));
}

} // namespace weft
