// SPDX-License-Identifier: Apache-2.0
#pragma once
// Readers for the parts of a design file, which read_design.cpp combines.

#include "design/file/document.h"
#include "design/file/section.h"

#include <map>
#include <string>
#include <unordered_map>

namespace weft {

[[nodiscard]] std::optional<Point> readPoint(Section& section, std::string_view key);
void readPoints(Section& section, std::string_view key, std::vector<Point>& to);
/// Reads the attributes below `key`. With `expressions` also reads these, and evaluates those
/// without a value with the given `parameters`.
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
/// Reads layers, wires, frames and comments. `prefix` precedes layer names in messages ("block/").
void readNetwork(Section& section, const std::string& prefix, const Attributes& parameters,
                 Network& to);
void readPorts(Section& section, std::string_view key, const Network& network,
               std::vector<GroupPort>& to);
/// Returns the list below `key` and marks it as read; nullptr if it is missing or not a list.
[[nodiscard]] const Json* readList(Section& section, std::string_view key);
/// Returns the text of a field, or an empty string if it is missing or not a text.
[[nodiscard]] std::string textOf(const Json& entry, std::string_view key);
/// Returns the value for messages, shortened if it is long.
[[nodiscard]] std::string textForMessage(const Json& value);
using LayerIds = std::unordered_map<std::string_view, LayerId>;
/// Valid as long as the network does not change.
[[nodiscard]] LayerIds idsByName(const Network& network);
/// Reports an entry that cannot be read: E102.
void reportEntry(Section& section, std::string text, std::string remedy);

} // namespace weft
