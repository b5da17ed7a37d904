// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layers of a graph with their meshes and assignments per axis: which nodes belong to a layer,
// which devices an assignment selects, and which assignments a layer supports. An unsupported
// assignment is reported, and that axis becomes `replicate`.

#include "place/place_tables.h"
#include "place/words.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft {

using LayerIndex = Id<struct LayerIndexTag>;

class LayerAssignments { ///< the mesh and the assignments of each layer
public:
    LayerAssignments(const Graph& graph, const PlacementRequest& request, PlaceTables& tables,
                     std::vector<Diagnostic>& problems);

    [[nodiscard]] LayerIndex indexOf(Origin origin);
    [[nodiscard]] MeshId allDevices() const { return allDevices_; }

    struct Layer {
        Origin origin;
        std::vector<NodeId> forward; ///< nodes that an assignment may split
        MeshId mesh;                 ///< none: not settled yet
        std::vector<AxisWord> words; ///< per mesh axis, valid once the mesh is settled
    };
    /// Returns the layer and settles its mesh and assignments on the first call. `first` is the
    /// mesh of the layer's first operand.
    const Layer& settledLayer(LayerIndex index, MeshId first);
    /// Returns the assignments that each layer supports on an axis over all of its devices.
    [[nodiscard]] LegalWords legalWords(); ///< assignments that each layer supports
    /// Returns the layer's own assignment, or the design's.
    [[nodiscard]] const Assignment& assignmentOf(Origin origin) const; ///< its own, or the design's
    MeshId meshOf(Origin origin);                   ///< mesh of a layer without nodes: an input
    void refuseInput(Origin origin, AxisWord word); ///< reports that an input does not support it
    /// Call when all layers are settled. Reports assignments of the design that no layer supports.
    void reportUnusedWords(); ///< assignments of the design that no layer supports
    /// By value of the graph: true if the value depends on examples.
    [[nodiscard]] const std::vector<bool>& data() const { return isData_; }

private:
    void addWordNodes(const Graph& graph, const Node& node, std::vector<WordNode>& nodes);
    MeshId meshFor(Origin origin, const Assignment& assignment, MeshId first);
    Mesh chosenDevices(Origin origin, const Assignment& assignment, MeshId first);
    std::vector<WordNode> wordNodesOf(const Layer& layer);
    std::vector<AxisWord> wordsFor(const Layer& layer);
    void refuseData(Origin origin, const std::string& reason);
    void report(Origin origin, std::string code, std::string text, Fix fix); ///< adds a diagnostic

    const Graph& graph_;
    const PlacementRequest& request_;
    PlaceTables& tables_;
    Shardings& shardings_;
    std::vector<Diagnostic>& problems_;
    std::unordered_map<Origin, LayerIndex> byOrigin_; ///< index of each layer
    std::vector<Layer> layers_;                       ///< indexed by LayerIndex
    LayerIndex latestLayer_ = {0};                    ///< result of the last indexOf
    std::vector<bool> isData_;     ///< per value of the graph: it depends on examples
    std::set<AxisWord> usedWords_; ///< the design's assignments that some layer uses
    std::map<AxisWord, std::string> unusedWords_; ///< the others, and why a layer cannot use them
    MeshId allDevices_;
};

} // namespace weft
