// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits of a design's data: its source, the source's attributes, and which field feeds which input
// layer. As in edits.h, an edit is applied whole or refused.

#include <weft/edits.h>
#include <weft/samples.h>
#include <weft/settings.h>

namespace weft {

/// Changes the source and keeps the attributes that both sources declare alike. Feeds are kept and
/// are checked against the new source's fields later. `sources`: kinds of the setting data.source.
Edited setSource(Design& design, const std::string& source,
                 const std::vector<SettingKind>& sources);
Edited setSourceAttribute(Design& design, const std::string& name, AttributeValue value);
/// Sets all of these, or none.
Edited setSourceAttributes(Design& design, const Attributes& attributes);
/// Resets the attribute to the source's default.
Edited resetSourceAttribute(Design& design, std::string_view name);

/// True if the kind is a network input: it has a shape and takes no wire.
[[nodiscard]] bool isInput(const LayerKindInfo& kind);
/// Feeds a top-level input layer from a field; the layer takes the field's shape and element type.
Edited feedInput(Design& design, LayerId input, const SampleField& field,
                 const std::vector<LayerKindInfo>& kinds);
/// Adds an input layer for the field and feeds it; the layer gets the field's name if that is free.
Edited addInputFor(Design& design, const SampleField& field,
                   const std::vector<LayerKindInfo>& kinds);
enum class FeedFit : std::uint8_t {
    fits,     ///< shape and element type match
    converts, ///< the element count matches; shape or type are converted
    wrong,    ///< incompatible: a run would refuse the field
    missing   ///< no field feeds the input
};

/// An input layer and the field that feeds it, by the same rule as in a run.
struct InputFeed {
    LayerId layer;
    std::string input;    ///< the layer's name
    Shape shape;          ///< shape of one example, as the layer takes it
    std::string dtype;    ///< element type that the layer takes: "f32"
    std::string field;    ///< field of the source; if it is missing, the name given in the design
    bool isNamed = false; ///< true: named in the design; else matched by name or position
    FeedFit fit = FeedFit::missing;
    std::string meant = {}; ///< the field that would fit, if `fit` is missing
    bool operator==(const InputFeed&) const = default;
};
/// Returns the inputs of the top level in file order, without muted layers.
[[nodiscard]] std::vector<InputFeed> inputFeeds(const Design& design, const SampleSource& source,
                                                const std::vector<LayerKindInfo>& kinds);

} // namespace weft
