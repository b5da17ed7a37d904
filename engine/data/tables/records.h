// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the records of a text table (RFC 4180): quoted fields, a byte order mark, LF, CRLF or CR.
// Errors are Error{format} with file and line; fields and records are bounded.

#include "data/file_bytes.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The separator of a table; '\0': the one that occurs most in the first line. A space stands for
/// any run of spaces and tabs.
[[nodiscard]] char separatorNamed(std::string_view name);
/// The names that `separatorNamed` knows: auto, comma, semicolon, tab, space.
[[nodiscard]] std::vector<std::string> separatorNames();

struct Record {
    std::int64_t line = 0; ///< where the record begins, from 1
    std::vector<std::string> fields = {};
};

class RecordReader {
public:
    RecordReader(const std::filesystem::path& path, char separator);

    /// Reads the next record that is not an empty line; returns false at the end.
    bool next(Record& record);
    /// Throws Error{format} at this line.
    [[noreturn]] void fail(std::int64_t line, const std::string& what,
                           const std::string& remedy) const;

private:
    static constexpr int end = -1;
    [[nodiscard]] int peek();
    int take();
    /// Takes a line break; returns false if there is none.
    bool takeBreak();
    void skipBlanks();
    void readFields(Record& record);
    void readQuoted(std::string& field);
    void readPlain(std::string& field);
    void append(std::string& field, std::string_view bytes) const;
    [[nodiscard]] bool isSeparator(int byte) const;

    FileBytes file_;
    char separator_;
    std::string piece_;
    std::size_t at_ = 0;      ///< in `piece_`
    std::int64_t offset_ = 0; ///< where the file goes on after `piece_`
    std::int64_t line_ = 1;
    std::int64_t fieldLine_ = 1; ///< where the field begins
};

} // namespace weft
