// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checks of the house. Each reads the whole tree and gives what is wrong, by file and line;
// nothing found is an empty list.

#include "folder_map.h"
#include "source_tree.h"

namespace weft::house {

// Folders, what they hold and whom they know.
[[nodiscard]] Findings checkTable(const SourceTree& tree, const FolderMap& map);
[[nodiscard]] Findings checkRows(const SourceTree& tree, const FolderMap& map);
[[nodiscard]] Findings checkIncludes(const SourceTree& tree, const FolderMap& map);
[[nodiscard]] Findings checkCircles(const SourceTree& tree);
[[nodiscard]] Findings checkFace(const SourceTree& tree);
[[nodiscard]] Findings checkThirdPartyInHeaders(const SourceTree& tree);
// Finds product folders with more than 25 sources, headers not counted.
[[nodiscard]] Findings checkFolderSizes(const SourceTree& tree);
[[nodiscard]] Findings checkTopLevel(const SourceTree& tree);
// Checks that quotes of a file in a README (the line before names the file) equal the file.
[[nodiscard]] Findings checkQuotes(const SourceTree& tree);

// Files, how they look.
[[nodiscard]] Findings checkLicences(const SourceTree& tree);
[[nodiscard]] Findings checkHeaders(const SourceTree& tree);
[[nodiscard]] Findings checkLengths(const SourceTree& tree);
[[nodiscard]] Findings checkNames(const SourceTree& tree);
// Two types of one name in two headers are one to the linker.
[[nodiscard]] Findings checkTypesAreOne(const SourceTree& tree);
[[nodiscard]] Findings checkMarks(const SourceTree& tree);

// Words that have no place somewhere.
[[nodiscard]] Findings checkQt(const SourceTree& tree);
[[nodiscard]] Findings checkPreprocessor(const SourceTree& tree);
[[nodiscard]] Findings checkProcess(const SourceTree& tree);
[[nodiscard]] Findings checkRuntimeOfGpus(const SourceTree& tree);
[[nodiscard]] Findings checkComparisons(const SourceTree& tree);
[[nodiscard]] Findings checkDeclaredNames(const SourceTree& tree);
[[nodiscard]] Findings checkIcons(const SourceTree& tree);
[[nodiscard]] Findings checkTestsCanFail(const SourceTree& tree);

} // namespace weft::house
