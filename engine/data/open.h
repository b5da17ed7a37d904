// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens the sources of a design's data settings. Invalid sources and attributes throw Error{design}
// here too, because samples can be read from unchecked designs.

#include "data/source_kind.h"
#include <weft/design.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Returns all kinds in list order: files first, then generators.
[[nodiscard]] SourceList sourceKinds();
[[nodiscard]] const SourceKind* findSourceKind(const SourceList& kinds, std::string_view name);

/// The properties of a design's data that can be known without reading all of it.
struct DataDescription {
    std::vector<Field> fields;
    std::vector<std::string> classNames;
    std::int64_t training = 0;             ///< number of training examples
    std::int64_t validation = 0;           ///< number of validation examples
    std::int64_t test = 0;                 ///< number of test examples
    ExampleOrder order = {};               ///< order of the training examples
    std::vector<Diagnostic> problems = {}; ///< found in the files that were inspected
    bool operator==(const DataDescription&) const = default;
};

[[nodiscard]] DataDescription describeData(const DataSettings& settings, const DataFolders& folders,
                                           const SourceList& kinds);
/// Returns all files that are read: named files, files in lists, and pictures in folders.
[[nodiscard]] std::vector<std::filesystem::path>
filesRead(const DataSettings& settings, const DataFolders& folders, const SourceList& kinds);
/// Returns the field that feeds an input layer: the field assigned to it, else the one with its
/// name, else the one at its position among the inputs.
[[nodiscard]] std::optional<std::size_t> fieldFeeding(const DataSettings& settings,
                                                      const std::vector<Field>& fields,
                                                      const std::string& input, std::size_t place);
/// Opens an offered file in place of the design's files, as its source would; nullptr if the source
/// does not read such files.
[[nodiscard]] SourcePointer openOffered(const DataSettings& settings,
                                        const std::filesystem::path& file, const SourceList& kinds);
/// Opens the training, validation and test sets.
[[nodiscard]] Data openData(const DataSettings& settings, const DataFolders& folders,
                            const SourceList& kinds);

} // namespace weft
