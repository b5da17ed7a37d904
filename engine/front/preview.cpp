// SPDX-License-Identifier: Apache-2.0
// A preview remembers the last design and its answer: a second look at one that computes the same
// (a layer was moved) is answered at once. Of any other the stages are gone through from the first;
// what they look up of ops, shapes and devices is worked out once.
#include "front/find_overflow.h"
#include "front/fold_preview.h"
#include <weft/design_file.h>
#include <weft/preview.h>

#include <algorithm>

namespace weft {

struct PreviewCache::State {
    std::unique_ptr<const Registry> registry = makeRegistry();
    bool isFilled = false;
    Design design;
    PreviewRequest request;
    KeptTables tables;
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

} // namespace

const Preview& preview(const Design& design, PreviewCache& cache, const PreviewRequest& request) {
    PreviewCache::State& state = cache.state();
    if (state.isFilled && isSame(state.request, request) && computesTheSame(state.design, design)) {
        return state.last;
    }
    state.isFilled = false;
    const Study studied = study({.design = &design,
                                 .registry = state.registry.get(),
                                 .devices = request.devices,
                                 .machine = request.machine,
                                 .wantsPlan = request.wantsPlan,
                                 .wantsLegal = request.wantsLegal,
                                 .data = request.data ? &*request.data : nullptr,
                                 .kept = &state.tables});
    state.last = foldPreview(studied, design, request, state.folding);
    findOverflow(state.last, design, request, *state.registry);
    state.design = design;
    state.request = request;
    state.isFilled = true;
    return state.last;
}

} // namespace weft
