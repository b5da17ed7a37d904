// SPDX-License-Identifier: Apache-2.0
#pragma once
// One piece of work compiled for several instruction sets in one binary, of which the widest that
// this processor offers runs. The work is a lambda marked always_inline, with all its inner lambdas
// marked so, because only what is inlined is compiled for the wider registers.

#include <cstdint>
#include <type_traits>

namespace weft::cpu {

enum class Isa : std::uint8_t { any, avx2, avx512 };
/// The widest that the processor and the system offer.
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

/// As above for work that takes the floats of a register as std::integral_constant.
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
