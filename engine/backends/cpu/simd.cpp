// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/simd.h"

namespace weft::cpu {

namespace {

Isa findIsa() {
#if defined(__x86_64__)
    // These check CPUID and that the system saves the registers.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
        return Isa::avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return Isa::avx2;
    }
#endif
    return Isa::any;
}

} // namespace

Isa widestIsa() {
    static const Isa isa = findIsa();
    return isa;
}

} // namespace weft::cpu
