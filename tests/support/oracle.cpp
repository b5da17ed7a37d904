// SPDX-License-Identifier: Apache-2.0
#include "backends/backends.h"
#include "example/example.h"
#include "support/evaluate.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace weft::test {

namespace {

constexpr std::size_t guardBytes = 64;
constexpr std::byte guard{0x5B};

/// Where the operands and results of one call lie in one arena, each between guards.
class Buffers {
public:
    Buffers(std::size_t alignment, std::size_t shift)
        : alignment_(std::max(alignment, guardBytes)), shift_(shift) {}

    /// Its offset.
    std::size_t add(std::size_t bytes) {
        const std::size_t offset = end_ + alignment_ + shift_;
        sizes_.emplace_back(offset, bytes);
        end_ = (offset + bytes + 2 * alignment_ - 1) / alignment_ * alignment_;
        return offset;
    }
    [[nodiscard]] std::size_t end() const { return end_ + alignment_; }
    /// Guards everywhere but inside the buffers.
    [[nodiscard]] bool areGuardsWhole(const std::vector<std::byte>& memory) const {
        std::vector<bool> inside(memory.size(), false);
        for (const auto& [offset, bytes] : sizes_) {
            std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(offset), bytes, true);
        }
        for (std::size_t k = 0; k < memory.size(); ++k) {
            if (!inside[k] && memory[k] != guard) {
                return false;
            }
        }
        return true;
    }

private:
    std::size_t alignment_;
    std::size_t shift_;
    std::size_t end_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> sizes_;
};

std::size_t bytesOf(const TensorPart& part) {
    return static_cast<std::size_t>(bytesIn(part.format, part.dtype, part.shape).count);
}

[[noreturn]] void fail(const std::string& op, const std::string& implementation,
                       const std::string& what) {
    throw Error(ErrorCode::bug, Where{.op = op}, implementation + " " + what, "mend the kernel");
}

/// The request with the formats that the kernel asked for.
KernelRequest settled(KernelRequest request, const KernelChoice& choice) {
    for (std::size_t k = 0; k < choice.inputFormats.size(); ++k) {
        request.inputs[k].format = choice.inputFormats[k];
    }
    for (std::size_t k = 0; k < choice.outputFormats.size(); ++k) {
        request.outputs[k].format = choice.outputFormats[k];
    }
    return request;
}

/// One call of a kernel: memory with guards, filled, run and looked at.
class RunningCall {
public:
    RunningCall(const KernelRequest& request, const KernelChoice& choice, std::size_t alignment,
                Device& device, const RunOptions& options)
        : request_(request),
          implementation_(choice.implementation),
          device_(device),
          options_(options),
          buffers_(alignment, options.shift) {
        for (const TensorPart& part : request.inputs) {
            inputs_.push_back(buffers_.add(bytesOf(part)));
        }
        for (std::size_t k = 0; k < request.outputs.size(); ++k) {
            outputs_.push_back(sharedWith(k) < 0
                                   ? buffers_.add(bytesOf(request.outputs[k]))
                                   : inputs_[static_cast<std::size_t>(sharedWith(k))]);
        }
        scratch_ = buffers_.add(static_cast<std::size_t>(choice.scratch.count));
    }

    std::vector<Tensor> run(Kernel& kernel, const std::vector<Tensor>& inputs, Stream& stream) {
        std::vector<std::byte> memory(buffers_.end(), guard);
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            std::memset(memory.data() + outputs_[k], static_cast<int>(options_.fill),
                        bytesOf(request_.outputs[k]));
        }
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const auto bytes = toFormat(inputs[k], request_.inputs[k].format);
            std::ranges::copy(bytes, memory.begin() + static_cast<std::ptrdiff_t>(inputs_[k]));
        }
        const Bytes size{static_cast<std::int64_t>(memory.size())};
        const auto arena = device_.allocate(size);
        device_.copyIn(arena->address(), memory.data(), size);
        call(kernel, static_cast<std::byte*>(arena->address()), stream);
        std::vector<std::byte> after(memory.size());
        device_.copyOut(after.data(), arena->address(), size);
        inspect(memory, after);
        return results(after);
    }

