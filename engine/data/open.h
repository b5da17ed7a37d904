// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the data settings of a design to sources that can be read. What is wrong with the source or
// its attributes is Error{design} here too: samples are read of designs that nobody checked.

#include "data/source_kind.h"
#include <weft/design.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// All kinds in the order of the lists, files first, then generators.
[[nodiscard]] SourceList sourceKinds();
[[nodiscard]] const SourceKind* findSourceKind(const SourceList& kinds, std::string_view name);

/// What a design can know of its data without reading it all.
struct DataDescription {
    std::vector<Field> fields;
    std::vector<std::string> classNames;
    std::int64_t training = 0; ///< examples
    std::int64_t validation = 0;
    std::int64_t test = 0;
    ExampleOrder order = {};               ///< of the examples for training
    std::vector<Diagnostic> problems = {}; ///< of the files that were looked into
    bool operator==(const DataDescription&) const = default;
};

[[nodiscard]] DataDescription describeData(const DataSettings& settings, const DataFolders& folders,
                                           const SourceList& kinds);
/// The files that are read: what is named, what lists name and what lies in folders of pictures.
[[nodiscard]] std::vector<std::filesystem::path>
filesRead(const DataSettings& settings, const DataFolders& folders, const SourceList& kinds);
/// The field that feeds an input layer: the one named for it, else the one of its own name, else by
/// its place among the inputs.
[[nodiscard]] std::optional<std::size_t> fieldFeeding(const DataSettings& settings,
                                                      const std::vector<Field>& fields,
                                                      const std::string& input, std::size_t place);
/// Files that are offered in place of the design's, as its source reads its own; nullptr: that
/// reads none but its own.
[[nodiscard]] SourcePointer openOffered(const DataSettings& settings,
                                        const std::filesystem::path& file, const SourceList& kinds);
/// Opens what training, validation and testing read.
[[nodiscard]] Data openData(const DataSettings& settings, const DataFolders& folders,
                            const SourceList& kinds);

} // namespace weft
