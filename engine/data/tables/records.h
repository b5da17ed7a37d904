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
[[nodiscard]] char separatorFrom(std::string_view name); ///< "comma" -> ','; "auto": '\0'
/// The names that `separatorFrom` knows: auto, comma, semicolon, tab, space.
[[nodiscard]] std::vector<std::string> separatorNames();

struct Record {                           ///< a record of a text table
    std::int64_t line = 0;                ///< where the record begins, from 1
    std::vector<std::string> fields = {}; ///< without quotes
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
    static constexpr int end = -1; ///< instead of a byte, at the end of the file
    [[nodiscard]] int peek();      ///< next byte, or `end`
    int take();                    ///< next byte, or `end`; advances
    bool takeLineBreak();          ///< false: there is none
    void skipBlanks();
    void readFields(Record& record);
    void readQuoted(std::string& field);
    void readUnquoted(std::string& field);
    void append(std::string& field, std::string_view bytes) const; ///< fails if it becomes too long
    [[nodiscard]] bool isSeparator(int byte) const;

    FileBytes file_;
    char separator_;             ///< ' ' stands for any run of spaces and tabs
    std::string buffer_;         ///< part of the file
    std::size_t position_ = 0;   ///< index of the next byte in `buffer_`
    std::int64_t offset_ = 0;    ///< offset in the file of what follows `buffer_`
    std::int64_t line_ = 1;      ///< line of the next byte
    std::int64_t fieldLine_ = 1; ///< line in which the current field begins
};

} // namespace weft
