// SPDX-License-Identifier: Apache-2.0
#include "stages.h"
#include "support/kernel_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace weft::proof {

namespace {

using namespace test;

/// Elements of a case that is small enough for a tool that checks every access.
constexpr std::int64_t fewElements = 1 << 14;

bool isSmall(const KernelCase& one) {
    std::int64_t elements = 0;
    for (const auto* parts : {&one.local.inputs, &one.local.outputs}) {
        for (const TensorPart& part : *parts) {
            elements += part.elements();
        }
    }
    return one.isWhole && elements <= fewElements;
}

/// Returns true if the name begins with an entry of a list: "conv2d,bias".
bool isOneOf(const std::string& name, std::string_view list) {
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(','));
        if (name.starts_with(word)) {
            return true;
        }
        list.remove_prefix(std::min(list.size(), word.size() + 1));
    }
    return false;
}

class Kernels {
public:
    explicit Kernels(const Proved& on) : on_(on), device_(*on.backend, on.device, 1) {}

    void prove(Report& report) {
        for (const Op* op : cases_.ops().all()) {
            each(*op, on_.backend->kernels, [&](const std::string& name, const KernelMaker& maker) {
                report.run(name,
                           [&](Case& trial) { asAsked(trial, *op, maker, Precision::exact); });
            });
            for (const auto& makersOf : on_.backend->rounding) {
                each(*op, makersOf.second, [&](const std::string& name, const KernelMaker& maker) {
                    report.run(name,
                               [&](Case& trial) { asAsked(trial, *op, maker, makersOf.first); });
                });
            }
        }
        for (const Op* op : cases_.ops().all()) {
            proveFormats(report, *op, on_.backend->kernels, Precision::exact);
            for (const auto& [precision, list] : on_.backend->rounding) {
                proveFormats(report, *op, list, precision);
            }
        }
        report.run("what goes through the host",
                   [&](Case& trial) { trial.note("ops", without()); });
    }

private:
    template <class Visit>
    void each(const Op& op, const KernelList& list, const Visit& visit) {
        if (!on_.ops.empty() && !isOneOf(op.name, on_.ops)) {
            return;
        }
        const auto makers = list.of(op.name);
        for (std::size_t k = 0; k < makers.size() && !op.bodied; ++k) {
            visit(fmt::format("{} {} by {}", op.name, k + 1, makers[k].implementation), makers[k]);
        }
    }

    void proveFormats(Report& report, const Op& op, const KernelList& list, Precision precision) {
        each(op, list, [&](const std::string& name, const KernelMaker& maker) {
            if (!tags_.empty()) {
                report.run(name + ", formats of others",
                           [&](Case& trial) { inFormats(trial, op, maker, precision); });
            }
        });
    }

    [[nodiscard]] std::vector<const KernelCase*> casesOf(const Op& op) {
        std::vector<const KernelCase*> list;
        for (const KernelCase& one : cases_.of(op.name)) {
            if (!on_.isSmall || isSmall(one)) {
                list.push_back(&one);
            }
        }
        return list;
    }

    /// True when the kernel took it.
    bool compare(Case& at, const KernelMaker& maker, const KernelCase& one,
                 const RunOptions& options, const std::string& how,
                 Precision precision = Precision::exact) {
        const KernelTrial trial = tryKernel(device_, maker, one, options, precision);
        tags_.insert(trial.tags.begin(), trial.tags.end());
        tags_.erase("");
        at.require(trial.fault.empty(), one.local.name + how + ", " + trial.fault);
        return trial.isTaken;
    }

    void asAsked(Case& trial, const Op& op, const KernelMaker& maker, Precision precision) {
        const auto cases = casesOf(op);
        int taken = 0;
        for (const KernelCase* one : cases) {
            const RunOptions plain{.randomKey = KernelCases::randomKey};
            taken += compare(trial, maker, *one, plain, "", precision) ? 1 : 0;
            for (const RunOptions& way : waysInPlace(op, *one)) {
                compare(trial, maker, *one, way, " in place", precision);
            }
            if (maker.takesBf16) {
                const HalvedCase inBf16 = keptAsBf16(reference_, op.name, *one);
                RunOptions kept = plain;
                kept.formats = inBf16.formats;
                compare(trial, maker, inBf16.held, kept, " as bf16", Precision::bf16);
            }
        }
        trial.note("samples", taken);
        if (cases.empty()) {
            trial.skip("has no small sample");
        } else if (!on_.isSmall) {
            trial.require(taken > 0, "refuses every sample of its op");
        }
    }

    void inFormats(Case& trial, const Op& op, const KernelMaker& maker, Precision precision) {
        int taken = 0;
        for (const KernelCase* one : casesOf(op)) {
            for (const std::string& tag : std::set<std::string>(tags_)) {
                for (const RunOptions& way : waysInFormat(*one, tag)) {
                    taken += compare(trial, maker, *one, way, " given " + tag, precision) ? 1 : 0;
                }
            }
        }
        trial.note("samples", taken);
    }

    [[nodiscard]] std::vector<std::string> without() const {
        std::vector<std::string> names;
        for (const Op* op : cases_.ops().all()) {
            if (on_.backend->kernels.of(op->name).empty()) {
                names.push_back(op->name);
            }
        }
        return names;
    }

    const Proved& on_;
    Oracle device_;
    Oracle reference_;
    KernelCases cases_;
    std::set<std::string> tags_; ///< tags of formats that some kernel chose
};

} // namespace

void proveKernels(const Proved& on, Report& report) { Kernels(on).prove(report); }

} // namespace weft::proof
