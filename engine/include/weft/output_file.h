// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writing a file that a user named.

#include <filesystem>
#include <string_view>

namespace weft {

/// Writes all of `content`, or throws Error{file} that names the path and leaves a regular file of
/// that name as it was. A device, a pipe and a descriptor such as /dev/stdout are written in place;
/// a link stays, and its target is written.
void writeOutput(const std::filesystem::path& path, std::string_view content);

} // namespace weft
