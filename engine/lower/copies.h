// SPDX-License-Identifier: Apache-2.0
#pragma once
// Instantiates all groups of a design: a tree of copies, with their layers in the order of the
// file. The list of layers leaves out muted and bypassed layers and instances. Wires are not
// resolved yet.

#include "lower/check_structure.h"
#include "lower/network_index.h"
#include "lower/problems.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft {

/// One copy of a group's contents. The first copy is the top level.
struct NetworkCopy {
    const NetworkIndex* index = nullptr;
    std::size_t parent = 0;                 ///< index of the copy that contains the instance
    std::size_t depth = 0;                  ///< number of groups around it
    LayerId instance = {};                  ///< the instance layer in the parent
    std::size_t previous = 0;               ///< the copy that feeds this one in a repeat; 0: none
    Attributes parameters = {};             ///< values of the group's parameters
    const Assignment* assignment = nullptr; ///< inherited; nullptr: the design's default
    std::string prefix = {};                ///< "block[2]/"
    std::unordered_map<LayerId, std::size_t> layerCopies = {}; ///< -> index of a LayerCopy
    std::unordered_map<LayerId, std::size_t> lastCopies = {};  ///< instance -> its last copy
};

struct LayerCopy {
    std::size_t copy = 0; ///< index in NetworkCopies::all()
    const Layer* layer = nullptr;
};

class NetworkCopies {
public:
    NetworkCopies(const Design& design, const std::vector<LayerKindInfo>& kinds,
                  const PortTable& ports, ProblemList& problems);

    [[nodiscard]] const std::vector<NetworkCopy>& all() const { return copies_; }
    [[nodiscard]] const std::vector<LayerCopy>& layerCopies() const { return layerCopies_; }
    [[nodiscard]] bool isWhole() const { return !isTooLarge_; } ///< false: beyond a limit
    [[nodiscard]] ProblemSubject subject(const LayerCopy& layerCopy) const;
    [[nodiscard]] std::string nameOf(const LayerCopy& layerCopy) const;
    /// Returns the layer's attributes, with expressions evaluated in the scope of the copy.
    [[nodiscard]] Attributes evaluatedAttributes(std::size_t copy, const Layer& layer) const;

private:
    const NetworkIndex& indexOf(const GroupDefinition& group);
    void fill(std::size_t copy); ///< lists its layers and instantiates its groups
    void refuseGrowth(Diagnostic problem);
    void makeInstance(std::size_t copy, const Layer& layer);
    [[nodiscard]] Attributes parametersOf(std::size_t copy, const Layer& instance,
                                          const GroupDefinition& group) const;
    bool isRecursive(const GroupDefinition& group, std::size_t copy, const Layer& instance);
    bool isTooDeep(std::size_t copy, const Layer& instance);
    void checkOnce(const NetworkIndex& index, const std::string& prefix);

    const Design& design_;
    const std::vector<LayerKindInfo>& kinds_;
    const PortTable& ports_;
    ProblemList& problems_;
    GroupsByName groups_;
    std::unordered_map<std::string_view, std::unique_ptr<const NetworkIndex>> indices_;
    std::unordered_map<const NetworkIndex*, bool> checkedNetworks_;
    std::vector<NetworkCopy> copies_;
    std::vector<LayerCopy> layerCopies_;
    bool isTooLarge_ = false;
};

} // namespace weft
