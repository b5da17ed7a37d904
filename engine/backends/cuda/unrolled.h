// SPDX-License-Identifier: Apache-2.0
#pragma once
// UNROLLED_BY(n) before a loop: nvcc makes n rounds of it at a time; no other compiler is asked to.

#if defined(__CUDACC__)
#define WEFT_PRAGMA(words) _Pragma(#words)
#define UNROLLED_BY(n) WEFT_PRAGMA(unroll n)
#else
#define UNROLLED_BY(n)
#endif
