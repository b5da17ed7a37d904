// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks up the results of a check for the layers and wires of one network by name; a check names
// layers after groups are expanded. Pure; callable from any thread.

#include <weft/edits.h>
#include <weft/preview.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::ui {

class CheckedLayers {
public:
    /// `preview`: nullptr before the first check. `older`: provides the step until the step of
    /// `preview` is known; may be nullptr. All arguments must outlive this object.
    CheckedLayers(const Design& design, const NetworkPath& path, const Preview* preview,
                  const Preview* older = nullptr);

    /// Returns the check's name of a layer of this network; inside a group, the name in its first
    /// instance.
    [[nodiscard]] std::string nameOf(const Layer& layer) const { return prefix_ + layer.name; }
    [[nodiscard]] const LayerPreview* find(const Layer& layer) const; ///< nullptr: unknown
    /// Returns all layers inside all instances of a group.
    [[nodiscard]] std::vector<const LayerPreview*> layersInside(const Layer& group) const;
    /// Collectives on a wire in the forward and backward pass; nullptr: none.
    struct Traffic {
        const CollectivePreview* forward = nullptr;  ///< nullptr: none
        const CollectivePreview* backward = nullptr; ///< nullptr: none
    };
    [[nodiscard]] Traffic trafficOn(const Wire& wire, const Layer& from, const Layer& to) const;
    /// Returns the layer's share of a step; nullptr if it is unknown.
    [[nodiscard]] const LayerStep* stepOf(const LayerPreview& layer) const;
    [[nodiscard]] const CollectiveStep* stepOf(const CollectivePreview& one) const;
    /// True if the step belongs to an earlier revision.
    [[nodiscard]] bool isStepOlder() const { return isStepOlder_; }

private:
    [[nodiscard]] std::string prefixOf(const Network& network, const std::string& group,
                                       const std::string& before) const;

    const Design& design_;
    std::map<std::string, const LayerPreview*> byName_; ///< by the check's full name
    std::unordered_map<std::string, Traffic> byWire_;   ///< by the wire's name in the plan
    bool isStepOlder_ = false;                          ///< the step belongs to an earlier revision
    std::unordered_map<std::string, const LayerStep*> olderByName_; ///< earlier revision
    /// By wire name and direction.
    std::map<std::pair<std::string, bool>, const CollectiveStep*> olderByWire_;
    std::string prefix_; ///< path of group names before a layer's name
};

} // namespace weft::ui
