// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a design file, each made alone: what write_design.cpp puts together.

#include "design/document.h"
#include "design/section.h"

#include <map>
#include <set>
#include <string>

namespace weft {

/// Whole numbers without a fraction.
[[nodiscard]] Json numberJson(double value);
[[nodiscard]] Json pointJson(Point point);
/// The object that `unknown` holds as text; an empty one where it holds nothing that can be read.
[[nodiscard]] Json unknownOf(const std::string& text);
[[nodiscard]] bool hasObject(const Json& unknown, std::string_view key);
/// Puts back what is unknown: members that are missing, also inside objects that both have. What
/// this version wrote stands.
void addUnknown(Json& made, const Json& unknown);

/// `unknown` of the layer decides where the long form is needed.
[[nodiscard]] Json assignmentJson(const Assignment& assignment, const Json& unknown);
/// Values, and expressions beside theirs. `unknown` is what was not understood among them.
[[nodiscard]] Json attributesJson(const Attributes& attributes,
                                  const std::map<std::string, std::string>& expressions,
                                  const Json& unknown);
[[nodiscard]] Json dataJson(const DataSettings& data);
[[nodiscard]] Json trainingJson(const TrainingSettings& training);
[[nodiscard]] Json deviceJson(const DeviceDeclaration& device);

[[nodiscard]] Json layerJson(const Layer& layer);
/// Frames with the names that their layers have in `network`.
[[nodiscard]] Json framesJson(const Network& network, const std::vector<Frame>& frames);
[[nodiscard]] Json commentsJson(const std::vector<Comment>& comments);
/// A group's own fields without its layers, wires, frames and comments.
[[nodiscard]] Json groupHeadJson(const GroupDefinition& group);

} // namespace weft
