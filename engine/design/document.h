// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design as the JSON of its file, and back. Both ways agree: what one writes, the other reads
// into an equal design; what the reader cannot place, the writer puts back where it was found.

#include "base/json.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

class Problems;

[[nodiscard]] Json toJson(const Design& design);
/// Reads a document of the current version; older ones have been migrated before.
[[nodiscard]] Design designFromJson(const Json& document, const std::vector<LayerKindInfo>& kinds,
                                    Problems& problems);

/// As after "assign": "data", ["data", "model.stack"] or {"on": ..., "mesh": ..., "axes": ...}.
[[nodiscard]] Json toJson(const Assignment& assignment);
/// Nothing where a word or type is wrong; each is reported.
[[nodiscard]] std::optional<Assignment> assignmentFromJson(const Json& value, Problems& problems);
/// Nothing where the value is no attribute's: null, objects, lists of anything but numbers.
[[nodiscard]] std::optional<AttributeValue> attributeFromJson(const Json& value);
[[nodiscard]] Json toJson(const AttributeValue& value);

/// JSON where the text is JSON, else the text as it stands: what is typed on a command line.
[[nodiscard]] Json valueTyped(const std::string& text);

/// The ends of a wire by name.
struct NamedWire {
    std::string from;
    std::string to;
};
/// "conv1.y -> relu1.x" in two; nothing where there is no arrow.
[[nodiscard]] std::optional<NamedWire> splitWire(std::string_view text);
/// "conv1.y"
[[nodiscard]] std::string toString(const Network& network, const Endpoint& endpoint);
/// "conv1.y -> relu1.x"
[[nodiscard]] std::string toString(const Network& network, const Wire& wire);

} // namespace weft
