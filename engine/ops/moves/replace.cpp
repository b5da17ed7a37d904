// SPDX-License-Identifier: Apache-2.0
// replace: y = x, stored in the buffer of `old`: assigns the result of another op to a slot
#include "ops/elementwise.h"

namespace weft::ops {

void replace(OpList& list) {
    list.add({.name = "replace",
              .help = "y = x, stored in the memory of the value that it replaces.",
              .inputs = {{"old"}, {"x"}},
              .outputs = {"y"},
              .shape = allEqual,
              .placement = "... + ... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(2),
              .undeclaredRows = {
                  "P, R -> R: the slot has the placement of the value that is written to it",
                  "R, P -> P: the slot has the placement of the value that is written to it"}});
}

} // namespace weft::ops
