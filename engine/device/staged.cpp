// SPDX-License-Identifier: Apache-2.0
#include "device/staged.h"

#include "device/backend.h"
#include <weft/error.h>

namespace weft {

namespace {

/// Bytes of each part in the format that the choice asks for.
std::vector<std::int64_t> sizesOf(const std::vector<TensorPart>& parts,
                                  const std::vector<Format>& formats) {
    std::vector<std::int64_t> sizes;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Format& format = k < formats.size() ? formats[k] : parts[k].format;
        sizes.push_back(bytesIn(format, parts[k].dtype, parts[k].shape).count);
    }
    return sizes;
}

class StagedKernel final : public Kernel {
public:
    StagedKernel(std::unique_ptr<Kernel> host, std::int64_t scratch,
                 const std::vector<std::int64_t>& inputs, const std::vector<std::int64_t>& outputs)
        : host_(std::move(host)), scratch_(static_cast<std::size_t>(scratch)) {
        for (const std::int64_t size : inputs) {
            in_.emplace_back(static_cast<std::size_t>(size));
            inputs_.push_back(in_.back().data());
        }
        for (const std::int64_t size : outputs) {
            out_.emplace_back(static_cast<std::size_t>(size));
            outputs_.push_back(out_.back().data());
        }
    }

    void run(const KernelArguments& at) override {
        ensure(at.lane != nullptr, "what is staged stands in a lane");
        for (std::size_t k = 0; k < in_.size(); ++k) {
            at.lane->copyOut(in_[k].data(), at.inputs[k], sizeOf(in_[k]));
        }
        at.lane->call([this, predicted = at.predicted] {
            host_->run({inputs_, outputs_, scratch_.data(), nullptr, predicted});
        });
        for (std::size_t k = 0; k < out_.size(); ++k) {
            if (at.outputs[k] != nullptr) {
                at.lane->copyIn(at.outputs[k], out_[k].data(), sizeOf(out_[k]));
            }
        }
    }

private:
    using Staging = std::vector<std::byte>;
    static Bytes sizeOf(const Staging& staging) {
        return {static_cast<std::int64_t>(staging.size())};
    }

    std::unique_ptr<Kernel> host_;
    Staging scratch_;
    std::vector<Staging> in_;
    std::vector<Staging> out_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
};

} // namespace

KernelChoice staged(KernelChoice host, const KernelRequest& request) {
    const std::vector<std::int64_t> inputs = sizesOf(request.inputs, host.inputFormats);
    std::vector<Format> made = host.outputFormats; // what is not said is plain
    made.resize(request.outputs.size());
    const std::vector<std::int64_t> outputs = sizesOf(request.outputs, made);
    KernelChoice choice = host;
    choice.implementation += " on the host";
    choice.scratch = {};
    for (const std::int64_t size : inputs) {
        choice.staged += Bytes{size};
    }
    for (const std::int64_t size : outputs) {
        choice.staged += Bytes{size};
    }
    choice.make = [make = host.make, scratch = host.scratch.count, inputs, outputs] {
        return std::make_unique<StagedKernel>(make(), scratch, inputs, outputs);
    };
    choice.onHost = std::make_shared<const KernelChoice>(std::move(host));
    return choice;
}

} // namespace weft
