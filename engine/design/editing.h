// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the edits have in common.

#include <weft/edits.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// E201: the edit is not done.
[[nodiscard]] Edited refused(std::string text, std::string remedy, const Layer* layer = nullptr);
[[nodiscard]] bool isFinite(Point point);
/// Where it is a number, or several.
[[nodiscard]] bool hasFiniteNumbers(const AttributeValue& value);
[[nodiscard]] Edited notFinite();
[[nodiscard]] Edited done(std::vector<LayerId> layers = {}, std::string name = {});

[[nodiscard]] Layer* layerIn(Network& network, LayerId id);
/// nullptr at the top level.
[[nodiscard]] GroupDefinition* definitionAt(Design& design, const NetworkPath& path);
[[nodiscard]] const GroupDefinition* definitionAt(const Design& design, const NetworkPath& path);
[[nodiscard]] GroupDefinition* definitionNamed(Design& design, std::string_view name);
/// Parameters in scope of expressions there.
[[nodiscard]] const Attributes& parametersAt(const Design& design, const NetworkPath& path);

/// A refusal where one of the layers is not there.
[[nodiscard]] std::optional<Edited> missingLayer(const Network& network,
                                                 const std::vector<LayerId>& layers);

/// The layer whose weights a layer takes.
inline constexpr std::string_view shareAttribute = "share";
/// A layer there has another name: what shares its weights and what feeds it name it so.
void followRename(Design& design, const NetworkPath& path, const std::string& before,
                  const std::string& now);

/// In all assignments of the design, its own too.
[[nodiscard]] Edited replaceWord(Design& design, AxisWord from, AxisWord to);
/// What feeds the port, wire or group input, does so no more.
void unfeed(Design& design, const NetworkPath& path, const Endpoint& to);
/// All networks, the top level first.
[[nodiscard]] std::vector<NetworkPath> allNetworks(const Design& design);
/// Does the definition contain instances of `inner`, at any depth, or is it that one?
[[nodiscard]] bool holds(const Design& design, const std::string& group, const std::string& inner);

/// The way through instances that a name of a diagnostic tells: "block[2]/fc".
struct FoundLayer {
    NetworkPath path;
    LayerId layer;
};
[[nodiscard]] std::optional<FoundLayer> findByName(const Design& design, std::string_view name);

} // namespace weft
