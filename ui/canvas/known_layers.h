// SPDX-License-Identifier: GPL-3.0-or-later
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
    /// `preview`: nullptr before the first check. Both live longer than this.
    KnownLayers(const Design& design, const NetworkPath& path, const Preview* preview);

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

private:
    [[nodiscard]] std::string prefixOf(const Network& network, const std::string& group,
                                       const std::string& before) const;

    const Design& design_;
    std::map<std::string, const LayerPreview*> byName_;
    std::unordered_map<std::string, Traffic> byWire_;
    std::string prefix_;
};

} // namespace weft::ui
