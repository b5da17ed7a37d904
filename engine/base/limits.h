// SPDX-License-Identifier: Apache-2.0
#pragma once
// Size limits of a design. Each is checked before the objects are created, and messages name it.

#include <cstddef>
#include <cstdint>

namespace weft::limits {

inline constexpr std::size_t layers = 100'000; ///< including all copies of groups
inline constexpr std::size_t copies = 100'000; ///< copies of groups, which may be empty
inline constexpr std::size_t nesting = 60;     ///< depth of nested groups
/// Bytes of names and attributes over all copies.
inline constexpr std::size_t words = std::size_t{32} << 20U;
inline constexpr std::size_t inputs = 1'000; ///< wires into one layer
inline constexpr std::size_t devices = 512;  ///< declared, assigned, planned or used in a run
inline constexpr std::int64_t cores = 1'024; ///< per device; a run starts a thread for each
inline constexpr std::size_t problems = 500; ///< reported by one stage

} // namespace weft::limits
