// SPDX-License-Identifier: Apache-2.0
#pragma once
// The header of a text table and the columns that are chosen from it.

#include "data/source_kind.h"
#include "data/tables/records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct TableHead {
    bool hasHeader = false;              ///< the first record names the columns
    std::vector<std::string> names = {}; ///< as in the header; without one "0", "1", ...
};

/// The attributes separator and header.
[[nodiscard]] std::vector<AttributeSpec> tableAttributes();

/// Reads the first records. With header: auto, the first is the header if none of its fields is a
/// number. Throws Error{format} for a table without rows.
[[nodiscard]] TableHead tableHead(const std::filesystem::path& path, const Attributes& attributes);

/// True if a file's name is that of a table.
[[nodiscard]] bool isTableName(std::string_view name);

/// Returns the first column with this name, or the one with this number, from 0.
[[nodiscard]] std::optional<std::size_t> findColumn(const TableHead& head, const std::string& word);
/// As `findColumn`, but refuses the attribute if there is no such column, or several.
[[nodiscard]] std::size_t columnNamed(const TableHead& head, const std::string& word,
                                      const OpenRequest& request, const std::string& attribute);

/// The rows of a table, each with as many fields as the first record.
class TableRows {
public:
    TableRows(const std::filesystem::path& path, const TableHead& head,
              const Attributes& attributes);

    bool next(Record& row); ///< false: there are no more rows
    /// Throws Error{format} about this field: "line 7: column 2 (width) is empty"
    [[noreturn]] void fail(const Record& row, std::size_t column, const std::string& what,
                           const std::string& remedy) const;

private:
    RecordReader records_;
    std::vector<std::string> names_; ///< names of the columns, for messages
    bool hasHeader_;                 ///< the first record is not a row
};

} // namespace weft
