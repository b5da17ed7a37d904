// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the numbers of a frame are normalised: one attribute, with the same words for whoever has
// frames, and one function that does it.

#include <weft/attributes.h>

#include <cstdint>
#include <span>
#include <string>

namespace weft {

enum class FrameNorm : std::uint8_t { none, unit, luminance, deviation };

/// `normalise`, with that word as its default.
[[nodiscard]] AttributeSpec normaliseAttribute(std::string usual);
/// What that attribute says.
[[nodiscard]] FrameNorm frameNormOf(const Attributes& attributes);

/// `white`: what that is in the numbers. Where a number is none (NaN) there is no picture: it has
/// no part in the others, and becomes 0.
void normaliseFrame(std::span<float> x, FrameNorm norm, float white);

} // namespace weft
