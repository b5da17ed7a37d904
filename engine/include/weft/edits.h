// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits as plain functions on the document; a window adds undo around them and nothing else. An
// edit either does all of what its name says or refuses with a reason and leaves the design
// untouched; after it the design keeps the promises of `verify`. Asking for a network that is not
// there is a bug. Groups, copies and pasting are in group_edits.h.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Where an edit works: the top level, or the inside of a group definition.
struct NetworkPath {
    std::string group = {}; ///< empty: the top level
    bool operator==(const NetworkPath&) const = default;
};
[[nodiscard]] bool hasNetwork(const Design& design, const NetworkPath& path);
[[nodiscard]] Network& networkAt(Design& design, const NetworkPath& path);
[[nodiscard]] const Network& networkAt(const Design& design, const NetworkPath& path);

/// What an edit made, or why it did nothing.
struct Edited {
    std::vector<LayerId> layers = {}; ///< made or changed: what a window selects now
    std::string name = {};            ///< the name that was given where names are made unique
    std::optional<Diagnostic> refusal = {};

    [[nodiscard]] bool isDone() const { return !refusal.has_value(); }
    [[nodiscard]] LayerId layer() const { return layers.empty() ? LayerId{} : layers.front(); }
};

// Layers.
/// With an id of its own and a unique name: its own, or one made of its kind by counting.
Edited addLayer(Design& design, const NetworkPath& path, Layer layer);
/// With their wires, and what names them: frames, group ports, data feeds.
Edited removeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers);
/// Removes them and wires what fed their first input to what they fed.
Edited dissolve(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                const std::vector<LayerKindInfo>& kinds = {});
/// Data feeds and shared weights that name the layer follow.
Edited renameLayer(Design& design, const NetworkPath& path, LayerId id, std::string_view name);
Edited setKind(Design& design, const NetworkPath& path, LayerId id, std::string kind);
Edited setMuted(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                bool muted);
Edited setBypassed(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   bool bypassed);
Edited setPinned(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 bool pinned);
Edited setNote(Design& design, const NetworkPath& path, LayerId id, std::string note);
/// nullopt: the group's or the design's default.
Edited assign(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
              const std::optional<Assignment>& assignment);

// Attributes.
Edited setAttribute(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                    AttributeValue value);
/// As typed: "4*256". Refused where it cannot be evaluated with the parameters of its group.
Edited setExpression(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                     std::string expression);
/// Back to the default of its kind.
Edited resetAttribute(Design& design, const NetworkPath& path, LayerId layer,
                      std::string_view name);

// Wires.
/// What fed the input before is taken off it.
Edited connect(Design& design, const NetworkPath& path, Endpoint from, Endpoint to);
Edited disconnect(Design& design, const NetworkPath& path, const Endpoint& from,
                  const Endpoint& to);
Edited setScheme(Design& design, const NetworkPath& path, const Endpoint& to, std::string scheme);
/// The points that the line of the wire that ends there is led through.
Edited setVia(Design& design, const NetworkPath& path, const Endpoint& to, std::vector<Point> via);
/// The new layer stands between what fed `to` and `to`; ports empty: the first of its kind.
Edited insertBefore(Design& design, const NetworkPath& path, const Endpoint& to, Layer layer,
                    const std::vector<LayerKindInfo>& kinds = {}, const std::string& inputPort = {},
                    const std::string& outputPort = {});
Edited insertOnWire(Design& design, const NetworkPath& path, const Wire& wire, Layer layer,
                    const std::vector<LayerKindInfo>& kinds = {}, const std::string& inputPort = {},
                    const std::string& outputPort = {});

// Positions.
enum class Alignment : std::uint8_t { left, centre, right, top, middle, bottom };
/// A wire between two of them moves along; pinned ones move too: a hand leaves them out itself.
Edited moveLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                  Point by);
/// One position per layer.
Edited placeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   const std::vector<Point>& positions);
/// To the outermost of them, or to their middle. Pinned ones stay, here as in the two below.
Edited alignLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                   Alignment alignment);
/// Equal distances between the outermost two, along a row or down a column.
Edited distributeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                        bool alongRow);

// Frames and comments, by their place in the list.
Edited addFrame(Design& design, const NetworkPath& path, Frame frame);
Edited setFrame(Design& design, const NetworkPath& path, std::size_t index, Frame frame);
Edited removeFrame(Design& design, const NetworkPath& path, std::size_t index);
/// The frame and all layers in it.
Edited moveFrame(Design& design, const NetworkPath& path, std::size_t index, Point by);
Edited addComment(Design& design, const NetworkPath& path, Comment comment);
Edited setComment(Design& design, const NetworkPath& path, std::size_t index, Comment comment);
Edited removeComment(Design& design, const NetworkPath& path, std::size_t index);

// Devices.
Edited declareDevice(Design& design, DeviceDeclaration device);
/// Assignments that name it follow.
Edited renameDevice(Design& design, const std::string& name, const std::string& newName);
/// Refused while an assignment names it.
Edited removeDevice(Design& design, const std::string& name);

/// All edits of a fix or none. The verbs and what follows them: set LAYER ATTRIBUTE VALUE, reset
/// LAYER ATTRIBUTE, rename_attribute LAYER FROM TO, kind LAYER KIND, group LAYER GROUP, repeat
/// LAYER COUNT, rename LAYER NAME, remove LAYER, dissolve LAYER, mute LAYER, bypass LAYER, assign
/// LAYER ASSIGNMENT, insert KIND WIRE, connect WIRE, disconnect WIRE, rename_port ENDPOINT
/// input|output PORT, scheme ENDPOINT SCHEME, word FROM TO, declare DEVICE, rename_feed FROM TO,
/// training KEY VALUE, data KEY VALUE (null: back to the default). Layers are named as in
/// diagnostics ("block[2]/fc": the edit is made in the group's definition), values and assignments
/// as in the file.
Edited applyFix(Design& design, const Fix& fix, const std::vector<LayerKindInfo>& kinds = {});

/// One setting as typed on a command line: "training.learning_rate" "0.1", "data.batch" "64",
/// "training.optimizer.with.momentum" "0.8", "block/fc.units" "10". Values as in the file; what is
/// no JSON is a text.
Edited applySetting(Design& design, std::string_view key, std::string_view value);

} // namespace weft
