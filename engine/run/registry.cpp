// SPDX-License-Identifier: Apache-2.0
#include "run/registry.h"

#include "backends/backends.h"
#include "comm/communicators.h"
#include "data/open.h"
#include "optimizers/optimizers.h"
#include "run/setting_list.h"

#include <algorithm>
#include <iterator>

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
    optimizers::fill(registry->optimizers);
    backends::fill(registry->backends);
    communicators::fill(registry->communicators);
    registry->sources = sourceKinds();
    registry->settings = settingsWith(registry->sources, registry->optimizers);
    reference::fill(registry->reference);
    return registry;
}

std::vector<DeviceSheet> devicesFound(const Registry& registry) {
    std::vector<DeviceSheet> all;
    for (const Backend& backend : registry.backends.all()) {
        std::ranges::move(backend.find(), std::back_inserter(all));
    }
    return all;
}

} // namespace weft
