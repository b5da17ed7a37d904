// SPDX-License-Identifier: Apache-2.0
#include "data/films/frame_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace weft {

namespace {

/// y = (x - from) / span; 0 if all numbers are equal.
struct Scaling {
    double from = 0;
    double span = 1;
};

Scaling scalingOfLuminance(std::span<const float> x) {
    float least = std::numeric_limits<float>::max();
    float most = std::numeric_limits<float>::lowest();
    for (const float each : x) {
        // Both comparisons are false for NaN.
        least = each < least ? each : least;
        most = each > most ? each : most;
    }
    return {least, double{most} - double{least}};
}

Scaling scalingOfDeviation(std::span<const float> x) {
    double sum = 0;
    double squares = 0;
    double count = 0;
    for (const float each : x) {
        sum += std::isnan(each) ? 0 : each;
        count += std::isnan(each) ? 0 : 1;
    }
    const double mean = count == 0 ? 0 : sum / count;
    for (const float each : x) {
        squares += std::isnan(each) ? 0 : (each - mean) * (each - mean);
    }
    return {mean, count == 0 ? 0 : std::sqrt(squares / count)};
}

} // namespace

AttributeSpec normaliseAttribute(std::string usual) {
    return {.name = "normalise",
            .defaultValue = std::move(usual),
            .help = "Normalisation per frame. none: values as stored; unit: white is 1; luminance: "
                    "minimum 0 and maximum 1 in each frame; deviation: mean 0 and standard "
                    "deviation 1 in each frame. Padding is 0.",
            .choices = {"none", "unit", "luminance", "deviation"}};
}

FrameNorm frameNormOf(const Attributes& attributes) {
    const std::string& word = attributes.text("normalise");
    return word == "none"        ? FrameNorm::none
           : word == "unit"      ? FrameNorm::unit
           : word == "luminance" ? FrameNorm::luminance
                                 : FrameNorm::deviation;
}

void normaliseFrame(std::span<float> x, FrameNorm norm, float white) {
    const Scaling scaling = norm == FrameNorm::luminance   ? scalingOfLuminance(x)
                            : norm == FrameNorm::deviation ? scalingOfDeviation(x)
                            : norm == FrameNorm::unit      ? Scaling{.span = white}
                                                           : Scaling{};
    const bool isFlat = !(scaling.span > 1e-12 * std::abs(scaling.from));
    for (float& each : x) {
        each = isFlat || std::isnan(each)
                   ? 0.0F
                   : static_cast<float>((each - scaling.from) / scaling.span);
    }
}

} // namespace weft
