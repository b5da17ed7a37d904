// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that was built in, filled once at the top and passed down const: ops, layer kinds,
// optimizers, backends, communicators, data sources.

#include "data/source_kind.h"
#include "device/backend.h"
#include "device/communicator_list.h"
#include "graph/op.h"
#include "layers/layer.h"
#include "optimizers/optimizer.h"
#include <weft/catalogue.h>
#include <weft/settings.h>

#include <vector>

namespace weft {

struct Registry {
    OpList ops;
    LayerList layers;
    std::vector<LayerKindInfo> kinds; ///< the layers' faces
    OptimizerList optimizers;
    BackendList backends;
    CommunicatorList communicators; ///< of devices
    SourceList sources;
    std::vector<SettingInfo> settings; ///< what they choose among too
    KernelList reference;              ///< kernels of last resort
};

[[nodiscard]] std::unique_ptr<const Registry> makeRegistry();

/// What this machine has, as all backends see it.
[[nodiscard]] std::vector<DeviceSheet> devicesFound(const Registry& registry);

} // namespace weft
