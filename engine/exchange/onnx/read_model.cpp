// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/external_data.h"
#include "exchange/onnx/model.h"
#include "exchange/onnx/parse.h"
#include <weft/error.h>
#include <weft/import.h>

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>
#include <model.pb.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <set>
#include <unordered_set>

namespace weft {

bool readsOnnx() { return true; }

namespace onnx {

namespace fs = std::filesystem;
namespace pb = google::protobuf;

namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& problem,
                       const std::string& remedy = "export the model again") {
    throw Error(ErrorCode::format, Where{.file = file.string()}, problem, remedy);
}

float floatOfHalf(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0) {
        const float value = static_cast<float>(fraction) * 0x1p-24F;
        return sign == 0 ? value : -value;
    }
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

/// Returns the double of the shortest decimal text for this float: 1e-5, not 9.99999974738e-06.
double shortest(float number) {
    const std::string text = fmt::format("{}", number);
    double value = static_cast<double>(number);
    (void)std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void requireDims(const fs::path& file, const std::string& owner, std::size_t dims) {
    if (dims > mostDims) {
        fail(file, fmt::format("{} has {} dims; {} are the most", owner, dims, mostDims));
    }
}

/// Converts one tensor of a file.
class TensorReader {
public:
    TensorReader(const fs::path& file, ExternalFiles& others, const wire::Tensor& tensor,
                 std::string name)
        : file_(file), others_(others), tensor_(tensor), name_(std::move(name)) {}

    Tensor read() {
        Tensor made;
        made.element = static_cast<Element>(tensor_.data_type());
        made.shape.assign(tensor_.dims().begin(), tensor_.dims().end());
        const std::size_t width = elementBytes(made.element);
        if (width == 0) { // strings or types below 8 bits: nodes that read it are refused
            made.element = made.element == Element::text ? Element::text : Element::none;
        }
        count_ = elements(made.shape, width);
        if (tensor_.has_segment()) {
            refuse("is stored in segments, which no exporter writes");
        }
        std::string elsewhere;
        const std::string* raw = tensor_.has_raw_data() ? &tensor_.raw_data() : nullptr;
        if (tensor_.data_location() == 1) {
            elsewhere = external(static_cast<std::int64_t>(count_ * width),
                                 Bytes{made.isReal() ? 4 : 8} * static_cast<std::int64_t>(count_));
            raw = &elsewhere;
        }
        if (raw != nullptr) {
            if (raw->size() != count_ * width) {
                refuse(fmt::format("has {} bytes, but its shape {} needs {}", raw->size(),
                                   toString(made.shape), count_ * width));
            }
            fromBytes(*raw, made);
        } else {
            fromFields(made);
        }
        return made;
    }

private:
    [[noreturn]] void refuse(const std::string& problem) const {
        fail(file_, fmt::format("tensor {} {}", name_, problem));
    }

    std::size_t elements(const Shape& shape, std::size_t width) const {
        requireDims(file_, "tensor " + name_, shape.size());
        std::int64_t count = 1;
        for (const std::int64_t dim : shape) {
            if (dim < 0 || __builtin_mul_overflow(count, std::max<std::int64_t>(dim, 1), &count)) {
                refuse(fmt::format("has the shape {}, which no tensor can have", toString(shape)));
            }
        }
        if (count > std::numeric_limits<std::int64_t>::max() / 16) {
            refuse(fmt::format("has the shape {}, which no tensor can have", toString(shape)));
        }
        const bool isEmpty = std::ranges::find(shape, 0) != shape.end();
        return isEmpty || width == 0 ? 0 : static_cast<std::size_t>(count);
    }

    [[nodiscard]] std::string external(std::int64_t bytes, Bytes memory) const {
        ExternalData data;
        for (const wire::Entry& entry : tensor_.external_data()) {
            if (entry.key() == "location") {
                data.location = entry.value();
            } else if (entry.key() == "offset") {
                data.offset = number(entry);
            } else if (entry.key() == "length") {
                data.length = number(entry);
            }
        }
        return others_.read(name_, data, bytes, memory);
    }

    [[nodiscard]] std::int64_t number(const wire::Entry& entry) const {
        std::int64_t value = 0;
        const std::string& text = entry.value();
        const bool isNumber =
            !text.empty() && text.size() < 19 && std::ranges::all_of(text, [&](char digit) {
                value = value * 10 + (digit - '0');
                return digit >= '0' && digit <= '9';
            });
        if (!isNumber) {
            refuse(fmt::format("has the {} \"{}\", which is not a number", entry.key(), text));
        }
        return value;
    }

    template <class Stored, class Convert>
    void convert(const std::string& raw, auto& to, Convert convert) const {
        to.resize(count_);
        for (std::size_t k = 0; k < count_; ++k) {
            Stored stored;
            std::memcpy(&stored, raw.data() + k * sizeof(Stored), sizeof(Stored));
            to[k] = convert(stored);
        }
    }

    void fromBytes(const std::string& raw, Tensor& made) const {
        const auto whole = [](auto stored) { return static_cast<std::int64_t>(stored); };
        switch (made.element) {
        case Element::f32:
            made.reals.resize(count_);
            if (count_ > 0) {
                std::memcpy(made.reals.data(), raw.data(), raw.size());
            }
            break;
        case Element::f64:
            convert<double>(raw, made.reals, [](double x) { return static_cast<float>(x); });
            break;
        case Element::f16: convert<std::uint16_t>(raw, made.reals, floatOfHalf); break;
        case Element::bf16:
            convert<std::uint16_t>(raw, made.reals, [](std::uint16_t x) {
                return std::bit_cast<float>(std::uint32_t{x} << 16U);
            });
            break;
        case Element::boolean:
        case Element::u8: convert<std::uint8_t>(raw, made.wholes, whole); break;
        case Element::i8: convert<std::int8_t>(raw, made.wholes, whole); break;
        case Element::u16: convert<std::uint16_t>(raw, made.wholes, whole); break;
        case Element::i16: convert<std::int16_t>(raw, made.wholes, whole); break;
        case Element::i32: convert<std::int32_t>(raw, made.wholes, whole); break;
        case Element::u32: convert<std::uint32_t>(raw, made.wholes, whole); break;
        case Element::i64:
        case Element::u64: convert<std::int64_t>(raw, made.wholes, whole); break;
        case Element::none:
        case Element::text: break;
        }
    }

    template <class Field, class Convert>
    void take(const Field& field, auto& to, Convert convert) const {
        if (static_cast<std::size_t>(field.size()) != count_) {
            refuse(fmt::format("has {} elements, but its shape needs {}", field.size(), count_));
        }
        to.reserve(count_);
        for (const auto value : field) {
            to.push_back(convert(value));
        }
    }

    void fromFields(Tensor& made) const {
        const auto real = [](auto value) { return static_cast<float>(value); };
        const auto whole = [](auto value) { return static_cast<std::int64_t>(value); };
        switch (made.element) {
        case Element::f32: take(tensor_.float_data(), made.reals, real); break;
        case Element::f64: take(tensor_.double_data(), made.reals, real); break;
        case Element::f16:
            take(tensor_.int32_data(), made.reals,
                 [](std::int32_t x) { return floatOfHalf(static_cast<std::uint16_t>(x)); });
            break;
        case Element::bf16:
            take(tensor_.int32_data(), made.reals, [](std::int32_t x) {
                return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16U);
            });
            break;
        case Element::i64: take(tensor_.int64_data(), made.wholes, whole); break;
        case Element::u32:
        case Element::u64: take(tensor_.uint64_data(), made.wholes, whole); break;
        case Element::none:
        case Element::text: break;
        default: take(tensor_.int32_data(), made.wholes, whole); break;
        }
    }

    const fs::path& file_;
    ExternalFiles& others_;
    const wire::Tensor& tensor_;
    std::string name_;
    std::size_t count_ = 0;
};

class ModelReader {
public:
    explicit ModelReader(const fs::path& file) : others_(file) { model_.file = file; }

