// SPDX-License-Identifier: Apache-2.0
// [batch, time, (heads features)] <-> [batch, heads, time, features].
#include "graph/builder.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void inferApart(Inference& at) {
    const std::int64_t heads = at.attributes().integer("heads");
    const Shape& x = at.shape(0);
    if (x.size() != 3) {
        at.refuse(fmt::format("input is {}; attention takes [batch, time, features]", toString(x)));
    } else if (x[2] % heads != 0) {
        at.refuse(fmt::format("{} features do not divide into {} heads", x[2], heads));
    } else {
        at.output(0).shape = {x[0], heads, x[1], x[2] / heads};
    }
}

void inferTogether(Inference& at) {
    const Shape& x = at.shape(0);
    if (x.size() != 4) {
        at.refuse(fmt::format("input is {}; heads_together takes [batch, heads, time, features]",
                              toString(x)));
    } else {
        at.output(0).shape = {x[0], x[2], x[1] * x[3]};
    }
}

} // namespace

void heads(OpList& list) {
    list.add(
        {.name = "heads_apart",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .attributes = {{.name = "heads",
                         .defaultValue = std::int64_t{1},
                         .help = "Number of heads.",
                         .least = 1,
                         .required = true}},
         .shape = inferApart,
         .gradient = [](Gradient& at) { at.set(0, at.add("heads_together", {at.dy()})); },
         .placement = "b t (h d) -> b h t d",
         .letterSizes =
             [](const Signature& at) {
                 return std::map<std::string, std::int64_t>{{"h", at.attributes.integer("heads")}};
             },
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{2, 5, 12}}, .attributes = {{"heads", std::int64_t{3}}}},
                     {.inputs = {{1, 1, 1}}},
                     {.inputs = {{3, 4, 7}}},
                     {.inputs = {{3, 1, 10}}, .attributes = {{"heads", std::int64_t{5}}}}}});
    list.add({.name = "heads_together",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = inferTogether,
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.add("heads_apart", {at.dy()}, {{"heads", at.inputShape(0)[1]}}));
                  },
              .placement = "b h t d -> b t (h d)",
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{2, 3, 5, 4}}},
                          {.inputs = {{1, 1, 1, 1}}},
                          {.inputs = {{3, 5, 1, 2}}}}});
}

} // namespace weft::ops