private:
    [[nodiscard]] int sharedWith(std::size_t output) const {
        for (const auto& [in, out] : options_.inPlace) {
            if (out == output) {
                return static_cast<int>(in);
            }
        }
        return -1;
    }
    [[nodiscard]] bool isShared(std::size_t input) const {
        return std::ranges::any_of(options_.inPlace,
                                   [&](const auto& pair) { return pair.input == input; });
    }

    void call(Kernel& kernel, std::byte* arena, Stream& stream) const {
        std::vector<const void*> inputs;
        std::vector<void*> outputs;
        inputs.reserve(inputs_.size());
        outputs.reserve(outputs_.size());
        for (const std::size_t offset : inputs_) {
            inputs.push_back(arena + offset);
        }
        for (const std::size_t offset : outputs_) {
            outputs.push_back(arena + offset);
        }
        kernel.run({inputs, outputs, arena + scratch_, &stream});
        stream.finish();
    }

    void inspect(const std::vector<std::byte>& before, const std::vector<std::byte>& after) const {
        if (!buffers_.areGuardsWhole(after)) {
            fail(request_.op, implementation_, "writes outside its buffers");
        }
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const std::size_t bytes = bytesOf(request_.inputs[k]);
            if (!isShared(k) &&
                std::memcmp(before.data() + inputs_[k], after.data() + inputs_[k], bytes) != 0) {
                fail(request_.op, implementation_, fmt::format("changes operand {}", k));
            }
        }
    }

    [[nodiscard]] std::vector<Tensor> results(const std::vector<std::byte>& memory) const {
        std::vector<Tensor> list;
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            const TensorPart& part = request_.outputs[k];
            const auto first = memory.begin() + static_cast<std::ptrdiff_t>(outputs_[k]);
            const std::vector<std::byte> bytes(first,
                                               first + static_cast<std::ptrdiff_t>(bytesOf(part)));
            list.push_back(fromFormat(bytes, part.dtype, part.shape, part.format));
        }
        return list;
    }

    const KernelRequest& request_;
    std::string implementation_;
    Device& device_;
    const RunOptions& options_;
    Buffers buffers_;
    std::vector<std::size_t> inputs_;
    std::vector<std::size_t> outputs_;
    std::size_t scratch_ = 0;
};

/// Calls visit(element in plain order, element in the format).
template <class Visit>
void eachInFormat(const Shape& shape, const Format& format, const Visit& visit) {
    const FormatLayout layout = layoutOf(format, shape.size());
    Shape blocks(shape.size(), 1);
    for (const auto& [dim, size] : layout.blocks) {
        blocks[static_cast<std::size_t>(dim)] *= size;
    }
    const std::int64_t elements = elementsOf(shape);
    Shape index(shape.size(), 0);
    for (std::int64_t element = 0; element < elements; ++element) {
        std::int64_t target = 0;
        for (const int entry : layout.order) {
            const auto dim = static_cast<std::size_t>(entry);
            target =
                target * ((shape[dim] + blocks[dim] - 1) / blocks[dim]) + index[dim] / blocks[dim];
        }
        Shape inner(shape.size());
        std::ranges::transform(index, blocks, inner.begin(), std::modulus<>{});
        Shape rest = blocks;
        for (const auto& [entry, size] : layout.blocks) {
            const auto dim = static_cast<std::size_t>(entry);
            rest[dim] /= size;
            target = target * size + inner[dim] / rest[dim];
            inner[dim] %= rest[dim];
        }
        visit(element, target);
        for (std::size_t dim = shape.size(); dim-- > 0 && ++index[dim] == shape[dim];) {
            index[dim] = 0;
        }
    }
}

} // namespace

std::vector<std::byte> toFormat(const Tensor& plain, const Format& format) {
    if (format.isPlain()) {
        return plain.bytes;
    }
    const std::size_t size = byteSize(plain.dtype);
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(bytesIn(format, plain.dtype, plain.shape).count));
    if (format.isHalved()) {
        intoFormat(format, plain.shape, size, plain.bytes.data(), bytes.data());
        return bytes;
    }
    eachInFormat(plain.shape, format, [&](std::int64_t from, std::int64_t to) {
        std::memcpy(bytes.data() + static_cast<std::size_t>(to) * size,
                    plain.bytes.data() + static_cast<std::size_t>(from) * size, size);
    });
    return bytes;
}