    Model read() {
        parseFile(model_.file, wire_, "an ONNX model");
        if (!wire_.has_graph()) {
            fail(model_.file, "contains no graph, so it is not an ONNX model");
        }
        wire::Graph& graph = *wire_.mutable_graph();
        if (static_cast<std::size_t>(graph.node_size()) > mostNodes ||
            static_cast<std::size_t>(graph.initializer_size()) > mostNodes) {
            fail(model_.file,
                 fmt::format("has {} nodes and {} tensors; {} of each are the most",
                             graph.node_size(), graph.initializer_size(), mostNodes),
                 "export a smaller part of the model");
        }
        model_.name = graph.name();
        model_.producer = wire_.producer_name();
        for (const wire::Entry& entry : wire_.metadata_props()) {
            model_.metadata.emplace(entry.key(), entry.value());
        }
        if (wire_.configuration_size() > 0) {
            model_.remarks.emplace_back("its multi-device fields are not read; assign its layers "
                                        "to devices in the design");
        }
        readOpset();
        findUnread(wire_, "the model");
        findUnread(graph, "the graph");
        readConstants(graph);
        readPorts(graph.input(), model_.inputs);
        readPorts(graph.output(), model_.outputs);
        std::erase_if(model_.inputs,
                      [&](const ModelPort& port) { return model_.constants.contains(port.name); });
        readNodes(graph);
        checkOrder();
        return std::move(model_);
    }

private:
    void readOpset() {
        for (const wire::OperatorSet& set : wire_.opset_import()) {
            if (set.domain().empty() || set.domain() == "ai.onnx") {
                model_.opset = set.version();
            }
        }
        if (model_.opset < oldestOpset || model_.opset > newestOpset) {
            fail(model_.file,
                 fmt::format("uses opset {}; Weft imports opsets {} to {}", model_.opset,
                             oldestOpset, newestOpset),
                 "export the model with one of these (torch.onnx.export: opset_version=17)");
        }
    }

