// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layers of a graph with their meshes and words: which nodes are whose, which devices an
// assignment means, and which of its words a layer can have. What cannot be had is a diagnostic,
// and that axis is placed `replicate`.

#include "place/place_tables.h"
#include "place/words.h"

#include <unordered_map>
#include <vector>

namespace weft {

using LayerIndex = Id<struct LayerIndexTag>;

class LayersPlaced {
public:
    LayersPlaced(const Graph& graph, const PlacementRequest& request, PlaceTables& tables,
                 std::vector<Diagnostic>& problems, const LayersPlaced* last = nullptr);

    [[nodiscard]] LayerIndex indexOf(Origin origin) { return indexFor(origin); }
    /// Of a node of the graph that was given.
    [[nodiscard]] LayerIndex indexOf(NodeId given) const { return ofNode_[given.value]; }
    [[nodiscard]] MeshId allDevices() const { return all_; }

    struct Layer {
        Origin origin;
        std::vector<NodeId> forward; ///< nodes that a word may split
        MeshId mesh;                 ///< none: not settled yet
        MeshId first;                ///< where its first operand was when it was settled
        std::vector<AxisWord> words; ///< per mesh axis, once the mesh is settled
        Assignment assignment;       ///< that they were found for
        bool isExplicit = false;
        bool isAsBefore = false; ///< mesh and words are those of the last placing
        std::shared_ptr<const std::vector<LegalWord>> legal; ///< once they were asked for
    };
    [[nodiscard]] bool isSettled(LayerIndex index) const {
        return !layers_[index.value].mesh.isNone();
    }
    /// Settles mesh and words when first asked; `first` is where the layer's first operand is.
    const Layer& settled(LayerIndex index, MeshId first);
    /// What every layer could be told on an axis over all its devices.
    [[nodiscard]] LegalWords legalWords();
    /// The layer's own, or the design's.
    [[nodiscard]] const Assignment& assignmentOf(Origin origin) const;
    /// The mesh of a layer that has no nodes: an input.
    MeshId meshOf(Origin origin);
    void refuseInput(Origin origin, AxisWord word);
    /// By value of the graph: examples have gone into it.
    [[nodiscard]] const std::vector<bool>& data() const { return isData_; }

private:
    void addWordNodes(const Graph& graph, const Node& node, std::vector<WordNode>& nodes);
    MeshId meshFor(Origin origin, const Assignment& assignment, MeshId first);
    Mesh chosenDevices(Origin origin, const Assignment& assignment, MeshId first);
    std::vector<WordNode> wordNodesOf(const Layer& layer);
    std::vector<AxisWord> wordsFor(const Layer& layer, const Assignment& assignment,
                                   bool isExplicit);
    void report(Origin origin, std::string code, std::string text, Fix fix);

    const Graph& graph_;
    const PlacementRequest& request_;
    PlaceTables& tables_;
    Spreads& spreads_; ///< of the tables
    std::vector<Diagnostic>& problems_;
    LayerIndex indexFor(Origin origin);
    [[nodiscard]] const Layer* before(const Layer& layer) const;

    const LayersPlaced* last_ = nullptr;
    std::unordered_map<Origin, LayerIndex> byOrigin_;
    std::vector<Layer> layers_;
    std::vector<LayerIndex> ofNode_;
    Assignment fallback_; ///< of the request, for the next placing
    LayerIndex latest_ = {0};
    std::vector<bool> isData_;
    MeshId all_;
};

} // namespace weft
