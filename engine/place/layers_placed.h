// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layers of a graph with their meshes and words: which nodes are whose, which devices an
// assignment means, and which of its words a layer can have. What cannot be had is a diagnostic,
// and that axis is placed `replicate`.

#include "place/place_tables.h"
#include "place/words.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft {

using LayerIndex = Id<struct LayerIndexTag>;

class LayersPlaced {
public:
    LayersPlaced(const Graph& graph, const PlacementRequest& request, PlaceTables& tables,
                 std::vector<Diagnostic>& problems);

    [[nodiscard]] LayerIndex indexOf(Origin origin);
    [[nodiscard]] MeshId allDevices() const { return all_; }

    struct Layer {
        Origin origin;
        std::vector<NodeId> forward; ///< nodes that a word may split
        MeshId mesh;                 ///< none: not settled yet
        std::vector<AxisWord> words; ///< per mesh axis, once the mesh is settled
    };
    /// Settles mesh and words when first asked; `first` is where the layer's first operand is.
    const Layer& settled(LayerIndex index, MeshId first);
    /// What every layer could be told on an axis over all its devices.
    [[nodiscard]] LegalWords legalWords();
    /// The layer's own, or the design's.
    [[nodiscard]] const Assignment& assignmentOf(Origin origin) const;
    /// The mesh of a layer that has no nodes: an input.
    MeshId meshOf(Origin origin);
    void refuseInput(Origin origin, AxisWord word);
    /// Once all layers are settled: words of the design that no layer could take.
    void tellIdleWords();
    /// By value of the graph: examples have gone into it.
    [[nodiscard]] const std::vector<bool>& data() const { return isData_; }

private:
    void addWordNodes(const Graph& graph, const Node& node, std::vector<WordNode>& nodes);
    MeshId meshFor(Origin origin, const Assignment& assignment, MeshId first);
    Mesh chosenDevices(Origin origin, const Assignment& assignment, MeshId first);
    std::vector<WordNode> wordNodesOf(const Layer& layer);
    std::vector<AxisWord> wordsFor(const Layer& layer);
    void refuseMean(Origin origin, const std::string& reason);
    void report(Origin origin, std::string code, std::string text, Fix fix);

    const Graph& graph_;
    const PlacementRequest& request_;
    PlaceTables& tables_;
    Shardings& shardings_; ///< of the tables
    std::vector<Diagnostic>& problems_;
    std::unordered_map<Origin, LayerIndex> byOrigin_;
    std::vector<Layer> layers_;
    LayerIndex latest_ = {0};
    std::vector<bool> isData_;
    std::set<AxisWord> taken_;             ///< of the design's words
    std::map<AxisWord, std::string> idle_; ///< and why a layer could not
    MeshId all_;
};

} // namespace weft
