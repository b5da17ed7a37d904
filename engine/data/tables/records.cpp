// SPDX-License-Identifier: Apache-2.0
#include "data/tables/records.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace weft {

namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t pieceBytes = std::size_t{1} << 16U;
constexpr std::size_t longestField = std::size_t{1} << 16U;
constexpr std::size_t mostFields = std::size_t{1} << 16U;

constexpr std::array<std::pair<std::string_view, char>, 5> separators{
    {{"auto", '\0'}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}}};

bool isBlank(int byte) { return byte == ' ' || byte == '\t'; }

/// Returns the separator that occurs most in the first line, outside of quotes.
char separatorOf(std::string_view text) {
    constexpr std::array<char, 3> candidates{',', ';', '\t'};
    std::array<std::size_t, 3> counts{};
    std::size_t blanks = 0;
    bool isQuoted = false;
    for (const char byte : text) {
        if (byte == '"') {
            isQuoted = !isQuoted;
        }
        if (isQuoted) {
            continue;
        }
        if (byte == '\n' || byte == '\r') {
            break;
        }
        blanks += byte == ' ' ? 1 : 0;
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            counts[k] += byte == candidates[k] ? 1 : 0;
        }
    }
    const auto most = std::ranges::max_element(counts);
    if (*most == 0) {
        return blanks > 0 ? ' ' : ',';
    }
    return candidates[static_cast<std::size_t>(most - counts.begin())];
}

} // namespace

char separatorFrom(std::string_view name) {
    const auto* const found =
        std::ranges::find(separators, name, [](const auto& each) { return each.first; });
    ensure(found != separators.end(), "the separator of a table has a name");
    return found->second;
}

std::vector<std::string> separatorNames() {
    std::vector<std::string> names;
    for (const auto& [name, separator] : separators) {
        names.emplace_back(name);
    }
    return names;
}

RecordReader::RecordReader(const std::filesystem::path& path, char separator)
    : file_(path), separator_(separator) {
    if (file_.isPacked()) {
        fail(1, "is packed with gzip", "unpack it with gunzip");
    }
    static_cast<void>(peek());
    if (buffer_.starts_with("\xff\xfe"sv) || buffer_.starts_with("\xfe\xff"sv)) {
        fail(1, "is text in UTF-16", "save it as UTF-8");
    }
    if (buffer_.starts_with("\xef\xbb\xbf"sv)) { // a byte order mark, which some programs write
        position_ = 3;
    }
    if (separator_ == '\0') {
        separator_ = separatorOf(std::string_view(buffer_).substr(position_));
    }
}

void RecordReader::fail(std::int64_t line, const std::string& what,
                        const std::string& remedy) const {
    throw Error(ErrorCode::format, {.file = file_.path().string(), .line = line}, what, remedy);
}

bool RecordReader::next(Record& record) {
    while (peek() != end) {
        record.line = line_;
        record.fields.clear();
        readFields(record);
        if (record.fields.size() > 1 || !record.fields.front().empty()) {
            return true;
        }
    }
    return false;
}

int RecordReader::peek() {
    if (position_ == buffer_.size()) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(
            static_cast<std::int64_t>(pieceBytes), file_.sizeOnDisk() - offset_));
        buffer_.resize(count);
        position_ = 0;
        if (count == 0) {
            return end;
        }
        file_.read(offset_, std::as_writable_bytes(std::span(buffer_)));
        offset_ += static_cast<std::int64_t>(count);
    }
    return static_cast<unsigned char>(buffer_[position_]);
}

int RecordReader::take() {
    const int byte = peek();
    position_ += byte == end ? 0 : 1;
    return byte;
}

bool RecordReader::takeLineBreak() {
    const int byte = peek();
    if (byte != '\n' && byte != '\r') {
        return false;
    }
    take();
    if (byte == '\r' && peek() == '\n') {
        take();
    }
    ++line_;
    return true;
}

bool RecordReader::isSeparator(int byte) const {
    return separator_ == ' ' ? isBlank(byte) : byte == separator_;
}

void RecordReader::skipBlanks() {
    while (isBlank(peek()) && (separator_ == ' ' || !isSeparator(peek()))) {
        take();
    }
}

void RecordReader::readFields(Record& record) {
    skipBlanks();
    for (;;) {
        if (record.fields.size() == mostFields) {
            fail(record.line, fmt::format("has more than {} fields", mostFields),
                 "check the separator, or save the table as .npy");
        }
        std::string& field = record.fields.emplace_back();
        fieldLine_ = line_;
        skipBlanks();
        if (peek() == '"') {
            take();
            readQuoted(field);
        } else {
            readUnquoted(field);
        }
        skipBlanks(); // a space as the separator may also end the line
        if (peek() == end || takeLineBreak()) {
            return;
        }
        if (separator_ != ' ') {
            take();
        }
    }
}

void RecordReader::readQuoted(std::string& field) {
    for (;;) {
        if (const int byte = peek(); byte == end) {
            fail(fieldLine_, "has a quote that is not closed", "close it");
        } else if (byte == '"') {
            take();
            if (peek() != '"') {
                break;
            }
            take();
            append(field, "\"");
        } else if (byte == '\n' || byte == '\r') {
            takeLineBreak();
            append(field, "\n");
        } else {
            const auto one = static_cast<char>(take());
            append(field, {&one, 1});
        }
    }
    const bool isFollowedByBlank = isBlank(peek());
    skipBlanks();
    const int after = peek();
    if (!isSeparator(after) && after != '\n' && after != '\r' && after != end &&
        !(separator_ == ' ' && isFollowedByBlank)) {
        fail(line_, "has text after a closing quote",
             "write a quote inside of a field as two quotes");
    }
}

void RecordReader::readUnquoted(std::string& field) {
    const auto isEnd = [this](char byte) {
        return byte == '\n' || byte == '\r' || isSeparator(static_cast<unsigned char>(byte));
    };
    bool isWhole = false;
    while (!isWhole && peek() != end) {
        const std::string_view left = std::string_view(buffer_).substr(position_);
        const auto count =
            static_cast<std::size_t>(std::ranges::find_if(left, isEnd) - left.begin());
        append(field, left.substr(0, count));
        position_ += count;
        isWhole = count < left.size();
    }
    while (!field.empty() && isBlank(field.back())) {
        field.pop_back();
    }
}

void RecordReader::append(std::string& field, std::string_view bytes) const {
    if (bytes.find('\0') != std::string_view::npos) {
        fail(line_, "contains a byte of zero", "use a text file");
    }
    if (bytes.size() > longestField - field.size()) {
        fail(fieldLine_, fmt::format("has a field of more than {} bytes", longestField),
             "check the quotes and the separator");
    }
    field += bytes;
}

} // namespace weft
