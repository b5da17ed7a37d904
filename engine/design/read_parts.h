// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a design file, each read alone: what read_design.cpp puts together.

#include "design/document.h"
#include "design/section.h"

#include <map>
#include <string>
#include <unordered_map>

namespace weft {

[[nodiscard]] std::optional<Point> readPoint(Section& section, std::string_view key);
void readPoints(Section& section, std::string_view key, std::vector<Point>& to);
/// Attributes below `key`; expressions too where the place takes them, evaluated with `parameters`
/// in scope when no value stands beside them.
void readAttributes(Section& section, std::string_view key, Attributes& attributes,
                    std::map<std::string, std::string>* expressions = nullptr,
                    const Attributes& parameters = {});
void readAssignment(Section& section, std::optional<Assignment>& to);
void readData(Section& design, DataSettings& to);
void readTraining(Section& design, TrainingSettings& to);
void readDevices(Section& design, std::vector<DeviceDeclaration>& to);
void readLayers(Section& section, const std::string& prefix, const Attributes& parameters,
                Network& to);
void readWires(Section& section, Network& to);
/// Layers, wires, frames and comments. `prefix` stands before layer names in messages ("block/").
void readNetwork(Section& section, const std::string& prefix, const Attributes& parameters,
                 Network& to);
void readPorts(Section& section, std::string_view key, const Network& network,
               std::vector<GroupPort>& to);
/// The list below `key`, counted as taken; nothing where there is none or it is no list.
[[nodiscard]] const Json* readList(Section& section, std::string_view key);
/// The text of a field; empty where there is none or it is no text.
[[nodiscard]] std::string textOf(const Json& entry, std::string_view key);
/// For messages: cut where it is long.
[[nodiscard]] std::string shown(const Json& value);
using LayerIds = std::unordered_map<std::string_view, LayerId>;
/// Holds while the network does not change.
[[nodiscard]] LayerIds idsByName(const Network& network);
/// E102: an entry that cannot be read.
void reportEntry(Section& section, std::string text, std::string remedy);

} // namespace weft
