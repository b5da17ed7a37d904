// SPDX-License-Identifier: Apache-2.0
#include "some_kinds.h"

#include <weft/design_file.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace weft::test {

std::vector<LayerKindInfo> someKinds() {
    const std::vector<PortInfo> y = {{.name = "y"}};
    return {
        {.kind = "input",
         .outputs = y,
         .attributes = {{.name = "shape", .defaultValue = Shape{}, .required = true}}},
        {.kind = "dense",
         .synonyms = {"linear"},
         .inputs = {{.name = "x"}},
         .outputs = y,
         .attributes =
             {{.name = "units", .defaultValue = std::int64_t{1}, .least = 1, .required = true},
              {.name = "bias", .defaultValue = true},
              {.name = "rate", .defaultValue = 0.5, .least = 0, .most = 1},
              {.name = "stride", .defaultValue = Shape{1, 1}, .least = 1, .count = 2},
              {.name = "pad",
               .defaultValue = std::string("explicit"),
               .choices = {"explicit", "same"}},
              {.name = "share", .defaultValue = std::string()},
              {.name = "frozen", .defaultValue = false},
              {.name = "decay", .defaultValue = 1.0, .isOfLearning = true}}},
        {.kind = "relu", .inputs = {{.name = "x"}}, .outputs = y},
        {.kind = "add", .inputs = {{.name = "x", .variadic = true}}, .outputs = y},
        {.kind = "loss",
         .inputs = {{.name = "x"}, {.name = "target"}},
         .outputs = {{.name = "loss"}}},
        {.kind = "mask",
         .inputs = {{.name = "x"}, {.name = "mask", .optional = true}},
         .outputs = y},
        {.kind = "split",
         .inputs = {{.name = "x"}},
         .outputs = {{.name = "y", .variadic = true, .perElementOf = "sizes"}},
         .attributes = {{.name = "sizes", .defaultValue = Shape{1, 1}}}},
    };
}

Design designOf(std::string_view text) {
    std::string json(text);
    std::ranges::replace(json, '\'', '"');
    LoadedDesign loaded = parseDesign("{\"weft\": 1, " + json + "}", someKinds());
    if (!loaded.diagnostics.empty()) {
        throw std::invalid_argument(toString(loaded.diagnostics.front()));
    }
    return std::move(loaded.design);
}

} // namespace weft::test
