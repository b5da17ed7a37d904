// SPDX-License-Identifier: Apache-2.0
#pragma once
// The placements of a design for ONNX's multi-device fields (IR 11): how the weights and the
// results of layers are split over devices. The fields cannot express partial sums and parts of
// unequal size.

#include "exchange/onnx/export/export_graph.h"
#include "place/plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft::onnx {

/// A dim of a tensor that is split.
struct ShardedDim {
    std::int64_t axis = 0;
    std::int64_t size = 0; ///< 0: the batch
    std::int64_t shards = 1;
    bool operator==(const ShardedDim&) const = default;
};

/// How one tensor lies on devices: part k is on `devices[k]`, parts in row-major order of the split
/// dims. A negative number stands for a group of devices that hold the same part.
struct Sharding {
    std::vector<std::int64_t> devices;
    std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> groups = {};
    std::vector<ShardedDim> dims = {};
    bool operator==(const Sharding&) const = default;
};

struct DeviceFields {
    std::vector<std::string> devices = {};        ///< names; empty: no fields
    std::map<std::string, Sharding> tensors = {}; ///< by name in the model
    std::vector<std::string> inexpressible = {};  ///< tensors that the fields cannot describe
};

/// `plan` is the design placed for inference, and `values` are the values of its layers.
[[nodiscard]] DeviceFields deviceFields(const ExportedGraph& exported, const Plan& plan,
                                        const std::map<LayerOutput, ValueId>& values);

} // namespace weft::onnx
