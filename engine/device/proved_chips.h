// SPDX-License-Identifier: Apache-2.0
#pragma once
// The chips on which tests/gpu/prove has run, and when: one row for each, whose results are in
// tests/bench/results. All that is said of how far a backend is proved comes from here.

#include <weft/devices.h>

#include <span>
#include <string>
#include <string_view>

namespace weft {

struct ProvedChip {
    std::string_view backend; ///< "cuda"
    std::string_view model;   ///< as the driver calls it
    std::string_view generation;
    std::string_view date;
    std::string_view revision; ///< of Weft
    std::string_view with;     ///< driver and libraries
};
[[nodiscard]] std::span<const ProvedChip> provedChips();

/// "NVIDIA H200 (9.0) on 2026-11-27": the chips of a backend; empty: none.
[[nodiscard]] std::string provedChipsOf(std::string_view backend);
/// Whether a proof has run on a chip of that model: a sentence, for a device that is here. Empty:
/// the backend has no proved chips.
[[nodiscard]] std::string proofOn(const DeviceSheet& sheet);

} // namespace weft