    /// Adds a remark for each field of a message that the reader does not know.
    void findUnread(const pb::Message& message, const std::string& owner) {
        const pb::UnknownFieldSet& unread = message.GetReflection()->GetUnknownFields(message);
        std::set<int> numbers;
        for (int k = 0; k < unread.field_count(); ++k) {
            numbers.insert(unread.field(k).number());
        }
        constexpr std::size_t mostUnread = 200;
        for (const int number : numbers) {
            if (model_.remarks.size() < mostUnread) {
                model_.remarks.push_back(fmt::format("field {} of {} is not read", number, owner));
            }
        }
    }

    void readConstants(wire::Graph& graph) {
        std::map<Element, std::size_t> converted;
        for (wire::Tensor& tensor : *graph.mutable_initializer()) {
            findUnread(tensor, "tensor " + tensor.name());
            Tensor made = TensorReader(model_.file, others_, tensor, tensor.name()).read();
            if (made.isReal() && made.element != Element::f32) {
                ++converted[made.element];
            }
            if (!model_.constants
                     .emplace(tensor.name(), std::make_shared<const Tensor>(std::move(made)))
                     .second) {
                fail(model_.file, fmt::format("has two tensors named {}", tensor.name()));
            }
            tensor.Clear(); // frees the bytes, which are not needed again
        }
        for (const auto& [element, count] : converted) {
            model_.remarks.push_back(fmt::format("{} {} tensor{} became f32", count,
                                                 nameOf(element), count == 1 ? "" : "s"));
        }
    }

