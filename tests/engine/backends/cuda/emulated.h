// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of backends/cuda, run on the host by support/simt and held against the reference.

#include "cases_beside.h"
#include "simt/threads.h"

namespace weft::test {

/// Told before a call what its operands, results and scratch are, and after it.
struct MemoryWatch {
    std::function<void(const void* first, std::size_t size)> owns = {};
    std::function<void()> ends = {};
};

class EmulatedCuda {
public:
    explicit EmulatedCuda(MemoryWatch watch = {});

    /// Returns the ops with kernels: those of the catalogue, then the others.
    [[nodiscard]] std::vector<std::string> ops() const;
    /// The first fault of its kernels for an op, on all samples and parts of them: as they are
    /// asked first, in place, with maps channels-last and with operands on odd addresses. Threads
    /// take turns in that order, results hold rubbish before. Empty: none.
    [[nodiscard]] std::string faultOf(const std::string& op, simt::Order order);
    /// Calls that were computed and compared so far.
    [[nodiscard]] int compared() const { return compared_; }

private:
    /// Refused: no fault, and not counted.
    std::string faultOf(const KernelMaker& maker, const CaseBeside& one, RunOptions options);
    /// A case, and the ways in which it is asked.
    struct Asked {
        CaseBeside one;
        std::vector<RunOptions> ways;
        bool isOfBf16 = false; ///< for makers that take them
    };
    [[nodiscard]] std::vector<Asked> askedOf(const std::string& op);
    /// The case with numbers that bf16 holds exactly, offered as such.
    [[nodiscard]] Asked keptAsBf16(const Op& op, const KernelCase& one);

    MemoryWatch watch_;
    KernelCases cases_{largerSamples()};
    std::map<std::string, std::vector<CaseBeside>> beside_ = casesBeside();
    Oracle device_;
    Oracle reference_;
    int compared_ = 0;
};

} // namespace weft::test
