// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a file that a user named.

#include <filesystem>
#include <string_view>

namespace weft {

/// Writes all of `content`, or throws Error{file} naming the path and leaves an existing regular
/// file unchanged. Devices, pipes and descriptors such as /dev/stdout are written in place. For a
/// symbolic link, the target is written.
void writeOutput(const std::filesystem::path& path, std::string_view content);

} // namespace weft
