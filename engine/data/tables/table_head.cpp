// SPDX-License-Identifier: Apache-2.0
#include "data/tables/table_head.h"

#include "base/text/mending.h"
#include "data/offered_files.h"
#include "data/tables/values.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace weft {

namespace {

RecordReader readerOf(const std::filesystem::path& path, const Attributes& attributes) {
    return {path, separatorFrom(attributes.text("separator"))};
}

std::optional<std::size_t> numberOf(const std::string& word, std::size_t columns) {
    std::size_t number = 0;
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, number);
    return end == last && error == std::errc{} && number < columns ? std::optional(number)
                                                                   : std::nullopt;
}

} // namespace

std::vector<AttributeSpec> tableAttributes() {
    return {{.name = "separator",
             .defaultValue = std::string("auto"),
             .help = "What separates the fields of a line. auto: the most frequent one in the "
                     "first line; space: any run of spaces and tabs.",
             .choices = separatorNames()},
            {.name = "header",
             .defaultValue = std::string("auto"),
             .help = "Whether the first line names the columns. auto: it does if none of its "
                     "fields is a number.",
             .choices = {"auto", "yes", "no"}}};
}

TableHead tableHead(const std::filesystem::path& path, const Attributes& attributes) {
    RecordReader reader = readerOf(path, attributes);
    Record first;
    if (!reader.next(first)) {
        reader.fail(1, "is empty", "give each example a line");
    }
    const std::string& header = attributes.text("header");
    TableHead head;
    head.hasHeader =
        header == "yes" ||
        (header == "auto" && std::ranges::none_of(first.fields, [](const std::string& field) {
             return parseNumber(field).has_value();
         }));
    if (head.hasHeader) {
        head.names = first.fields;
        if (!reader.next(first)) {
            reader.fail(1, "has a header, but no line after it",
                        "give each example a line, or set header to no");
        }
        return head;
    }
    for (std::size_t column = 0; column < first.fields.size(); ++column) {
        head.names.push_back(std::to_string(column));
    }
    return head;
}

bool isTableName(std::string_view name) { return endsWith(name, ".csv") || endsWith(name, ".tsv"); }

std::optional<std::size_t> findColumn(const TableHead& head, const std::string& word) {
    const auto found = std::ranges::find(head.names, word);
    return found == head.names.end()
               ? numberOf(word, head.names.size())
               : std::optional(static_cast<std::size_t>(found - head.names.begin()));
}

std::size_t columnNamed(const TableHead& head, const std::string& word, const OpenRequest& request,
                        const std::string& attribute) {
    if (const std::optional<std::size_t> at = findColumn(head, word)) {
        if (std::ranges::count(head.names, word) > 1) {
            request.refuse(attribute,
                           fmt::format("several columns are called {}", quoteShortened(word)),
                           fmt::format("use the number of the column: the first is {}", *at));
        }
        return *at;
    }
    const std::string meant = nearestWord(word, head.names);
    constexpr std::size_t mostListed = 12;
    const std::vector<std::string> splitAtCommas(
        head.names.begin(),
        head.names.begin() + static_cast<std::ptrdiff_t>(std::min(mostListed, head.names.size())));
    request.refuse(attribute, fmt::format("there is no column {}", quoteShortened(word)),
                   !meant.empty()
                       ? fmt::format("did you mean {}?", meant)
                       : fmt::format("use a name or a number from 0: {}{}",
                                     fmt::join(splitAtCommas, ", "),
                                     splitAtCommas.size() < head.names.size() ? ", ..." : ""));
}

TableRows::TableRows(const std::filesystem::path& path, const TableHead& head,
                     const Attributes& attributes)
    : records_(readerOf(path, attributes)), names_(head.names), hasHeader_(head.hasHeader) {
    Record header;
    if (hasHeader_ && records_.next(header) && header.fields != names_) {
        records_.fail(header.line, "has other columns than the training file",
                      "use files with the same columns in the same order");
    }
}

bool TableRows::next(Record& row) {
    if (!records_.next(row)) {
        return false;
    }
    if (row.fields.size() != names_.size()) {
        records_.fail(row.line,
                      fmt::format("has {} fields, but the table has {} columns", row.fields.size(),
                                  names_.size()),
                      "correct the line, or check separator and quotes");
    }
    return true;
}

void TableRows::fail(const Record& row, std::size_t column, const std::string& what,
                     const std::string& remedy) const {
    const std::string name =
        hasHeader_ ? fmt::format("{} ({})", column, names_[column]) : std::to_string(column);
    records_.fail(row.line, fmt::format("column {} {}", name, what), remedy);
}

} // namespace weft
