// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a check knows of the layers and wires of one network, found by name: a check names layers as
// they are called once groups are expanded. Pure; any thread.

#include <weft/edits.h>
#include <weft/preview.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::ui {

class KnownLayers {
public:
    /// `preview`: nullptr before the first check. `older`: whose step counts where that of
    /// `preview` is still to come; nullptr: none does. All live longer than this.
    KnownLayers(const Design& design, const NetworkPath& path, const Preview* preview,
                const Preview* older = nullptr);

    /// As the check calls a layer of this network; inside a group: of its first instance.
    [[nodiscard]] std::string nameOf(const Layer& layer) const { return prefix_ + layer.name; }
    [[nodiscard]] const LayerPreview* find(const Layer& layer) const;
    /// All copies of what is inside a group.
    [[nodiscard]] std::vector<const LayerPreview*> inside(const Layer& group) const;
    /// What the wire asks for on its way forward, and backward; nullptr: nothing.
    struct Traffic {
        const CollectivePreview* forward = nullptr;
        const CollectivePreview* backward = nullptr;
    };
    [[nodiscard]] Traffic on(const Wire& wire, const Layer& from, const Layer& to) const;
    /// What it takes of a step; nullptr: that is not known.
    [[nodiscard]] const LayerStep* stepOf(const LayerPreview& layer) const;
    [[nodiscard]] const CollectiveStep* stepOf(const CollectivePreview& one) const;
    /// Whether that is of an earlier revision.
    [[nodiscard]] bool isStepOlder() const { return isStepOlder_; }

private:
    [[nodiscard]] std::string prefixOf(const Network& network, const std::string& group,
                                       const std::string& before) const;

    const Design& design_;
    std::map<std::string, const LayerPreview*> byName_;
    std::unordered_map<std::string, Traffic> byWire_;
    bool isStepOlder_ = false;
    std::unordered_map<std::string, const LayerStep*> olderByName_;
    std::map<std::pair<std::string, bool>, const CollectiveStep*> olderByWire_; ///< and direction
    std::string prefix_;
};

} // namespace weft::ui
