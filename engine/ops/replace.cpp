// SPDX-License-Identifier: Apache-2.0
// replace: y = x, written where `old` stands: how a slot takes up what another op has made
#include "ops/elementwise.h"

namespace weft::ops {

void replace(OpList& list) {
    list.add({.name = "replace",
              .inputs = {{"old"}, {"x"}},
              .outputs = {"y"},
              .shape = allEqual,
              .placement = "... + ... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(2),
              .undeclaredRows = {"P, R -> R: what is written over lies as what is written",
                                 "R, P -> P: what is written over lies as what is written"}});
}

} // namespace weft::ops
