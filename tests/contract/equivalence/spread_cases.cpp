// SPDX-License-Identifier: Apache-2.0
#include "contract/equivalence/spread_cases.h"

namespace weft::test {

std::vector<SpreadCase> spreadCases(std::size_t devices) {
    std::vector<SpreadCase> cases;
    for (const AxisWord word :
         {AxisWord::data, AxisWord::batch, AxisWord::modelStack, AxisWord::modelAdd,
          AxisWord::spaceRows, AxisWord::spaceColumns, AxisWord::replicate}) {
        cases.push_back(
            {std::string(nameOf(word)), {.devices = {}, .mesh = {}, .words = {word}}, devices});
    }
    if (devices == 4) {
        for (const AxisWord word : {AxisWord::modelStack, AxisWord::modelAdd, AxisWord::data}) {
            cases.push_back({"data, " + std::string(nameOf(word)) + " on 2x2",
                             {.devices = {}, .mesh = {2, 2}, .words = {AxisWord::data, word}},
                             devices});
        }
        // For layers that refuse data because their batch elements are networks of their own.
        cases.push_back(
            {"batch, model.stack on 2x2",
             {.devices = {}, .mesh = {2, 2}, .words = {AxisWord::batch, AxisWord::modelStack}},
             devices});
    }
    return cases;
}

} // namespace weft::test
