// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiles work for several instruction sets in one binary and runs the widest that the processor
// supports. The work and its inner lambdas must be always_inline, because only inlined code is
// compiled for the wider registers.

#include <cstdint>
#include <type_traits>

namespace weft::cpu {

enum class Isa : std::uint8_t { any, avx2, avx512 }; ///< any: without AVX2
/// The widest instruction set that the processor and the system support.
[[nodiscard]] Isa widestIsa();

#if defined(__x86_64__)
template <class Work>
[[gnu::target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,fma")]] void
runOnAvx512(const Work& work) {
    work();
}
template <class Work>
[[gnu::target("avx2,fma")]] void runOnAvx2(const Work& work) {
    work();
}
#endif

template <class Work>
void vectorised(const Work& work) {
#if defined(__x86_64__)
    switch (widestIsa()) {
    case Isa::avx512: runOnAvx512(work); return;
    case Isa::avx2: runOnAvx2(work); return;
    case Isa::any: break;
    }
#endif
    work();
}

/// Calls `work` as vectorised does, with the floats per register as std::integral_constant.
template <class Work>
void vectorisedByWidth(const Work& work) {
#if defined(__x86_64__)
    switch (widestIsa()) {
    case Isa::avx512:
        runOnAvx512([&]() __attribute__((always_inline)) {
            work(std::integral_constant<int, 16>{});
        });
        return;
    case Isa::avx2:
        runOnAvx2([&]() __attribute__((always_inline)) { work(std::integral_constant<int, 8>{}); });
        return;
    case Isa::any: break;
    }
#endif
    work(std::integral_constant<int, 4>{});
}

} // namespace weft::cpu
