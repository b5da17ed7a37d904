// SPDX-License-Identifier: Apache-2.0
#pragma once
// The data of a design, edited: its source, the source's attributes, and which field feeds which
// input layer. As in edits.h an edit does all of what its name says or refuses.

#include <weft/edits.h>
#include <weft/samples.h>
#include <weft/settings.h>

namespace weft {

/// Attributes that both sources declare alike are kept. Feeds are kept too, and checked against the
/// fields of the new source later. `sources`: the kinds of the setting data.source.
Edited setSource(Design& design, const std::string& source,
                 const std::vector<SettingKind>& sources);
Edited setSourceAttribute(Design& design, const std::string& name, AttributeValue value);
/// Back to the default of the source.
Edited resetSourceAttribute(Design& design, std::string_view name);

/// What feeds a network from outside: it has a shape and takes no wire.
[[nodiscard]] bool isInput(const LayerKindInfo& kind);
/// The field feeds that input layer of the top level, which takes its shape and element type.
Edited feedInput(Design& design, LayerId input, const SampleField& field,
                 const std::vector<LayerKindInfo>& kinds);
/// The same of a new input layer, called as the field where that name is free.
Edited addInputFor(Design& design, const SampleField& field,
                   const std::vector<LayerKindInfo>& kinds);
enum class FeedFit : std::uint8_t {
    fits,     ///< in shape and element type
    converts, ///< the numbers are as many: they are read in another shape or type
    wrong,    ///< a run would refuse it
    missing   ///< no field feeds it
};

/// An input layer and what feeds it, by the rule that a run goes by.
struct InputFeed {
    LayerId layer;
    std::string input; ///< the layer's name
    Shape shape;       ///< of one example, as the layer takes it
    std::string dtype;
    std::string field;    ///< of the source; of a feed that is missing as the design names it
    bool isNamed = false; ///< by the design; else by the input's own name, or by its place
    FeedFit fit = FeedFit::missing;
    std::string meant = {}; ///< the field that would suit where one is missing
    bool operator==(const InputFeed&) const = default;
};
/// Returns the inputs of the top level in file order, without muted layers.
[[nodiscard]] std::vector<InputFeed> inputFeeds(const Design& design, const SampleSource& source,
                                                const std::vector<LayerKindInfo>& kinds);

} // namespace weft
