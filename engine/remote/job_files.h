// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names that came over a line, made into paths that lead nowhere but into the folder they are for.

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// Error{usage} unless it may be the name of a run's folder: packets, digits, '.', '_' and '-', 120
/// at most, not a '.' first.
void requireRunName(std::string_view name);

/// A folder directly in `parent`, made where it is missing, for its owner alone. Error{file} where
/// something else is in its place, a link among others.
[[nodiscard]] std::filesystem::path ownFolder(const std::filesystem::path& parent,
                                              std::string_view name);

/// Where a file of that name, which may have folders, lies in `folder`; those are made.
/// Error{usage} for a name that leads elsewhere, or that a job has for itself; Error{file} where a
/// link is in its way.
[[nodiscard]] std::filesystem::path placeFor(const std::filesystem::path& folder,
                                             std::string_view name);

} // namespace weft
