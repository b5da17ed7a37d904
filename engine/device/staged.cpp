// SPDX-License-Identifier: Apache-2.0
#include "device/staged.h"

#include "device/backend.h"
#include <weft/error.h>

#include <cstddef>

namespace weft {

namespace {

/// Alignment of every tensor in staging memory, in bytes.
constexpr std::int64_t alignment = 64;

/// Layout of the staging memory: host copies of operands and results, and the kernel's scratch.
struct StagingLayout {
    struct Block {
        std::int64_t offset = 0;
        Bytes size = {};
    };
    std::vector<Block> inputs = {};
    std::vector<Block> outputs = {};
    Block scratch = {};
    Bytes size = {};

    [[nodiscard]] Block reserve(Bytes bytes) {
        const Block block{size.count, bytes};
        size.count += (bytes.count + alignment - 1) / alignment * alignment;
        return block;
    }
};

/// Reserves a block per part, in the format that the choice requires.
std::vector<StagingLayout::Block> reserve(StagingLayout& layout,
                                          const std::vector<TensorPart>& parts,
                                          const std::vector<Format>& formats) {
    std::vector<StagingLayout::Block> blocks;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Format& format = k < formats.size() ? formats[k] : parts[k].format;
        blocks.push_back(layout.reserve(bytesIn(format, parts[k].dtype, parts[k].shape)));
    }
    return blocks;
}

class StagedKernel final : public Kernel {
public:
    StagedKernel(std::unique_ptr<Kernel> host, StagingLayout layout)
        : host_(std::move(host)),
          layout_(std::move(layout)),
          inputs_(layout_.inputs.size()),
          outputs_(layout_.outputs.size()) {}

    void run(const KernelArguments& arguments) override {
        ensure(arguments.stream != nullptr, "a staged copy is enqueued on a stream");
        bindTo(arguments.staging);
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            arguments.stream->copyOut(addressOf(layout_.inputs[k]), arguments.inputs[k],
                                      layout_.inputs[k].size);
        }
        arguments.stream->call([this, predicted = arguments.predicted] {
            host_->run({inputs_, outputs_, addressOf(layout_.scratch), nullptr, predicted});
        });
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            if (arguments.outputs[k] != nullptr) {
                arguments.stream->copyIn(arguments.outputs[k], outputs_[k],
                                         layout_.outputs[k].size);
            }
        }
    }

private:
    using Block = StagingLayout::Block;

    [[nodiscard]] std::byte* addressOf(const Block& block) const { return staging_ + block.offset; }

    /// Checks that every run uses the same memory: a host thread may still read these addresses.
    void bindTo(void* staging) {
        if (staging == staging_) {
            return;
        }
        ensure(staging_ == nullptr, "a staged kernel keeps its staging memory");
        staging_ = static_cast<std::byte*>(staging);
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            inputs_[k] = addressOf(layout_.inputs[k]);
        }
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            outputs_[k] = addressOf(layout_.outputs[k]);
        }
    }

    std::unique_ptr<Kernel> host_;
    StagingLayout layout_;
    std::byte* staging_ = nullptr;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
};

} // namespace

KernelChoice staged(KernelChoice host, const KernelRequest& request) {
    StagingLayout layout;
    layout.inputs = reserve(layout, request.inputs, host.inputFormats);
    std::vector<Format> made = host.outputFormats; // an output without a format is plain
    made.resize(request.outputs.size());
    layout.outputs = reserve(layout, request.outputs, made);
    layout.scratch = layout.reserve(host.scratch);
    KernelChoice choice = host;
    choice.implementation += " on the host";
    choice.scratch = {};
    choice.staging = layout.size;
    for (const auto* blocks : {&layout.inputs, &layout.outputs}) {
        for (const StagingLayout::Block& block : *blocks) {
            choice.staged += block.size;
        }
    }
    choice.make = [make = host.make, layout] {
        return std::make_unique<StagedKernel>(make(), layout);
    };
    choice.onHost = std::make_shared<const KernelChoice>(std::move(host));
    return choice;
}

} // namespace weft