    void readPorts(const pb::RepeatedPtrField<wire::ValueInfo>& from, std::vector<ModelPort>& to) {
        for (const wire::ValueInfo& info : from) {
            ModelPort port{.name = info.name()};
            findUnread(info, "value " + info.name());
            port.isTensor = info.type().has_tensor_type();
            const wire::TensorType& type = info.type().tensor_type();
            port.element = static_cast<Element>(type.elem_type());
            if (type.has_shape()) {
                requireDims(model_.file, "value " + port.name,
                            static_cast<std::size_t>(type.shape().dim_size()));
                port.dims.emplace();
                for (const wire::Dim& dim : type.shape().dim()) {
                    port.dims->push_back(
                        {.size = dim.has_dim_value() && dim.dim_value() > 0 ? dim.dim_value() : -1,
                         .name = dim.dim_param()});
                }
            }
            to.push_back(std::move(port));
        }
    }

    void readNodes(wire::Graph& graph) {
        model_.nodes.reserve(static_cast<std::size_t>(graph.node_size()));
        for (wire::Node& from : *graph.mutable_node()) {
            Node node{.name = from.name(), .op = from.op_type(), .domain = from.domain()};
            if (node.domain == "ai.onnx") {
                node.domain.clear();
            }
            node.inputs.assign(from.input().begin(), from.input().end());
            node.outputs.assign(from.output().begin(), from.output().end());
            if (from.GetReflection()->GetUnknownFields(from).field_count() > 0) {
                findUnread(from, node.label());
            }
            for (const wire::Attribute& attribute : from.attribute()) {
                node.attributes.push_back(attributeOf(node, attribute));
            }
            model_.nodes.push_back(std::move(node));
            from.Clear();
        }
    }

    Attribute attributeOf(const Node& node, const wire::Attribute& from) {
        using ValueType = Attribute::ValueType;
        Attribute made{.name = from.name()};
        switch (from.type()) {
        case 1:
            made.type = ValueType::real;
            made.real = shortest(from.f());
            break;
        case 2:
            made.type = ValueType::whole;
            made.whole = from.i();
            break;
        case 3:
            made.type = ValueType::text;
            made.text = from.s();
            break;
        case 4:
            made.type = ValueType::tensor;
            made.tensor = std::make_shared<const Tensor>(
                TensorReader(model_.file, others_, from.t(),
                             fmt::format("{} of {}", from.name(), node.label()))
                    .read());
            break;
        case 6:
            made.type = ValueType::reals;
            made.reals.assign(from.floats().begin(), from.floats().end());
            break;
        case 7:
            made.type = ValueType::wholes;
            made.wholes.assign(from.ints().begin(), from.ints().end());
            break;
        default: made.type = ValueType::other; break;
        }
        return made;
    }

    /// Throws Error unless every value has one writer and is written before it is read.
    void checkOrder() const {
        std::unordered_set<std::string_view> written;
        for (const auto& [name, tensor] : model_.constants) {
            written.insert(name);
        }
        for (const ModelPort& port : model_.inputs) {
            if (!written.insert(port.name).second) {
                fail(model_.file, fmt::format("has two inputs named {}", port.name));
            }
        }
        for (const Node& node : model_.nodes) {
            for (const std::string& input : node.inputs) {
                if (!input.empty() && !written.contains(input)) {
                    fail(model_.file,
                         fmt::format("{} reads {}, which no earlier node computes: the nodes are "
                                     "not in order, or form a cycle",
                                     node.label(), input));
                }
            }
            for (const std::string& output : node.outputs) {
                if (!output.empty() && !written.insert(output).second) {
                    fail(model_.file,
                         fmt::format("{} computes {}, which already exists", node.label(), output));
                }
            }
        }
        for (const ModelPort& port : model_.outputs) {
            if (!written.contains(port.name)) {
                fail(model_.file, fmt::format("output {} is computed by no node", port.name));
            }
        }
    }

    Model model_;
    ExternalFiles others_;
    wire::Model wire_;
};

} // namespace

Model readModel(const fs::path& file) { return ModelReader(file).read(); }

Tensor readTensor(const fs::path& file) {
    wire::Tensor tensor;
    parseFile(file, tensor, "an ONNX tensor");
    ExternalFiles others(file);
    return TensorReader(file, others, tensor, tensor.name()).read();
}

} // namespace onnx

} // namespace weft
