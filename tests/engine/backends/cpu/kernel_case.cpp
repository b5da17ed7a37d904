// SPDX-License-Identifier: Apache-2.0
#include "kernel_case.h"

#include "base/philox.h"
#include "graph/builder.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <cstring>

namespace weft::reference {

void fill(KernelList& list);

} // namespace weft::reference

namespace weft::test {

namespace {

constexpr std::size_t guard = 64;
constexpr std::byte guardByte{0xA5};

TensorPart partOf(const Tensor& tensor, const Format& offered) {
    TensorPart part{tensor.dtype, tensor.shape, Shape(tensor.shape.size(), 0), tensor.shape};
    part.format = tensor.shape.size() == 4 ? offered : Format{};
    return part;
}

/// Memory with guards on both sides, aligned as a device's.
class Room {
public:
    explicit Room(std::size_t bytes) : size_(bytes), bytes_(bytes + 2 * guard + 64, guardByte) {
        const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data()) + guard;
        first_ = (64 - address % 64) % 64 + guard;
    }
    [[nodiscard]] void* address() { return bytes_.data() + first_; }
    [[nodiscard]] bool isIntact() const {
        for (std::size_t k = 0; k < bytes_.size(); ++k) {
            if ((k < first_ || k >= first_ + size_) && bytes_[k] != guardByte) {
                return false;
            }
        }
        return true;
    }

private:
    std::size_t size_;
    std::vector<std::byte> bytes_;
    std::size_t first_ = 0;
};

template <class T>
void setAs(void* to, std::int64_t k, double value) {
    static_cast<T*>(to)[k] = static_cast<T>(value);
}
void setElement(void* to, DType dtype, std::int64_t k, double value) {
    switch (dtype) {
    case DType::f64: setAs<double>(to, k, value); break;
    case DType::i32: setAs<std::int32_t>(to, k, value); break;
    case DType::i64: setAs<std::int64_t>(to, k, value); break;
    case DType::u8: setAs<std::uint8_t>(to, k, value); break;
    default: setAs<float>(to, k, value); break;
    }
}
double elementOf(const void* from, DType dtype, std::int64_t k) {
    switch (dtype) {
    case DType::f64: return static_cast<const double*>(from)[k];
    case DType::i32: return static_cast<const std::int32_t*>(from)[k];
    case DType::i64: return static_cast<double>(static_cast<const std::int64_t*>(from)[k]);
    case DType::u8: return static_cast<const std::uint8_t*>(from)[k];
    default: return static_cast<const float*>(from)[k];
    }
}

/// Calls visit(logical number, place) for each element; the format is an order of the dims.
template <class Visit>
void eachPlace(const Shape& shape, const Format& format, Visit visit) {
    const auto steps = stridesOf(format, shape);
    for (std::int64_t n = 0; n < elementsOf(shape); ++n) {
        std::int64_t rest = n;
        std::int64_t place = 0;
        for (std::size_t k = shape.size(); k-- > 0;) {
            place += rest % shape[k] * steps[k];
            rest /= shape[k];
        }
        visit(n, place);
    }
}

Room roomOf(const Tensor& tensor) {
    return Room(static_cast<std::size_t>(elementsOf(tensor.shape)) * byteSize(tensor.dtype));
}

std::vector<Tensor> reference(const KernelList& kernels, KernelCase each,
                              const std::vector<TensorType>& results) {
    for (Tensor& input : each.inputs) {
        input.dtype = isFloating(input.dtype) ? DType::f64 : input.dtype;
    }
    each.outputs.clear();
    for (const TensorType& result : results) {
        each.outputs.push_back(
            {isFloating(result.dtype) ? DType::f64 : result.dtype, result.shape, {}});
    }
    const auto makers = kernels.of(each.op);
    ensure(!makers.empty(), "every op has a reference kernel");
    Outcome outcome = runKernel(makers.front(), each, {});
    ensure(outcome.refusal.empty(), "the reference computes in double");
    for (std::size_t k = 0; k < results.size(); ++k) {
        outcome.outputs[k].dtype = results[k].dtype;
    }
    return std::move(outcome.outputs);
}

Tensor draw(const Op& op, const Sample& sample, std::size_t k, std::uint64_t seed) {
    const OpInput& input = op.inputs[std::min(k, op.inputs.size() - 1)];
    Tensor tensor{DType::f32, sample.inputs[k], {}};
    std::size_t integers = 0;
    for (std::size_t before = 0; before < k; ++before) {
        integers += op.inputs[std::min(before, op.inputs.size() - 1)].type == Operand::integer;
    }
    if (input.type == Operand::integer && !sample.operands) {
        tensor.dtype = integers < sample.dtypes.size() ? sample.dtypes[integers] : DType::i64;
    }
    const Philox philox({seed + k, {}, op.name, 0});
    for (std::int64_t n = 0; n < elementsOf(tensor.shape); ++n) {
        const auto element = static_cast<std::uint64_t>(n);
        if (!isFloating(tensor.dtype)) {
            tensor.values.push_back(static_cast<double>(
                philox.below(element, static_cast<std::uint64_t>(sample.integersBelow))));
        } else {
            const double u = philox.uniform(element);
            // As a float holds it, so that both sides compute with the same numbers.
            tensor.values.push_back(
                static_cast<float>(sample.positive ? 0.1 + 1.9 * u : 2 * u - 1));
        }
    }
    return tensor;
}

/// Operands that other ops make of the drawn ones: a small graph, run by the reference.
std::vector<Tensor> madeOperands(const Sample& sample, const OpList& ops, const KernelList& kernels,
                                 std::vector<Tensor> drawn) {
    Graph graph;
    Builder builder(graph, ops);
    std::vector<ValueId> feeds;
    std::map<ValueId, Tensor> known;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        feeds.push_back(builder.addFeed(fmt::format("drawn{}", k), FeedKind::data, drawn[k].dtype,
                                        drawn[k].shape));
        known[feeds.back()] = std::move(drawn[k]);
    }
    const std::vector<ValueId> operands = sample.operands(builder, feeds);
    for (const Node& node : graph.nodes) {
        KernelCase each{.op = node.op->name, .attributes = node.attributes};
        for (const ValueId input : node.inputs) {
            each.inputs.push_back(known.at(input));
        }
        std::vector<TensorType> results;
        for (const ValueId output : node.outputs) {
            results.push_back({graph.at(output).dtype, graph.at(output).shape});
        }
        std::vector<Tensor> values = reference(kernels, each, results);
        for (std::size_t k = 0; k < values.size(); ++k) {
            for (double& value : values[k].values) {
                value = isFloating(values[k].dtype) ? static_cast<float>(value) : value;
            }
            known[node.outputs[k]] = std::move(values[k]);
        }
    }
    std::vector<Tensor> made;
    made.reserve(operands.size());
    for (const ValueId operand : operands) {
        made.push_back(known.at(operand));
    }
    return made;
}

} // namespace

