// SPDX-License-Identifier: Apache-2.0
// Reads tables as text: numbers from columns, and as the target numbers or the words of a class.
// The whole table is parsed once and kept in memory.
#include "data/normalise.h"
#include "data/split.h"
#include "data/tables/table_head.h"
#include "data/tables/values.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

/// Numbers that a table may have: 1 GiB of memory.
constexpr std::size_t mostNumbers = std::size_t{1} << 28U;

/// The rows of one file.
struct Table {
    std::int64_t rows = 0;
    std::vector<float> inputs;        ///< [rows, inputs]
    std::vector<float> targets;       ///< [rows, targets]
    std::vector<std::int32_t> labels; ///< [rows], if the target is a class
    std::int64_t dropped = 0;
    std::int64_t firstDropped = 0; ///< line of the first dropped row
};

class TableSource final : public Source {
public:
    TableSource(Table table, std::vector<Field> fields)
        : table_(std::move(table)), fields_(std::move(fields)) {}

    [[nodiscard]] std::int64_t size() const override { return table_.rows; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        const std::span<const std::byte> from = field == 0 ? std::as_bytes(std::span(table_.inputs))
                                                : fields_[field].shape.empty()
                                                    ? std::as_bytes(std::span(table_.labels))
                                                    : std::as_bytes(std::span(table_.targets));
        for (const std::int64_t example : examples) {
            std::memcpy(destination.data(), from.data() + static_cast<std::size_t>(example) * bytes,
                        bytes);
            destination = destination.subspan(bytes);
        }
    }

private:
    Table table_;
    std::vector<Field> fields_;
};

class CsvOpening {
public:
    CsvOpening(const OpenRequest& request, std::filesystem::path path)
        : request_(request),
          path_(std::move(path)),
          head_(tableHead(path_, request.attributes)),
          missing_(request.attributes.text("missing")),
          words_(classNames()) {}

    Data open() {
        for (const std::string& word : splitAtCommas(request_.attributes.text("targets"))) {
            targets_.push_back(columnNamed(head_, word, request_, "targets"));
        }
        if (isOfClasses() && targets_.size() > 1) {
            request_.refuse("targets",
                            fmt::format("{} columns, but classes are in one", targets_.size()),
                            "name one column, or set target_type to number");
        }
        chooseInputs(targets_);
        Table training = read(path_);
        words_.close(training.labels);
        Data data;
        data.strata = training.labels;
        data.splitSeed = request_.attributes.integer("split_seed");
        if (missing_ == "mean") {
            means_ = meansOf(training);
            fill(training);
        }
        reportDroppedRows(training, data.problems);
        std::optional<Table> test;
        if (const std::string& file = request_.attributes.text("test"); !file.empty()) {
            test = read(request_.locate(file));
            fill(*test);
        }
        data.classNames = isOfClasses() ? words_.names() : std::vector<std::string>{};
        data.training = std::make_shared<TableSource>(std::move(training), fields());
        if (test) {
            data.test = std::make_shared<TableSource>(std::move(*test), fields());
        }
        return normalised(std::move(data), {0}, request_);
    }