Tensor fromFormat(const std::vector<std::byte>& bytes, DType dtype, const Shape& shape,
                  const Format& format) {
    Tensor plain(dtype, shape);
    const std::size_t size = byteSize(dtype);
    if (format.isHalved()) {
        outOfFormat(format, shape, size, bytes.data(), plain.bytes.data());
        return plain;
    }
    eachInFormat(shape, format, [&](std::int64_t to, std::int64_t from) {
        std::memcpy(plain.bytes.data() + static_cast<std::size_t>(to) * size,
                    bytes.data() + static_cast<std::size_t>(from) * size, size);
    });
    return plain;
}

TensorPart wholePart(DType dtype, const Shape& shape) {
    return {dtype, shape, Shape(shape.size(), 0), shape, {}};
}

KernelRequest requestOf(const std::string& op, const Attributes& attributes,
                        const std::vector<TensorPart>& inputs,
                        const std::vector<TensorPart>& outputs, const RunOptions& options) {
    KernelRequest request{.op = op, .attributes = attributes, .inputs = inputs, .outputs = outputs};
    request.cores = options.cores;
    request.randomKey = options.randomKey;
    request.mayChooseFormats = options.mayChooseFormats;
    request.inPlace = options.inPlace;
    for (std::size_t k = 0; k < options.formats.size(); ++k) {
        request.inputs[k].format = options.formats[k];
    }
    return request;
}

Oracle::Oracle() {
    BackendList backends;
    backends::fill(backends);
    const Backend* reference = backends.find("reference");
    ensure(reference != nullptr, "the tests have the reference backend to compare with");
    backend_ = *reference;
    device_ = backend_.open("reference:0", 1);
    stream_ = device_->makeStream(0, 1);
    example::reference::fill(examples_);
}

Oracle::Oracle(const Backend& backend, const std::string& device, int cores)
    : backend_(backend),
      device_(backend.open(device, cores)),
      stream_(device_->makeStream(0, cores)) {}

std::vector<Tensor> Oracle::run(const KernelRequest& request, const KernelChoice& choice,
                                const std::vector<Tensor>& inputs, const RunOptions& options) {
    const KernelRequest asked = settled(request, choice);
    return RunningCall(asked, choice, backend_.alignment, *device_, options)
        .run(*choice.make(), inputs, *stream_);
}

std::vector<Tensor> Oracle::run(const std::string& op, const Attributes& attributes,
                                const std::vector<Tensor>& inputs,
                                const std::vector<TensorPart>& inputParts,
                                const std::vector<TensorPart>& outputParts,
                                const RunOptions& options) {
    const KernelRequest request = requestOf(op, attributes, inputParts, outputParts, options);
    std::string refusals;
    const auto own = kernels().of(op);
    for (const KernelMaker& maker : own.empty() ? examples_.of(op) : own) {
        const ChoiceOrRefusal choice = maker.choose(request);
        if (choice) {
            return run(request, *choice, inputs, options);
        }
        refusals += maker.implementation + ": " + choice.error().reason + "; ";
    }
    fail(op, refusals.empty() ? "no backend" : refusals, "has a kernel for it");
}

std::vector<Tensor> Oracle::run(const std::string& op, const Attributes& attributes,
                                const std::vector<Tensor>& inputs,
                                const std::vector<TensorType>& outputs, const RunOptions& options) {
    std::vector<TensorPart> inputParts;
    std::vector<TensorPart> outputParts;
    inputParts.reserve(inputs.size());
    outputParts.reserve(outputs.size());
    for (const Tensor& input : inputs) {
        inputParts.push_back(wholePart(input.dtype, input.shape));
    }
    for (const TensorType& output : outputs) {
        outputParts.push_back(wholePart(output.dtype, output.shape));
    }
    return run(op, attributes, inputs, inputParts, outputParts, options);
}

} // namespace weft::test
