// SPDX-License-Identifier: Apache-2.0
// [batch, time, (heads features)] <-> [batch, heads, time, features].
#include "graph/builder.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void inferApart(ShapeInference& inference) {
    const std::int64_t heads = inference.attributes().integer("heads");
    const Shape& x = inference.shape(0);
    if (x.size() != 3) {
        inference.refuse(
            fmt::format("input is {}; attention expects [batch, time, features]", toString(x)));
    } else if (x[2] % heads != 0) {
        inference.refuse(fmt::format("{} features do not divide into {} heads", x[2], heads));
    } else {
        inference.output(0).shape = {x[0], heads, x[1], x[2] / heads};
    }
}

void inferTogether(ShapeInference& inference) {
    const Shape& x = inference.shape(0);
    if (x.size() != 4) {
        inference.refuse(fmt::format(
            "input is {}; heads_together expects [batch, heads, time, features]", toString(x)));
    } else {
        inference.output(0).shape = {x[0], x[2], x[1] * x[3]};
    }
}

} // namespace

void heads(OpList& list) {
    list.add({.name = "heads_apart",
              .help = "Splits the features of each time step into heads, a dim before time.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = {{.name = "heads",
                              .defaultValue = std::int64_t{1},
                              .help = "Number of heads.",
                              .least = 1,
                              .required = true}},
              .shape = inferApart,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.add("heads_together", {gradient.dy()}));
                  },
              .placement = "b t (h d) -> b h t d",
              .letterSizes =
                  [](const Signature& signature) {
                      return std::map<std::string, std::int64_t>{
                          {"h", signature.attributes.integer("heads")}};
                  },
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{2, 5, 12}}, .attributes = {{"heads", std::int64_t{3}}}},
                          {.inputs = {{1, 1, 1}}},
                          {.inputs = {{3, 4, 7}}},
                          {.inputs = {{3, 1, 10}}, .attributes = {{"heads", std::int64_t{5}}}}}});
    list.add({.name = "heads_together",
              .help = "Joins the features of all heads, the reverse of heads_apart.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = inferTogether,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.add("heads_apart", {gradient.dy()},
                                                   {{"heads", gradient.inputShape(0)[1]}}));
                  },
              .placement = "b h t d -> b t (h d)",
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{2, 3, 5, 4}}},
                          {.inputs = {{1, 1, 1, 1}}},
                          {.inputs = {{3, 5, 1, 2}}}}});
}

} // namespace weft::ops
