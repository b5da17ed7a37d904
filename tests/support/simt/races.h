// SPDX-License-Identifier: Apache-2.0
#pragma once
// The race build: kernels compiled with -fsanitize=thread, whose every access then calls races.cpp
// in place of that sanitizer's own library. Refused, in whatever order the threads ran: two
// accesses to one place, one of them a write, not both atomic, without a barrier (of one block), a
// warp operation (of one warp) or the end of a launch between them; shared memory read that this
// block never wrote; memory that nobody handed out.

#include <cstddef>

namespace simt {

/// Told by who hands out device memory.
void ownMemory(const void* first, std::size_t size);
void disownMemory();

} // namespace simt
