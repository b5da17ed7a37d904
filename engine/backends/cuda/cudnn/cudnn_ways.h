// SPDX-License-Identifier: Apache-2.0
#pragma once
// Engine configurations of cuDNN for a graph (only included by cudnn_plans.cpp): an engine with a
// value for each of its knobs.

#include "backends/cuda/cudnn/cudnn_library.h"
#include "device/kernel.h"

#include <optional>
#include <string>
#include <vector>

namespace weft::cuda::cudnn {

/// Returns the configurations from one mode of the library's heuristics, fastest first by its
/// estimate; empty if it offers none or does not support the mode.
[[nodiscard]] std::vector<Descriptor>
engineConfigsFor(const Descriptor& graph, const Descriptor& chip, cudnnBackendHeurMode_t mode);

/// "engine 28, 2=1 3=5": the engine's number, and each knob's number and value.
[[nodiscard]] std::string engineConfigName(const Descriptor& way);

/// A configuration with the descriptors that it refers to, which must live as long.
struct NamedEngineConfig {
    std::vector<Descriptor> parts; ///< descriptors that `way` refers to
    Descriptor way;                ///< the engine configuration
};
/// Returns the configuration of that name, whether the heuristics offer it or not. Knobs that the
/// name omits have default values. Returns nothing if the library has no such engine or knob for
/// this graph.
[[nodiscard]] std::optional<NamedEngineConfig>
engineConfigNamed(const Descriptor& graph, const Descriptor& chip, const std::string& name);

/// True if the configuration is deterministic, rounds f32 only as the precision allows, and needs
/// no compilation at run time.
[[nodiscard]] bool isAllowed(const Descriptor& way, Precision precision);
[[nodiscard]] bool usesTensorCores(const Descriptor& way);
/// The library's number of the engine.
[[nodiscard]] int engineNumber(const Descriptor& way);
/// True for engine 0, which supports every convolution, slowly.
[[nodiscard]] bool isFallbackEngine(const Descriptor& way);

} // namespace weft::cuda::cudnn
