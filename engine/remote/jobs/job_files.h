// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns names that arrive over a connection into paths that cannot leave the folder they are for.

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// Throws Error{usage} for an invalid name of a run's folder. Valid are 1 to 120 letters, digits,
/// '.', '_' and '-', not beginning with '.'.
void requireRunName(std::string_view name); ///< Error{usage}

/// Returns a folder directly in `parent` and creates it, accessible only to its owner, if it is
/// missing. Throws Error{file} if something else is there, such as a link.
[[nodiscard]] std::filesystem::path makePrivateFolder(const std::filesystem::path& parent,
                                                      std::string_view name);

/// Returns the path of a file in `folder` and creates the folders that its name contains. Throws
/// Error{usage} for a name that leads elsewhere or that the job itself uses, and Error{file} if a
/// link is in the way.
[[nodiscard]] std::filesystem::path jobFilePath(const std::filesystem::path& folder,
                                                std::string_view name);

} // namespace weft
