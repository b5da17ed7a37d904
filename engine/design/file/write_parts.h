// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writers for the parts of a design file, which write_design.cpp combines.

#include "design/file/document.h"
#include "design/file/section.h"

#include <map>
#include <set>
#include <string>

namespace weft {

/// Writes whole numbers without a fraction.
[[nodiscard]] Json numberJson(double value);
[[nodiscard]] Json pointJson(Point point);
/// Parses the text of `unknown`; returns an empty object if it cannot be read.
[[nodiscard]] Json unknownOf(const std::string& text);
[[nodiscard]] bool hasObject(const Json& unknown, std::string_view key);
/// Puts unknown members back, also inside objects that both have. Members that this version wrote
/// have priority.
void addUnknown(Json& made, const Json& unknown);

/// Writes an assignment, in the long form if `unknown` of the layer has members for it.
[[nodiscard]] Json assignmentJson(const Assignment& assignment, const Json& unknown);
/// Writes values, with expressions beside theirs. `unknown` is what was not understood among them.
[[nodiscard]] Json attributesJson(const Attributes& attributes,
                                  const std::map<std::string, std::string>& expressions,
                                  const Json& unknown);
[[nodiscard]] Json dataJson(const DataSettings& data);
[[nodiscard]] Json trainingJson(const TrainingSettings& training);
[[nodiscard]] Json deviceJson(const DeviceDeclaration& device);

[[nodiscard]] Json layerJson(const Layer& layer);
/// Writes frames with the names that their layers have in `network`.
[[nodiscard]] Json framesJson(const Network& network, const std::vector<Frame>& frames);
[[nodiscard]] Json commentsJson(const std::vector<Comment>& comments);
/// Writes a group's own fields without its layers, wires, frames and comments.
[[nodiscard]] Json groupHeadJson(const GroupDefinition& group);

} // namespace weft
