// SPDX-License-Identifier: Apache-2.0
#include "compile/registry.h"

#include "backends/backends.h"
#include "comm/communicators.h"
#include "compile/setting_list.h"
#include "data/open.h"
#include "optimizers/optimizers.h"
#include <weft/error.h>

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

const Backend& backendFor(const Registry& registry, const std::string& name,
                          const std::string& backend) {
    const std::string wanted = backend.empty() ? backendOf(name) : backend;
    const Backend* found = registry.backends.find(wanted);
    if (found == nullptr) {
        throw Error(ErrorCode::device, Where{.op = name},
                    "this build of Weft has no backend \"" + wanted + "\"",
                    "weft devices lists what it has");
    }
    return *found;
}

} // namespace weft
