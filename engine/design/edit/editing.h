// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers that the edits share.

#include <weft/edits.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns a refusal with code E201.
[[nodiscard]] Edited refused(std::string text, std::string remedy, const Layer* layer = nullptr);
[[nodiscard]] bool isFinite(Point point);
/// True if all numbers of the value are finite.
[[nodiscard]] bool hasFiniteNumbers(const AttributeValue& value);
[[nodiscard]] Edited notFinite(); ///< refusal of NaN and infinity
[[nodiscard]] Edited done(std::vector<LayerId> layers = {}, std::string name = {});

[[nodiscard]] Layer* layerIn(Network& network, LayerId id); ///< nullptr: none
/// Returns nullptr for the top level.
[[nodiscard]] GroupDefinition* definitionAt(Design& design, const NetworkPath& path);
[[nodiscard]] const GroupDefinition* definitionAt(const Design& design, const NetworkPath& path);
[[nodiscard]] GroupDefinition* definitionNamed(Design& design, std::string_view name);
/// Returns the parameters that expressions in that network can use.
[[nodiscard]] const Attributes& parametersAt(const Design& design, const NetworkPath& path);

/// Returns a refusal if one of the layers does not exist.
[[nodiscard]] std::optional<Edited> missingLayer(const Network& network,
                                                 const std::vector<LayerId>& layers);

/// The attribute that names the layer whose weights are shared.
inline constexpr std::string_view shareAttribute = "share";
/// Updates references to a renamed layer: shared weights and data feeds.
void followRename(Design& design, const NetworkPath& path, const std::string& before,
                  const std::string& now);

/// Replaces the word in all assignments, including the design's own.
[[nodiscard]] Edited replaceWord(Design& design, AxisWord from, AxisWord to);
/// Removes the wire or group input that feeds the port.
void removeFeed(Design& design, const NetworkPath& path, const Endpoint& to);
/// Returns all networks, the top level first.
[[nodiscard]] std::vector<NetworkPath> allNetworks(const Design& design);
/// True if the definition is `inner` or contains instances of it at any depth.
[[nodiscard]] bool holds(const Design& design, const std::string& group, const std::string& inner);

/// A layer with the path through instances to its network, from a name in a diagnostic:
/// "block[2]/fc".
struct FoundLayer {
    NetworkPath path;
    LayerId layer;
};
[[nodiscard]] std::optional<FoundLayer> findByName(const Design& design, std::string_view name);

} // namespace weft
