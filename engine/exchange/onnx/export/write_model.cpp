// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/export/write_model.h"

#include "base/version.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <model.pb.h>

#include <bit>

namespace weft::onnx {

namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

constexpr const char* configuration = "weft"; ///< name of the only device configuration

void write(const std::string& name, const Tensor& tensor, wire::Tensor& to) {
    to.set_name(name);
    to.set_data_type(static_cast<std::int32_t>(tensor.element));
    for (const std::int64_t dim : tensor.shape) {
        to.add_dims(dim);
    }
    ensure(tensor.element == Element::f32 || tensor.element == Element::i64,
           "an exported constant has f32 or i64 numbers");
    if (tensor.isReal()) {
        to.set_raw_data(tensor.reals.data(), tensor.reals.size() * sizeof(float));
    } else {
        to.set_raw_data(tensor.wholes.data(), tensor.wholes.size() * sizeof(std::int64_t));
    }
}

void write(const Attribute& attribute, wire::Attribute& to) {
    to.set_name(attribute.name);
    switch (attribute.type) {
    case Attribute::ValueType::real:
        to.set_type(1);
        to.set_f(static_cast<float>(attribute.real));
        return;
    case Attribute::ValueType::whole:
        to.set_type(2);
        to.set_i(attribute.whole);
        return;
    case Attribute::ValueType::wholes:
        to.set_type(7);
        for (const std::int64_t number : attribute.wholes) {
            to.add_ints(number);
        }
        return;
    default: ensure(false, "an exported attribute is a number or a list of whole numbers");
    }
}

void write(const std::string& tensor, const Sharding& sharding, wire::Sharding& to) {
    to.set_tensor_name(tensor);
    for (const std::int64_t device : sharding.devices) {
        to.add_device(device);
    }
    for (const auto& [key, devices] : sharding.groups) {
        wire::DeviceGroup& group = *to.add_index_to_device_group_map();
        group.set_key(key);
        for (const std::int64_t device : devices) {
            group.add_value(device);
        }
    }
    for (const ShardedDim& dim : sharding.dims) {
        wire::ShardedDim& made = *to.add_sharded_dim();
        made.set_axis(dim.axis);
        wire::DimShards& shards = *made.add_simple_sharding();
        dim.size == 0 ? shards.set_dim_param("batch") : shards.set_dim_value(dim.size);
        shards.set_num_shards(dim.shards);
    }
}

void write(const Node& node, const DeviceFields& devices, wire::Node& to) {
    to.set_name(node.name);
    to.set_op_type(node.op);
    wire::NodeDevices placed;
    const auto place = [&](const std::string& value) {
        const auto found = devices.tensors.find(value);
        if (found != devices.tensors.end()) {
            write(value, found->second, *placed.add_sharding_spec());
        }
    };
    for (const std::string& input : node.inputs) {
        to.add_input(input);
        place(input);
    }
    for (const std::string& output : node.outputs) {
        to.add_output(output);
        place(output);
    }
    for (const Attribute& attribute : node.attributes) {
        write(attribute, *to.add_attribute());
    }
    if (placed.sharding_spec_size() > 0) {
        placed.set_configuration_id(configuration);
        *to.add_device_configurations() = std::move(placed);
    }
}

void write(const ModelPort& port, wire::ValueInfo& to) {
    to.set_name(port.name);
    wire::TensorType& type = *to.mutable_type()->mutable_tensor_type();
    type.set_elem_type(static_cast<std::int32_t>(port.element));
    wire::Dims& dims = *type.mutable_shape();
    for (const Dim& dim : port.dims.value_or(std::vector<Dim>{})) {
        wire::Dim& made = *dims.add_dim();
        dim.size < 0 ? made.set_dim_param(dim.name) : made.set_dim_value(dim.size);
    }
}

} // namespace

std::string bytesOf(Model model, const DeviceFields& devices) {
    wire::Model file;
    file.set_ir_version(irVersionOf(model.opset));
    file.set_producer_name(model.producer);
    file.set_producer_version(std::string(weftVersion()));
    file.add_opset_import()->set_version(model.opset);
    for (const auto& [key, value] : model.metadata) {
        wire::Entry& entry = *file.add_metadata_props();
        entry.set_key(key);
        entry.set_value(value);
    }
    if (!devices.devices.empty()) {
        wire::Devices& made = *file.add_configuration();
        made.set_name(configuration);
        made.set_num_devices(static_cast<std::int32_t>(devices.devices.size()));
        for (const std::string& device : devices.devices) {
            made.add_device(device);
        }
    }
    wire::Graph& graph = *file.mutable_graph();
    graph.set_name(model.name);
    for (const Node& node : model.nodes) {
        write(node, devices, *graph.add_node());
    }
    for (auto& [name, tensor] : model.constants) {
        write(name, *tensor, *graph.add_initializer());
        tensor.reset();
    }
    for (const ModelPort& port : model.inputs) {
        write(port, *graph.add_input());
    }
    for (const ModelPort& port : model.outputs) {
        write(port, *graph.add_output());
    }
    const std::size_t size = file.ByteSizeLong();
    if (size > static_cast<std::size_t>(mostModelBytes)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("the model would have {}; an ONNX file has at most 2 GB",
                                toString(Bytes{static_cast<std::int64_t>(size)})),
                    "hand the design and its weights on as they are: weft export --out");
    }
    return file.SerializeAsString();
}

} // namespace weft::onnx
