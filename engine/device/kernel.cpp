// SPDX-License-Identifier: Apache-2.0
#include "device/kernel.h"

#include <algorithm>

namespace weft {

namespace {

class CallableKernel final : public Kernel {
public:
    explicit CallableKernel(std::function<void(const KernelArguments&)> run)
        : run_(std::move(run)) {}
    void run(const KernelArguments& at) override { run_(at); }

private:
    std::function<void(const KernelArguments&)> run_;
};

} // namespace

void KernelList::add(KernelMaker maker) {
    const auto found =
        std::ranges::find_if(byOp_, [&](const auto& entry) { return entry.first == maker.op; });
    auto& entry =
        found != byOp_.end() ? *found : byOp_.emplace_back(maker.op, std::vector<KernelMaker>{});
    entry.second.push_back(std::move(maker));
}

void KernelList::addForAny(KernelMaker maker) { forAny_.push_back(std::move(maker)); }

std::span<const KernelMaker> KernelList::of(const std::string& op) const {
    const auto found =
        std::ranges::find_if(byOp_, [&](const auto& entry) { return entry.first == op; });
    return found == byOp_.end() ? std::span(forAny_) : std::span(found->second);
}

std::vector<std::string> KernelList::ops() const {
    std::vector<std::string> names;
    names.reserve(byOp_.size());
    for (const auto& [op, makers] : byOp_) {
        names.push_back(op);
    }
    return names;
}

std::unique_ptr<Kernel> makeKernel(std::function<void(const KernelArguments&)> run) {
    return std::make_unique<CallableKernel>(std::move(run));
}

} // namespace weft
