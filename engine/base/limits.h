// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a design may have at most. Each is asked before what it bounds is made, and is named where
// it is passed.

#include <cstddef>
#include <cstdint>

namespace weft::limits {

inline constexpr std::size_t layers = 100'000; ///< with all copies of its groups
inline constexpr std::size_t copies = 100'000; ///< of groups, which may be empty
inline constexpr std::size_t nesting = 60;     ///< groups in groups
/// Bytes of names and attributes, with all copies: what a long one costs in each.
inline constexpr std::size_t words = std::size_t{32} << 20U;
inline constexpr std::size_t inputs = 1'000; ///< wires into one layer
inline constexpr std::size_t devices = 512;  ///< declared, assigned to, planned for or run on
inline constexpr std::int64_t cores = 1'024; ///< of a device, each a thread where it runs
inline constexpr std::size_t problems = 500; ///< listed by one stage

} // namespace weft::limits
