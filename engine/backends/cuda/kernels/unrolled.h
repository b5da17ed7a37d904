// SPDX-License-Identifier: Apache-2.0
#pragma once
// UNROLLED_BY(n) before a loop makes nvcc unroll it n times; other compilers ignore it.

#if defined(__CUDACC__)
#define WEFT_PRAGMA(words) _Pragma(#words)
#define UNROLLED_BY(n) WEFT_PRAGMA(unroll n)
#else
#define UNROLLED_BY(n)
#endif