    /// The table may lack the targets. Inputs cannot be filled with means of the training table.
    SourcePointer openOffered() {
        std::vector<std::size_t> targets;
        for (const std::string& word : splitAtCommas(request_.attributes.text("targets"))) {
            if (const std::optional<std::size_t> column = findColumn(head_, word)) {
                targets.push_back(*column);
            }
        }
        chooseInputs(targets);
        if (missing_ != "zero") {
            missing_ = "refuse";
        }
        Data data;
        data.training = std::make_shared<TableSource>(read(path_), fields());
        return normalised(std::move(data), {0}, request_).training;
    }

private:
    [[nodiscard]] std::vector<std::string> classNames() const {
        std::vector<std::string> names = splitAtCommas(request_.attributes.text("class_names"));
        std::vector<std::string> sorted = names;
        std::ranges::sort(sorted);
        if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
            request_.refuse("class_names", fmt::format("{} occurs twice", quoteShortened(*twice)),
                            "name each class once");
        }
        return names;
    }

    [[nodiscard]] bool isOfClasses() const {
        return !targets_.empty() && request_.attributes.text("target_type") == "class";
    }

    /// Chooses all columns but the targets if none are named.
    void chooseInputs(const std::vector<std::size_t>& targets) {
        for (const std::string& word : splitAtCommas(request_.attributes.text("inputs"))) {
            inputs_.push_back(columnNamed(head_, word, request_, "inputs"));
        }
        if (inputs_.empty()) {
            for (std::size_t column = 0; column < head_.names.size(); ++column) {
                if (std::ranges::find(targets, column) == targets.end()) {
                    inputs_.push_back(column);
                }
            }
        }
        if (inputs_.empty()) {
            request_.refuse("inputs", "no column is left", "name one column or more");
        }
    }

    [[nodiscard]] std::vector<Field> fields() const {
        std::vector<Field> fields = {{.name = "inputs",
                                      .dtype = DType::f32,
                                      .shape = {static_cast<std::int64_t>(inputs_.size())},
                                      .help = "The numbers of the input columns."}};
        if (isOfClasses()) {
            fields.push_back({"labels",
                              DType::i32,
                              {},
                              static_cast<std::int64_t>(words_.names().size()),
                              "Classes, from 0."});
        } else if (!targets_.empty()) {
            fields.push_back({.name = "targets",
                              .dtype = DType::f32,
                              .shape = {static_cast<std::int64_t>(targets_.size())},
                              .help = "The numbers of the target columns."});
        }
        return fields;
    }

    Table read(const std::filesystem::path& path) {
        TableRows rows(path, head_, request_.attributes);
        Table table;
        for (Record row; rows.next(row);) {
            if (take(table, rows, row)) {
                ++table.rows;
            } else if (table.dropped++ == 0) {
                table.firstDropped = row.line;
            }
            if (table.inputs.size() + table.targets.size() > mostNumbers) {
                throw Error(ErrorCode::format, {.file = path.string(), .line = row.line},
                            fmt::format("has more than {} numbers up to here", mostNumbers),
                            "save the table as .npy and use the source npy, which reads it in "
                            "place");
            }
        }
        if (table.rows == 0) {
            throw Error(ErrorCode::format, {.file = path.string()},
                        table.dropped > 0 ? "has a missing value in every row" : "has no rows",
                        table.dropped > 0 ? "fill them in, or set missing to mean or zero"
                                          : "give each example a line");
        }
        return table;
    }

    /// Returns false if the row is dropped.
    bool take(Table& table, const TableRows& rows, const Record& row) {
        const auto drops = [&](std::size_t column) {
            return missing_ == "drop" && isMissing(row.fields[column]);
        };
        if (std::ranges::any_of(inputs_, drops) || std::ranges::any_of(targets_, drops)) {
            return false;
        }
        for (const std::size_t column : inputs_) {
            table.inputs.push_back(number(rows, row, column, false));
        }
        if (isOfClasses()) {
            table.labels.push_back(label(rows, row, targets_.front()));
            return true;
        }
        for (const std::size_t column : targets_) {
            table.targets.push_back(number(rows, row, column, true));
        }
        return true;
    }

    [[nodiscard]] float number(const TableRows& rows, const Record& row, std::size_t column,
                               bool isTarget) const {
        const std::string& field = row.fields[column];
        if (isMissing(field)) {
            if (missing_ == "zero" && !isTarget) {
                return 0;
            }
            if (missing_ == "mean" && !isTarget) {
                return std::numeric_limits<float>::quiet_NaN();
            }
            refuseMissing(rows, row, column, isTarget);
        }
        const std::optional<float> number = parseNumber(field);
        if (!number) {
            rows.fail(row, column,
                      fmt::format("is {}, which is no finite number", quoteShortened(field)),
                      isTarget ? "correct it, or set target_type to class"
                               : "correct it, or leave the column out: name those to read in "
                                 "inputs");
        }
        return *number;
    }

    [[nodiscard]] std::int32_t label(const TableRows& rows, const Record& row, std::size_t column) {
        const std::string& field = row.fields[column];
        if (isMissing(field)) {
            refuseMissing(rows, row, column, true);
        }
        const std::optional<std::int32_t> id = words_.idOf(field);
        if (!id && words_.isClosed()) {
            rows.fail(row, column,
                      fmt::format("is {}, which is none of the {} classes", quoteShortened(field),
                                  words_.names().size()),
                      "correct it, or name all classes in class_names");
        }
        if (!id) {
            rows.fail(row, column,
                      fmt::format("is class {}, more than Weft takes", ClassWords::most + 1),
                      "set target_type to number, or name another column in targets");
        }
        return *id;
    }

    static void refuseMissing
        [[noreturn]] (const TableRows& rows, const Record& row, std::size_t column, bool isTarget) {
        const std::string& field = row.fields[column];
        rows.fail(row, column,
                  field.empty() ? "is empty" : fmt::format("is {}", quoteShortened(field)),
                  isTarget ? "fill it in, or set missing to drop"
                           : "fill it in, or set missing to drop, zero or mean");
    }

    [[nodiscard]] std::vector<float> meansOf(const Table& table) const {
        std::vector<float> means;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            double sum = 0;
            std::int64_t count = 0;
            for (std::size_t at = k; at < table.inputs.size(); at += inputs_.size()) {
                if (!std::isnan(table.inputs[at])) {
                    sum += table.inputs[at];
                    ++count;
                }
            }
            if (count == 0) {
                throw Error(ErrorCode::format, {.file = path_.string()},
                            fmt::format("has no number in column {}", head_.names[inputs_[k]]),
                            "leave the column out: name those to read in inputs");
            }
            means.push_back(static_cast<float>(sum / static_cast<double>(count)));
        }
        return means;
    }

    void fill(Table& table) const {
        for (std::size_t at = 0; !means_.empty() && at < table.inputs.size(); ++at) {
            if (std::isnan(table.inputs[at])) {
                table.inputs[at] = means_[at % means_.size()];
            }
        }
    }

    void reportDroppedRows(const Table& table, std::vector<Diagnostic>& problems) const {
        if (table.dropped > 0) {
            problems.push_back(
                {.code = "W047",
                 .severity = Severity::warning,
                 .layerName = "data",
                 .attribute = "missing",
                 .text = fmt::format("{} of {} rows of {} have missing values and are left out, "
                                     "the first at line {}",
                                     table.dropped, table.dropped + table.rows,
                                     path_.filename().string(), table.firstDropped),
                 .fix = {"fill the values in, or set missing to mean or zero", {}}});
        }
    }

    const OpenRequest& request_;
    std::filesystem::path path_;
    TableHead head_;
    std::string missing_;
    ClassWords words_;
    std::vector<std::size_t> inputs_; ///< columns
    std::vector<std::size_t> targets_;
    std::vector<float> means_; ///< by input, in the training file; empty: nothing is filled
};

