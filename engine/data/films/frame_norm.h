// SPDX-License-Identifier: Apache-2.0
#pragma once
// The normalisation of film frames: its attribute, shared by all film sources, and its computation.

#include <weft/attributes.h>

#include <cstdint>
#include <span>
#include <string>

namespace weft {

enum class FrameNorm : std::uint8_t { none, unit, luminance, deviation }; ///< per frame

/// Returns the attribute `normalise` with this default.
[[nodiscard]] AttributeSpec normaliseAttribute(std::string usual); ///< with this default
/// Reads that attribute.
[[nodiscard]] FrameNorm frameNormOf(const Attributes& attributes);

/// Normalises one frame in place. `white`: the value of white in `x`. NaN marks pixels outside the
/// picture: they are ignored and become 0.
void normaliseFrame(std::span<float> x, FrameNorm norm, float white);

} // namespace weft
