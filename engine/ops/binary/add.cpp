// SPDX-License-Identifier: Apache-2.0
// add: y = x0 + x1 + ..., all of one shape
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

std::string oneTermPerInput(const Signature& s) {
    const std::vector<std::string> terms(s.inputs.size(), "...");
    return fmt::format("{} -> ...", fmt::join(terms, " + "));
}

} // namespace

void add(OpList& list) {
    list.add({.name = "add",
              .help = "y = x0 + x1 + ..., element by element.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .variadic = true,
              .shape = allEqual,
              .gradient =
                  [](Gradient& gradient) {
                      for (std::size_t k = 0; k < gradient.results().size(); ++k) {
                          gradient.set(k, gradient.dy());
                      }
                  },
              .placementOf = oneTermPerInput,
              .cost =
                  [](const Signature& s) {
                      return Flops{static_cast<std::int64_t>(s.inputs.size() - 1) *
                                   s.inputs[0].elements()};
                  },
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{4, 10}, {4, 10}}},
                          {.inputs = {{1, 1}}},
                          {.inputs = {{7}, {7}, {7}}},
                          {.inputs = {{2, 3, 5, 7}, {2, 3, 5, 7}}}},
              .onnx = "Sum"});
}

} // namespace weft::ops
