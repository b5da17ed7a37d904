// SPDX-License-Identifier: Apache-2.0
// The next time step of each batch element, from its energy E and the previous energy P. Equal:
// step and cap stay. E > P, or one of them not above 0: step and cap restart. Else step =
// tau_factor P step / (P - E), but at most the cap; if the step reaches the cap, the cap grows.
// Rule of growth: basic: growth_factor; knee: slower beyond knee_threshold; log: ever slower.
// Nothing is clamped: steps may fall below base_minimum, and the cap may grow without limit.
#include "graph/step_rule.h"

#include "ops/elementwise.h"

namespace weft::ops {

void step_rule(OpList& list) {
    std::vector<AttributeSpec> attributes = stepRuleAttributes();
    attributes.push_back({.name = "rule",
                          .defaultValue = std::string("basic"),
                          .help = "How the cap of the step size grows.",
                          .choices = {"basic", "knee", "log"}});
    Op op{.name = "step_rule",
          .help =
              "The next time step of each batch element, from its energy and its previous energy.",
          .inputs = {{"energy"}, {"before"}, {"step"}, {"cap"}},
          .outputs = {"step_next", "cap_next"},
          .attributes = std::move(attributes),
          .shape = allEqual,
          .placement = "~..., ~..., ~..., ~... -> ..., ...",
          .cost = perElement(8),
          .inPlace = {{2, 0}, {3, 1}},
          .stopsGradient = true};
    for (const char* rule : {"basic", "knee", "log"}) {
        op.samples.push_back({.inputs = {{5}, {5}, {5}, {5}},
                              .attributes = {{"rule", std::string(rule)},
                                             {"base_minimum", 0.2},
                                             {"base_maximum", 0.4},
                                             {"tau_factor", 0.3},
                                             {"growth_factor", 0.2},
                                             {"knee_threshold", 0.5},
                                             {"knee_slope", 0.1}},
                              .positive = true});
    }
    op.samples.push_back({.inputs = {{1}, {1}, {1}, {1}}});
    list.add(std::move(op));
}

} // namespace weft::ops
