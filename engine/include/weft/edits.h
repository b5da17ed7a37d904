// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits as plain functions on the document; a window only adds undo. An edit is applied whole or
// refused with a reason, leaving the design unchanged; afterwards the design satisfies `verify`. A
// path to a missing network is a bug. Groups, copies and pasting are in group_edits.h.

#include <weft/catalogue.h>
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The network that an edit works on: the top level or a group definition.
struct NetworkPath {
    std::string group = {}; ///< empty: the top level
    bool operator==(const NetworkPath&) const = default;
};
[[nodiscard]] bool hasNetwork(const Design& design, const NetworkPath& path);
[[nodiscard]] Network& networkAt(Design& design, const NetworkPath& path);
[[nodiscard]] const Network& networkAt(const Design& design, const NetworkPath& path);

/// The result of an edit, or why it was refused.
struct Edited {
    std::vector<LayerId> layers = {};       ///< layers created or changed, for a window to select
    std::string name = {};                  ///< the name given, if names are made unique
    std::optional<Diagnostic> refusal = {}; ///< why nothing changed; none: the edit is done

    [[nodiscard]] bool isDone() const { return !refusal.has_value(); }
    [[nodiscard]] LayerId layer() const { return layers.empty() ? LayerId{} : layers.front(); }
};

// Layers.
/// Adds the layer with a new id and a unique name: its own, or its kind with a number.
Edited addLayer(Design& design, const NetworkPath& path, Layer layer);
/// Removes layers, their wires, and their entries in frames, group ports and data feeds.
Edited removeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers);
/// Removes layers and connects what fed their first input to what they fed.
Edited dissolve(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                const std::vector<LayerKindInfo>& kinds = {});
/// Renames the layer and updates data feeds and shared weights that name it.
Edited renameLayer(Design& design, const NetworkPath& path, LayerId id, std::string_view name);
Edited setKind(Design& design, const NetworkPath& path, LayerId id, std::string kind);
Edited setMuted(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                bool muted);
Edited setBypassed(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   bool bypassed);
Edited setPinned(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 bool pinned);
Edited setNote(Design& design, const NetworkPath& path, LayerId id, std::string note);
/// nullopt: the default of the group or the design.
Edited assign(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
              const std::optional<Assignment>& assignment);

// Attributes.
Edited setAttribute(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                    AttributeValue value);
/// Sets an expression as typed: "4*256". Refused if the parameters of the group cannot evaluate it.
Edited setExpression(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                     std::string expression);
/// Resets the attribute to the default of the layer's kind.
Edited resetAttribute(Design& design, const NetworkPath& path, LayerId layer,
                      std::string_view name);

// Wires.
/// Connects two ports and removes the wire that fed the input before.
Edited connect(Design& design, const NetworkPath& path, Endpoint from, Endpoint to);
Edited disconnect(Design& design, const NetworkPath& path, const Endpoint& from,
                  const Endpoint& to);
Edited setScheme(Design& design, const NetworkPath& path, const Endpoint& to, std::string scheme);
/// Sets the points through which the wire to this port is drawn.
Edited setVia(Design& design, const NetworkPath& path, const Endpoint& to, std::vector<Point> via);
/// Inserts a layer between `to` and its source; empty port names: the first ports of its kind.
Edited insertBefore(Design& design, const NetworkPath& path, const Endpoint& to, Layer layer,
                    const std::vector<LayerKindInfo>& kinds = {}, const std::string& inputPort = {},
                    const std::string& outputPort = {});
Edited insertOnWire(Design& design, const NetworkPath& path, const Wire& wire, Layer layer,
                    const std::vector<LayerKindInfo>& kinds = {}, const std::string& inputPort = {},
                    const std::string& outputPort = {});

// Positions.
enum class Alignment : std::uint8_t { left, centre, right, top, middle, bottom };
/// Moves layers and the wires between them. Also moves pinned layers; the caller leaves them out.
Edited moveLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                  Point by);
/// Sets one position per layer.
Edited placeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   const std::vector<Point>& positions);
/// Aligns layers to the outermost layer or the centre. Pinned layers stay, here and in the
/// functions below.
Edited alignLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                   Alignment alignment);
/// Spaces the layers evenly between the outermost two, along a row or down a column.
Edited distributeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& ids,
                        bool alongRow);

// Frames and comments, by their index in the list.
Edited addFrame(Design& design, const NetworkPath& path, Frame frame);
Edited setFrame(Design& design, const NetworkPath& path, std::size_t index, Frame frame);
Edited removeFrame(Design& design, const NetworkPath& path, std::size_t index);
/// Moves the frame and all layers in it.
Edited moveFrame(Design& design, const NetworkPath& path, std::size_t index, Point by);
Edited addComment(Design& design, const NetworkPath& path, Comment comment);
Edited setComment(Design& design, const NetworkPath& path, std::size_t index, Comment comment);
Edited removeComment(Design& design, const NetworkPath& path, std::size_t index);

// Devices.
Edited declareDevice(Design& design, DeviceDeclaration device);
/// Renames the device and updates assignments that name it.
Edited renameDevice(Design& design, const std::string& name, const std::string& newName);
/// Refused while an assignment names the device.
Edited removeDevice(Design& design, const std::string& name);

/// Applies all edits of a fix or none. The verbs and their arguments: set LAYER ATTRIBUTE VALUE,
/// reset LAYER ATTRIBUTE, rename_attribute LAYER FROM TO, kind LAYER KIND, group LAYER GROUP,
/// repeat LAYER COUNT, rename LAYER NAME, remove LAYER, dissolve LAYER, mute LAYER, bypass LAYER,
/// assign LAYER ASSIGNMENT, insert KIND WIRE, connect WIRE, disconnect WIRE, rename_port ENDPOINT
/// input|output PORT, scheme ENDPOINT SCHEME, word FROM TO, declare DEVICE, rename_feed FROM TO,
/// training KEY VALUE, data KEY VALUE (null: the default). Layers are named as in diagnostics
/// ("block[2]/fc" edits the group's definition), values and assignments as in the file.
Edited applyFix(Design& design, const Fix& fix, const std::vector<LayerKindInfo>& kinds = {});

/// Applies one setting as typed on a command line: "training.learning_rate" "0.1", "data.batch"
/// "64", "training.optimizer.with.momentum" "0.8", "block/fc.units" "10". Values are as in the
/// file; text that is not JSON is a string.
Edited applySetting(Design& design, std::string_view key, std::string_view value);

} // namespace weft
