// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ways in which cuDNN computes a graph (cudnn_plans.cpp, the only one to read this): an engine,
// with a value for each of its knobs. The library calls them engine configurations.

#include "backends/cuda/cudnn_library.h"
#include "device/kernel.h"

#include <optional>
#include <string>
#include <vector>

namespace weft::cuda::cudnn {

/// The ways that one mode of the library's heuristics names, from fast to slow as it expects them.
/// Empty where the library knows none, or does not know the mode.
[[nodiscard]] std::vector<Descriptor> waysTo(const Descriptor& graph, const Descriptor& chip,
                                             cudnnBackendHeurMode_t mode);

/// "engine 28, 2=1 3=5": the engine's number, and the value of each knob by the knob's number.
[[nodiscard]] std::string nameOfWay(const Descriptor& way);

/// A way with the descriptors that it was set up from, which live as long as it does.
struct NamedWay {
    std::vector<Descriptor> parts;
    Descriptor way;
};
/// The way of that name, whether the heuristics name it or not. Knobs that the name leaves out have
/// the library's default. None: the library has no such engine or no such knob for this graph.
[[nodiscard]] std::optional<NamedWay> wayNamed(const Descriptor& graph, const Descriptor& chip,
                                               const std::string& name);

/// True if the way gives the same bits each time, multiplies f32 as it is unless the precision
/// allows less, and needs no compilation at run time.
[[nodiscard]] bool isAllowed(const Descriptor& way, Precision precision);
[[nodiscard]] bool usesTensorCores(const Descriptor& way);
/// The library's number of the engine.
[[nodiscard]] int engineNumber(const Descriptor& way);
/// True for engine 0, which computes every convolution, slowly.
[[nodiscard]] bool isOfLastResort(const Descriptor& way);

} // namespace weft::cuda::cudnn
