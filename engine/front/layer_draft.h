// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a preview will say of each layer, as references into study and plan: only a layer that says
// something else than before is written out anew.

#include "front/study.h"
#include <weft/preview.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct LayerDraft {
    std::uint32_t firstOutput = none;
    std::uint32_t firstParameter = none;
    MeshId mesh = {}; ///< none: it makes nothing that is placed
    const std::vector<LegalWord>* legal = nullptr;
    Flops forward = {};
    Flops backward = {};
    Nanoseconds compute = {};
    TimeBand computeBand = {};
    Nanoseconds communicate = {};
    Bytes parameterBytes = {};
    Bytes activationBytes = {};

    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
};

class LayerDrafts {
public:
    explicit LayerDrafts(const Study& studied);

    [[nodiscard]] LayerDraft& at(std::size_t layer) { return drafts_[layer]; }
    void addOutput(LayerDraft& draft, const std::string& port, ValueId value);
    void addParameter(LayerDraft& draft, SlotId slot);
    void placeParameter(const LayerDraft& draft, SlotId slot, const Placements& placements);
    /// Placements of what leaves a layer, as it was made.
    void placeOutputs(const Plan& plan);
    void write(LayerPreviews& layers);

private:
    /// A chain per layer, in the order in which they were added.
    struct Output {
        const std::string* port = nullptr;
        ValueId value;
        const Placements* placed = nullptr;
        std::uint32_t next = LayerDraft::none;
    };
    struct Parameter {
        SlotId slot;
        const Placements* placed = nullptr;
        std::uint32_t next = LayerDraft::none;
    };

    [[nodiscard]] bool isAsBefore(const LayerPreview& before, std::size_t layer);
    [[nodiscard]] bool hasOutputs(const LayerPreview& before, const LayerDraft& draft);
    [[nodiscard]] bool hasParameters(const LayerPreview& before, const LayerDraft& draft);
    [[nodiscard]] bool hasDevices(const LayerPreview& before, const LayerDraft& draft) const;
    [[nodiscard]] LayerPreview made(std::size_t layer);
    const std::string& textOf(const Placements* placements);

    const Study& studied_;
    const Plan* plan_ = nullptr;
    std::vector<LayerDraft> drafts_;
    std::vector<Output> outputs_;
    std::vector<Parameter> parameters_;
    const Placements* lastPlacements_ = nullptr;
    std::string lastText_;
};

} // namespace weft
