// SPDX-License-Identifier: Apache-2.0
#pragma once
// The chips on which tests/gpu/prove has run, one row per result in tests/bench/results. All
// statements about tested GPUs derive from this table.

#include <weft/devices.h>

#include <span>
#include <string>
#include <string_view>

namespace weft {

struct ProvedChip {              ///< a chip on which the GPU tests have passed
    std::string_view backend;    ///< "cuda"
    std::string_view model;      ///< the driver's name of the model
    std::string_view generation; ///< compute capability: "9.0"
    std::string_view date;       ///< when the tests passed there
    std::string_view revision;   ///< revision of Weft
    std::string_view versions;   ///< versions of driver and libraries
};
[[nodiscard]] std::span<const ProvedChip> provedChips(); ///< chips on which the GPU tests passed

/// Lists the tested chips of a backend: "NVIDIA H200 (9.0) on 2026-11-27"; empty: none.
[[nodiscard]] std::string provedChipsOf(std::string_view backend); ///< as text; empty: none
/// Returns a sentence whether tests ran on this model, for a present device. Empty: the backend has
/// no tested chips.
[[nodiscard]] std::string proofOn(const DeviceSheet& sheet); ///< sentence: did GPU tests run on it

} // namespace weft
