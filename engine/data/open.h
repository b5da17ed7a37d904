// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the data settings of a design to sources that can be read. What is wrong with the settings
// is Error{design} here and a list of diagnostics from `checkData`, which touches no file.

#include "data/source_kind.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

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
    bool operator==(const DataDescription&) const = default;
};

/// Faults of the settings alone: the source's kind, its attributes, batch, order, shares and feeds.
[[nodiscard]] std::vector<Diagnostic> checkData(const DataSettings& settings,
                                                const SourceList& kinds);
[[nodiscard]] DataDescription describeData(const DataSettings& settings, const DataFolders& folders,
                                           const SourceList& kinds);
/// Opens what training, validation and testing read.
[[nodiscard]] Data openData(const DataSettings& settings, const DataFolders& folders,
                            const SourceList& kinds);

} // namespace weft
