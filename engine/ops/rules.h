// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers that shape rules and placement strings of several op families share. Refusals are
// sentences for the design's author.

#include "graph/signature.h"

#include <string>
#include <string_view>
#include <vector>

namespace weft::ops {

/// Returns the attribute as a dim counted from the front (-1 names the last dim), or -1 if there is
/// no such dim.
[[nodiscard]] int dimOf(const Attributes& attributes, std::size_t rank,
                        std::string_view name = "dim");
/// Like dimOf, but refuses a missing dim with "input is [4, 10], which has no dim 2".
[[nodiscard]] int dimOrRefusal(ShapeInference& inference, std::size_t input,
                               std::string_view name = "dim");

/// True if the inputs have the same shape; refuses otherwise.
bool haveOneShape(ShapeInference& inference, std::size_t a, std::size_t b);
/// True if the input has that shape; otherwise refuses it by that name.
bool hasShape(ShapeInference& inference, std::size_t input, const Shape& expected,
              std::string_view name);

/// Returns letters for a value whose dim `dim` is called `letter`: "b c y x", "b t o". Agrees with
/// the letters of `...` where these can name the dim.
[[nodiscard]] std::string lettersWith(std::size_t rank, int dim, std::string_view letter);

} // namespace weft::ops
