// SPDX-License-Identifier: Apache-2.0
#pragma once
// CRC-32C (Castagnoli), the checksum of TensorBoard's record files (RFC 3720, appendix B.4).

#include <cstdint>
#include <string_view>

namespace weft {

[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

} // namespace weft
