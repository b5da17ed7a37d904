// SPDX-License-Identifier: Apache-2.0
#include "device/kernel.h"

#include "device/repeat_body.h"

#include <algorithm>

namespace weft {

namespace {

class CallableKernel final : public Kernel {
public:
    explicit CallableKernel(std::function<void(const KernelArguments&)> run)
        : run_(std::move(run)) {}
    void run(const KernelArguments& arguments) override { run_(arguments); }

private:
    std::function<void(const KernelArguments&)> run_;
};

/// Returns the first floating operand with an unsupported type.
const TensorPart* notServed(const KernelRequest& request, const std::vector<DType>& served) {
    for (const auto* parts : {&request.inputs, &request.outputs}) {
        for (const TensorPart& part : *parts) {
            if (isFloating(part.dtype) && std::ranges::find(served, part.dtype) == served.end()) {
                return &part;
            }
        }
    }
    const std::span<const KernelRequest> inside = request.body ? std::span(request.body->members)
                                                  : request.repeat
                                                      ? std::span(request.repeat->members)
                                                      : std::span<const KernelRequest>{};
    for (const KernelRequest& member : inside) {
        if (const TensorPart* part = notServed(member, served)) {
            return part;
        }
    }
    return nullptr;
}

std::string namesOf(const std::vector<DType>& types) {
    std::string names;
    for (const DType type : types) {
        names += (names.empty() ? "" : " and ") + std::string(nameOf(type));
    }
    return names;
}

/// Wraps the maker so that it refuses types that it does not support.
KernelMaker ofServedTypes(KernelMaker maker) {
    if (!maker.floating.empty()) {
        maker.choose = [choose = std::move(maker.choose), served = maker.floating,
                        name =
                            maker.implementation](const KernelRequest& request) -> ChoiceOrRefusal {
            if (const TensorPart* part = notServed(request, served)) {
                return tl::make_unexpected(
                    Refusal{name, "computes in " + namesOf(served) + ", not in " +
                                      std::string(nameOf(part->dtype)) + ": cast the operands"});
            }
            return choose(request);
        };
    }
    return maker;
}

/// True if all ops of "add+relu" are in the set.
bool isFreeChain(const FreeChains& chains, std::string_view name) {
    if (name.find('+') == std::string_view::npos) {
        return false;
    }
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t plus = std::min(name.find('+', from), name.size());
        if (!chains.has(name.substr(from, plus - from))) {
            return false;
        }
        from = plus + 1;
    }
    return true;
}

/// Wraps the maker so that it is offered f32 if it does not support bf16.
KernelMaker ofServedFormats(KernelMaker maker) {
    if (maker.takesBf16) {
        return maker;
    }
    maker.choose = [choose = std::move(maker.choose),
                    name = maker.implementation](const KernelRequest& request) -> ChoiceOrRefusal {
        const auto isHalved = [](const TensorPart& part) { return part.format.isHalved(); };
        if (std::ranges::none_of(request.inputs, isHalved) &&
            std::ranges::none_of(request.outputs, isHalved)) {
            return choose(request);
        }
        if (!request.mayChooseFormats) {
            return tl::make_unexpected(Refusal{name, "supports f32, not bf16"});
        }
        KernelRequest wide = request;
        for (auto* parts : {&wide.inputs, &wide.outputs}) {
            for (TensorPart& part : *parts) {
                part.format = widened(part.format);
            }
        }
        return choose(wide);
    };
    return maker;
}

/// Applies both wrappers.
KernelMaker served(KernelMaker maker) { return ofServedFormats(ofServedTypes(std::move(maker))); }

} // namespace

void KernelList::add(KernelMaker maker) {
    const auto found =
        std::ranges::find_if(byOp_, [&](const auto& entry) { return entry.first == maker.op; });
    auto& entry =
        found != byOp_.end() ? *found : byOp_.emplace_back(maker.op, std::vector<KernelMaker>{});
    entry.second.push_back(served(std::move(maker)));
}

void KernelList::addForAny(KernelMaker maker) { forAny_.push_back(served(std::move(maker))); }

void KernelList::addForChains(std::vector<std::string> ops, KernelMaker maker) {
    freeChains_.ops = std::move(ops);
    freeChains_.makers.push_back(served(std::move(maker)));
}

bool FreeChains::has(std::string_view op) const { return std::ranges::find(ops, op) != ops.end(); }

std::span<const KernelMaker> KernelList::of(const std::string& op) const {
    const std::span<const KernelMaker> own = ownOf(op);
    return own.empty() ? std::span(forAny_) : own;
}

std::span<const KernelMaker> KernelList::ownOf(const std::string& op) const {
    const auto found =
        std::ranges::find_if(byOp_, [&](const auto& entry) { return entry.first == op; });
    if (found != byOp_.end()) {
        return found->second;
    }
    return isFreeChain(freeChains_, op) ? std::span(freeChains_.makers)
                                        : std::span<const KernelMaker>{};
}

std::string_view nameOf(Precision precision) {
    switch (precision) {
    case Precision::tf32: return "TF32";
    case Precision::bf16: return "bf16";
    case Precision::exact: break;
    }
    return "exact";
}

std::string KernelList::whyNone(bool isHere) const {
    std::string why = "the device has no kernels for that precision";
    const auto serves = [&](const KernelMaker& maker) {
        std::string lacks = isHere && maker.lacks ? maker.lacks() : "";
        const bool isServed = lacks.empty();
        why = std::move(lacks);
        return isServed;
    };
    const bool hasAny =
        std::ranges::any_of(forAny_, serves) || std::ranges::any_of(byOp_, [&](const auto& entry) {
            return std::ranges::any_of(entry.second, serves);
        });
    return hasAny ? "" : why;
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
