// SPDX-License-Identifier: Apache-2.0
#pragma once
// Remembers descriptions of data until a file changes that they depend on. A design is checked
// after every edit, and nearly all edits leave its data alone.

#include "data/file_state.h"
#include "data/open.h"
#include <weft/error.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weft {

/// The question that a description answers. `open` tells kinds of source apart.
struct DescriptionKey {
    Data (*open)(const OpenRequest&) = nullptr; ///< opens this kind of source
    Attributes attributes;
    double validation = 0; ///< share of the examples to hold out
    DataFolders folders;   ///< where named files are searched
    bool operator==(const DescriptionKey&) const = default;
};

class DescriptionCache {
public:
    using Paths = std::vector<std::filesystem::path>; ///< files that a description depends on

    /// Returns the description that was made for an equal key, if none of its files has changed
    /// since; otherwise returns what `make` returns. `make` adds the files and folders that it
    /// looks at. An Error{format} or Error{design} that it throws is remembered too. Thread-safe.
    [[nodiscard]] DataDescription find(const DescriptionKey& key,
                                       const std::function<DataDescription(Paths& looked)>& make);

private:
    struct CachedDescription {
        DescriptionKey key;
        std::variant<DataDescription, Error> answer; ///< the description, or the error on making it
        std::vector<std::pair<std::string, FileState>> files; ///< files it depends on
    };

    std::mutex mutex_;
    std::deque<std::shared_ptr<const CachedDescription>> descriptions_; ///< the last used first
};

} // namespace weft