std::vector<KernelCase> casesOf(const Op& op, const OpList& ops, std::uint64_t seed) {
    KernelList kernels;
    reference::fill(kernels);
    std::vector<KernelCase> cases;
    for (const Sample& sample : op.samples) {
        std::vector<Tensor> inputs;
        for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
            inputs.push_back(draw(op, sample, k, seed));
        }
        if (sample.operands) {
            inputs = madeOperands(sample, ops, kernels, std::move(inputs));
        }
        Signature signature{completed(sample.attributes, op.attributes), {}, {}};
        KernelCase each{.name = fmt::format("{} {}", op.name, cases.size()),
                        .op = op.name,
                        .attributes = signature.attributes,
                        .inputs = std::move(inputs),
                        .inPlace = op.inPlace,
                        .randomKey = 0x123456789abcdefU};
        for (const Tensor& input : each.inputs) {
            signature.inputs.push_back({input.dtype, input.shape});
        }
        signature.outputs.assign(op.outputs.size(), {DType::f32, {}});
        Inference inference(signature);
        op.shape(inference);
        ensure(!inference.isRefused(), "a sample's shapes fit");
        each.outputs = reference(kernels, each, signature.outputs);
        cases.push_back(std::move(each));
    }
    return cases;
}

KernelRequest requestOf(const KernelCase& each, const Offer& offer) {
    KernelRequest request;
    request.op = each.op;
    request.attributes = each.attributes;
    request.cores = offer.cores;
    request.randomKey = each.randomKey;
    request.mayChooseFormats = offer.mayChooseFormats;
    for (const Tensor& input : each.inputs) {
        request.inputs.push_back(partOf(input, offer.format));
    }
    for (const Tensor& result : each.outputs) {
        request.outputs.push_back(partOf(result, {}));
    }
    return request;
}

Outcome runKernel(const KernelMaker& maker, const KernelCase& each, const Offer& offer) {
    const KernelRequest request = requestOf(each, offer);
    Outcome outcome;
    auto prepared = maker.prepare(request);
    if (!prepared) {
        outcome.refusal = prepared.error().reason;
        return outcome;
    }
    outcome.implementation = prepared->implementation;
    std::vector<Room> inputs;
    std::vector<Room> outputs;
    std::vector<const void*> from;
    std::vector<void*> to;
    for (std::size_t k = 0; k < each.inputs.size(); ++k) {
        const Tensor& tensor = each.inputs[k];
        const Format format = k < prepared->inputFormats.size() ? prepared->inputFormats[k]
                                                                : request.inputs[k].format;
        inputs.push_back(roomOf(tensor));
        void* address = inputs.back().address();
        eachPlace(tensor.shape, format, [&](std::int64_t n, std::int64_t place) {
            setElement(address, tensor.dtype, place, tensor.values[static_cast<std::size_t>(n)]);
        });
        from.push_back(address);
    }
    for (const Tensor& tensor : each.outputs) {
        outputs.push_back(roomOf(tensor));
        to.push_back(outputs.back().address());
    }
    Room scratch(static_cast<std::size_t>(prepared->scratch.count));
    for (int call = 0; call < 2; ++call) { // what is left from a first call must not matter
        prepared->kernel->run({from, to, scratch.address(), nullptr});
    }
    for (std::size_t k = 0; k < each.outputs.size(); ++k) {
        Tensor tensor{each.outputs[k].dtype, each.outputs[k].shape, {}};
        tensor.values.resize(static_cast<std::size_t>(elementsOf(tensor.shape)));
        const Format format =
            k < prepared->outputFormats.size() ? prepared->outputFormats[k] : Format{};
        eachPlace(tensor.shape, format, [&](std::int64_t n, std::int64_t place) {
            tensor.values[static_cast<std::size_t>(n)] = elementOf(to[k], tensor.dtype, place);
        });
        outcome.outputs.push_back(std::move(tensor));
        outcome.overrun += outputs[k].isIntact() ? "" : fmt::format("around output {}; ", k);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        outcome.overrun += inputs[k].isIntact() ? "" : fmt::format("around input {}; ", k);
    }
    outcome.overrun += scratch.isIntact() ? "" : "around the scratch";
    return outcome;
}

} // namespace weft::test
