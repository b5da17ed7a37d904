// SPDX-License-Identifier: Apache-2.0
#pragma once
// What shape rules and placement strings of several families share. Refusals are sentences for the
// design's author.

#include "graph/signature.h"

#include <string>
#include <string_view>
#include <vector>

namespace weft::ops {

/// The attribute as a dim counted from the front: -1 is the last one. -1 as the answer: there is no
/// such dim.
[[nodiscard]] int dimOf(const Attributes& attributes, std::size_t rank,
                        std::string_view name = "dim");
/// The same, refusing with "input is [4, 10]; it has no dim 2".
[[nodiscard]] int dimOrRefusal(Inference& inference, std::size_t input,
                               std::string_view name = "dim");

/// True when the inputs have one shape; refuses otherwise.
bool haveOneShape(Inference& inference, std::size_t a, std::size_t b);
/// True when the input has that shape; refuses otherwise, naming it.
bool hasShape(Inference& inference, std::size_t input, const Shape& expected,
              std::string_view name);

/// Letters for a value whose dim `dim` is called `letter`: "b c y x", "b t o". The same letters as
/// `...` gives, wherever that can name the dim.
[[nodiscard]] std::string lettersWith(std::size_t rank, int dim, std::string_view letter);

} // namespace weft::ops