Data openCsv(const OpenRequest& request) {
    return CsvOpening(request, request.locate(request.attributes.text("file"))).open();
}

SourcePointer openOfferedCsv(const OpenRequest& request, const std::filesystem::path& path) {
    return isTableName(path.filename().string()) ? CsvOpening(request, path).openOffered()
                                                 : nullptr;
}

/// The column that looks like a target by its name, otherwise the last.
std::size_t targetOf(const TableHead& head) {
    for (const std::string_view word : {"label", "target", "class", "species"}) {
        const auto found = std::ranges::find_if(
            head.names, [&](const std::string& name) { return hasWord(name, word); });
        if (found != head.names.end()) {
            return static_cast<std::size_t>(found - head.names.begin());
        }
    }
    const auto y = std::ranges::find_if(
        head.names, [](const std::string& name) { return name == "y" || name == "Y"; });
    return y == head.names.end() ? head.names.size() - 1
                                 : static_cast<std::size_t>(y - head.names.begin());
}

/// True if a column of the first rows contains words, or few different whole numbers.
bool holdsClasses(const std::filesystem::path& path, const TableHead& head,
                  const Attributes& attributes, std::size_t column) {
    constexpr int mostRows = 1000;
    constexpr std::size_t mostClasses = 20;
    TableRows rows(path, head, attributes);
    ClassWords words;
    Record row;
    for (int k = 0; k < mostRows && rows.next(row); ++k) {
        const std::string& field = row.fields[column];
        const std::optional<float> number = parseNumber(field);
        if (!number && !isMissing(field)) {
            return true;
        }
        if (number && std::floor(*number) != *number) {
            return false;
        }
        static_cast<void>(words.idOf(field));
    }
    return words.names().size() <= mostClasses;
}

