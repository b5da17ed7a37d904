// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that was built in, filled once at the start and passed on as const: ops, layer kinds,
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
    std::vector<LayerKindInfo> kinds; ///< descriptions of the layer kinds
    OptimizerList optimizers;
    BackendList backends;
    CommunicatorList communicators; ///< the kinds of communicator that this build has
    SourceList sources;
    std::vector<SettingInfo> settings; ///< including the choices of each setting
    KernelList reference;              ///< kernels on the host, for ops that a backend lacks
};

[[nodiscard]] std::unique_ptr<const Registry> makeRegistry();

/// Returns the devices of this machine that all backends find.
[[nodiscard]] std::vector<DeviceSheet> devicesFound(const Registry& registry);

/// Returns the device's backend or the named backend. Throws Error{device} if this build lacks it.
[[nodiscard]] const Backend& backendFor(const Registry& registry, const std::string& name,
                                        const std::string& backend = {});

} // namespace weft
