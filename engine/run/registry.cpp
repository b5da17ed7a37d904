// SPDX-License-Identifier: Apache-2.0
#include "run/registry.h"

#include "backends/backends.h"
#include "data/open.h"
#include "run/setting_list.h"

namespace weft {

namespace ops {
void fill(OpList& list);
}
namespace layers {
void fill(LayerList& list);
}
namespace reference {
void fill(KernelList& list);
}

std::unique_ptr<const Registry> makeRegistry() {
    auto registry = std::make_unique<Registry>();
    ops::fill(registry->ops);
    layers::fill(registry->layers);
    for (const LayerKind* kind : registry->layers.all()) {
        registry->kinds.push_back(kind->info);
    }
    backends::fill(registry->backends);
    registry->sources = sourceKinds();
    registry->settings = settingsWith(registry->sources);
    reference::fill(registry->reference);
    return registry;
}

} // namespace weft
