// SPDX-License-Identifier: Apache-2.0
// A preview remembers the last design and how far down the way of the data it was taken: a second
// look at one that computes the same (a layer was moved) is answered at once, and the stages that
// an edit did not reach are taken over.
#include "front/find_overflow.h"
#include "front/fold_preview.h"
#include <weft/design_file.h>
#include <weft/preview.h>

#include <algorithm>
#include <utility>

namespace weft {

struct PreviewCache::State {
    std::unique_ptr<const Registry> registry = makeRegistry();
    bool isFilled = false;
    Design design;
    PreviewRequest request;
    Study studied;
    FoldMemory folding;
    Preview last;
};

bool LayerPreviews::operator==(const LayerPreviews& other) const {
    return std::ranges::equal(shared, other.shared,
                              [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

PreviewCache::PreviewCache() : state_(std::make_unique<State>()) {}
PreviewCache::~PreviewCache() = default;
PreviewCache::PreviewCache(PreviewCache&&) noexcept = default;
PreviewCache& PreviewCache::operator=(PreviewCache&&) noexcept = default;

namespace {

bool isSame(const PreviewRequest& a, const PreviewRequest& b) {
    return a.devices == b.devices && a.machine == b.machine && a.ranks == b.ranks &&
           a.hosts == b.hosts && a.wantsLegal == b.wantsLegal && a.wantsPlan == b.wantsPlan &&
           a.data == b.data;
}

/// What is equal stays where it is.
template <class T>
void keepEach(const std::vector<T>& now, std::vector<T>& kept) {
    if (now.size() != kept.size()) {
        kept = now;
        return;
    }
    for (std::size_t k = 0; k < now.size(); ++k) {
        if (!(kept[k] == now[k])) {
            kept[k] = now[k];
        }
    }
}

void keep(const Design& now, Design& kept) {
    keepEach(now.network.layers, kept.network.layers);
    keepEach(now.network.wires, kept.network.wires);
    if (!(kept == now)) {
        kept = now;
    }
}

} // namespace

const Preview& preview(const Design& design, PreviewCache& cache, const PreviewRequest& request) {
    PreviewCache::State& state = cache.state();
    if (state.isFilled && isSame(state.request, request) && computesTheSame(state.design, design)) {
        return state.last;
    }
    const bool hasLast = std::exchange(state.isFilled, false);
    state.studied = study({.design = &design,
                           .registry = state.registry.get(),
                           .devices = request.devices,
                           .machine = request.machine,
                           .wantsPlan = request.wantsPlan,
                           .wantsLegal = request.wantsLegal,
                           .data = request.data ? &*request.data : nullptr,
                           .keepsTables = true,
                           .last = hasLast ? &state.studied : nullptr,
                           .lastDesign = hasLast ? &state.design : nullptr});
    foldPreview(state.studied, design, request, state.folding, state.last);
    findOverflow(state.last, design, request, *state.registry);
    keep(design, state.design);
    state.request = request;
    state.isFilled = true;
    return state.last;
}

} // namespace weft
