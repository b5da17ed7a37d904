// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small designs that can be trained, made of drawn numbers: whatever the numbers, the design is
// valid, and fewer or smaller ones make a smaller design, so that a property test can shrink a
// failure. Several inputs and losses, every layer kind, shared and frozen weights, groups; spread
// by assignments that the preview calls legal. Free of Qt.

#include "compile/registry.h"
#include <weft/design.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::test {

/// Random choices for one layer: source, kind, sizes and attributes, devices, words.
using LayerDraw = std::array<std::uint8_t, 8>;

struct TrainingDraws {
    std::array<std::uint8_t, 8> settings{}; ///< batch, inputs, optimizer, devices ...
    std::vector<LayerDraw> layers;
    std::vector<std::uint8_t> wires; ///< schemes
};

struct RandomTraining {
    Design design;
    std::map<std::string, std::int64_t> below; ///< integer inputs: classes, ids
    std::int64_t shortBatch = 0;
    bool isDouble = true; ///< numbers are f64 throughout
};

/// Layers, wires, data and training settings; nothing is assigned yet.
[[nodiscard]] RandomTraining makeTraining(const TrainingDraws& draws, const Registry& registry);

/// Devices and meshes for some layers, without words.
void chooseDevices(RandomTraining& training, const TrainingDraws& draws);

/// For every layer that can be assigned (by id at the top level) the words it is legal to say.
using Legal = std::map<LayerId, std::vector<AxisWord>>;

/// Words for the layers that have devices of their own and for the design, of those that are legal.
void chooseWords(RandomTraining& training, const TrainingDraws& draws, const Legal& legal);

} // namespace weft::test
