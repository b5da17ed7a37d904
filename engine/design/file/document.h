// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts a design to the JSON of its file and back. What the writer writes, the reader reads into
// an equal design. What the reader does not understand, the writer puts back in its place.

#include "base/text/json.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class Problems;

[[nodiscard]] Json toJson(const Design& design);
/// Reads a document of the current version; older documents must be migrated before.
[[nodiscard]] Design designFromJson(const Json& document, const std::vector<LayerKindInfo>& kinds,
                                    Problems& problems);

/// Returns the JSON for "assign": "data", ["data", "model.stack"] or {"on": ..., "mesh": ...,
/// "axes": ...}.
[[nodiscard]] Json toJson(const Assignment& assignment);
/// Reports each wrong word or type, and then returns none.
[[nodiscard]] std::optional<Assignment> assignmentFromJson(const Json& value, Problems& problems);
/// Returns none for values that no attribute can have: null, objects, lists of anything but
/// numbers.
[[nodiscard]] std::optional<AttributeValue> attributeFromJson(const Json& value);
[[nodiscard]] Json toJson(const AttributeValue& value);

/// Parses text from a command line: JSON if it is valid JSON, else a string.
[[nodiscard]] Json jsonFromArgument(const std::string& text);

/// The ends of a wire by name.
struct NamedWire {
    std::string from;
    std::string to;
};
/// Splits "conv1.y -> relu1.x"; none without an arrow.
[[nodiscard]] std::optional<NamedWire> splitWire(std::string_view text);
/// Returns "conv1.y".
[[nodiscard]] std::string toString(const Network& network, const Endpoint& endpoint);
/// Returns "conv1.y -> relu1.x".
[[nodiscard]] std::string toString(const Network& network, const Wire& wire);

} // namespace weft