std::optional<Attributes> recogniseCsv(const OfferedFiles& files) {
    std::vector<std::string> names;
    std::ranges::copy_if(files.names, std::back_inserter(names), isTableName);
    if (files.isWhole || names.empty()) {
        return std::nullopt;
    }
    const auto training = std::ranges::find(names, false, isTestFileName);
    const auto test = std::ranges::find(names, true, isTestFileName);
    const std::string& file = training == names.end() ? names.front() : *training;
    Attributes found{{"file", (files.folder / file).string()}};
    if (training != names.end() && test != names.end()) {
        found.set("test", (files.folder / *test).string());
    }
    try {
        const Attributes usual = completed({}, tableAttributes());
        const TableHead head = tableHead(files.folder / file, usual);
        if (head.names.size() > 1) {
            const std::size_t target = targetOf(head);
            const bool isNameUsable = head.names[target].find(',') == std::string::npos;
            found.set("targets", isNameUsable ? head.names[target] : std::to_string(target));
            found.set("target_type",
                      std::string(holdsClasses(files.folder / file, head, usual, target)
                                      ? "class"
                                      : "number"));
        }
    } catch (const Error&) { // the check of the design reports the error
    }
    return found;
}

} // namespace

void csv(SourceList& list) {
    SourceKind kind;
    kind.name = "csv";
    kind.title = "CSV table";
    kind.help = "A table as text (CSV, TSV): one example per line, quotes as in RFC 4180, UTF-8. "
                "Fields: inputs [columns], and labels (classes) or targets [columns]. The table "
                "is parsed once and kept in memory, with up to 268 million numbers. Scale, mean "
                "and std apply to the inputs.";
    kind.origin = "save a table as CSV, for example with pandas.DataFrame.to_csv";
    kind.attributes = {
        {.name = "file",
         .defaultValue = std::string(),
         .help = "Table, relative to the design.",
         .required = true,
         .content = TextContent::file},
        {.name = "test",
         .defaultValue = std::string(),
         .help = "Table with the same columns for testing. Empty: no test data.",
         .content = TextContent::file},
        {.name = "inputs",
         .defaultValue = std::string(),
         .help = "Input columns, comma-separated: names of the header, or numbers from 0. Empty: "
                 "all columns but the targets."},
        {.name = "targets",
         .defaultValue = std::string(),
         .help = "Target columns, comma-separated: names or numbers from 0. Empty: no targets."},
        {.name = "target_type",
         .defaultValue = std::string("class"),
         .help = "class: one column of words or numbers that name classes; number: numbers to be "
                 "predicted.",
         .choices = {"class", "number"}},
        {.name = "class_names",
         .defaultValue = std::string(),
         .help = "Classes in the order of their ids, comma-separated. Empty: those that occur, "
                 "sorted."},
        {.name = "missing",
         .defaultValue = std::string("refuse"),
         .help = "What happens to missing values (empty, NA, NaN, null, none, ?). refuse: an error "
                 "names the line; drop: the row is left out; zero, mean: an input is filled with "
                 "0 or with the mean of its column in the training table.",
         .choices = {"refuse", "drop", "zero", "mean"}}};
    for (auto specs : {tableAttributes(), normalisingAttributes(1)}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.attributes.push_back(splitSeedAttribute());
    kind.open = openCsv;
    kind.openOffered = openOfferedCsv;
    kind.recognise = recogniseCsv;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
