// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/example_arrays.h"

#include "data/augment.h"
#include "data/films/frame_augmentation.h"
#include "data/normalise.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace weft {

namespace {

/// An array of examples, read in place, or transposed in memory if it is in Fortran order.
class ExampleArray {
public:
    ExampleArray(FileBytes file, DType dtype, bool describe)
        : file_(std::move(file)), header_(readNpyHeader(file_)), dtype_(dtype) {
        if (header_.fortranOrder && header_.shape.size() > 1 && !describe) {
            turned_ = readNpy(file_, dtype).bytes;
        }
    }

    [[nodiscard]] const NpyHeader& header() const { return header_; }
    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

    void read(std::int64_t example, std::span<std::byte> destination) const {
        if (!turned_.empty()) {
            std::memcpy(destination.data(),
                        turned_.data() + static_cast<std::size_t>(example) * destination.size(),
                        destination.size());
            return;
        }
        const auto elements = static_cast<std::int64_t>(destination.size() / byteSize(dtype_));
        readElements(file_,
                     header_.dataOffset +
                         example * elements * static_cast<std::int64_t>(header_.type.bytes),
                     header_.type, dtype_, destination);
    }

private:
    FileBytes file_;
    NpyHeader header_;
    DType dtype_;
    std::vector<std::byte> turned_;
};

class ArraysSource final : public Source {
public:
    ArraysSource(std::vector<ExampleArray> arrays, std::vector<Field> fields)
        : arrays_(std::move(arrays)), fields_(std::move(fields)) {}

    [[nodiscard]] std::int64_t size() const override { return arrays_.front().header().shape[0]; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        for (const std::int64_t example : examples) {
            arrays_[field].read(example, destination.first(bytes));
            destination = destination.subspan(bytes);
        }
    }

private:
    std::vector<ExampleArray> arrays_; ///< by field
    std::vector<Field> fields_;
};

/// "name=array", or an array whose stem is the field's name.
struct NamedArray {
    std::string field;
    std::string array;
};

NamedArray namedArray(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
        return {std::filesystem::path(word).stem().string(), word};
    }
    return {word.substr(0, equals), word.substr(equals + 1)};
}

DType dtypeOf(const OpenRequest& request, const NpyHeader& header) {
    const std::string& asked =
        request.attributes.text(isFloating(header.type) ? "floating" : "integer");
    return asked == "keep" ? dtypeFor(header.type) : *dtypeNamed(asked);
}

struct ArraySet {
    std::vector<ExampleArray> arrays;
    std::vector<Field> fields;
};

void addArray(ArraySet& set, const OpenRequest& request, const std::string& attribute,
              const std::string& word, const ArrayFinder& find) {
    const NamedArray named = namedArray(word);
    const bool isTaken = std::any_of(set.fields.begin(), set.fields.end(),
                                     [&](const Field& field) { return field.name == named.field; });
    if (named.field.empty() || isTaken) {
        request.refuse(attribute, fmt::format("'{}' does not give its field a unique name", word),
                       "write it as name=array, with a name that is not used yet");
    }
    FileBytes file = find(named.array);
    const NpyHeader header = readNpyHeader(file);
    const auto fail = [&](const std::string& what) {
        throw Error(ErrorCode::format, {.file = file.path().string(), .offset = header.dataOffset},
                    what, "save it with one example after another in the first dim");
    };
    if (header.shape.empty() || elementsOf(header.shape) == 0) {
        fail(fmt::format("contains no examples: its shape is {}", toString(header.shape)));
    }
    if (!set.arrays.empty() && header.shape[0] != set.arrays.front().header().shape[0]) {
        fail(fmt::format("contains {} examples, but {} contains {}", header.shape[0],
                         set.arrays.front().path().string(), set.arrays.front().header().shape[0]));
    }
    const DType dtype = dtypeOf(request, header);
    set.fields.push_back({named.field,
                          dtype,
                          {header.shape.begin() + 1, header.shape.end()},
                          0,
                          file.path().filename().string()});
    set.arrays.emplace_back(std::move(file), dtype, request.describe);
}

std::optional<ArraySet> openSet(const OpenRequest& request, const std::string& prefix,
                                const ArrayFinder& find) {
    ArraySet set;
    for (const char* role : {"inputs", "targets"}) {
        const std::string attribute = prefix + role;
        for (const std::string& word : splitAtCommas(request.attributes.text(attribute))) {
            addArray(set, request, attribute, word, find);
        }
    }
    return set.arrays.empty() ? std::nullopt : std::optional(std::move(set));
}

/// Requires equal fields in test and training set.
void ensureAlike(const OpenRequest& request, const std::vector<Field>& training,
                 const std::vector<Field>& test) {
    const bool areAlike =
        std::equal(training.begin(), training.end(), test.begin(), test.end(),
                   [](const Field& a, const Field& b) {
                       return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape;
                   });
    if (!areAlike) {
        request.refuse("test_inputs",
                       "the test arrays differ from those for training in name, dtype or shape",
                       "use the same names, dtypes and shapes for both: name=array");
    }
}

/// Returns the field's name: "x" for "x_train.npy" and "x_test.npy".
std::string fieldOf(const std::string& name) {
    std::string stem = std::filesystem::path(name).stem().string();
    constexpr std::string_view between = "._-";
    for (const std::string_view set : {"train", "test", "validation", "valid"}) {
        for (std::size_t at = 0; at + set.size() <= stem.size(); ++at) {
            if (!hasWord(std::string_view(stem).substr(at, set.size()), set)) {
                continue;
            }
            std::size_t begin = at;
            std::size_t end = at + set.size();
            begin -= begin > 0 && between.find(stem[begin - 1]) != std::string_view::npos ? 1 : 0;
            end += end < stem.size() && between.find(stem[end]) != std::string_view::npos ? 1 : 0;
            std::string field = stem.substr(0, begin) + stem.substr(end);
            return field.empty() ? stem : field;
        }
    }
    return stem;
}

bool isTarget(const std::string& name) {
    return hasWord(name, "label") || hasWord(name, "target") || hasWord(name, "class") ||
           (endsWith(name.substr(0, 1), "y") &&
            (name.size() == 1 || std::string_view("._-").find(name[1]) != std::string_view::npos));
}

} // namespace

Data openArrays(const OpenRequest& request, const ArrayFinder& find) {
    auto training = openSet(request, "", find);
    if (!training) {
        request.refuse("inputs", "no array was named", "name one or more, separated by commas");
    }
    std::vector<std::size_t> pictures;
    const std::size_t inputs = splitAtCommas(request.attributes.text("inputs")).size();
    for (std::size_t field = 0; field < inputs; ++field) {
        if (training->fields[field].dtype == DType::f32) {
            pictures.push_back(field);
        }
    }
    Data data;
    if (auto test = openSet(request, "test_", find)) {
        ensureAlike(request, training->fields, test->fields);
        data.test =
            std::make_shared<ArraysSource>(std::move(test->arrays), std::move(test->fields));
    }
    data.classNames = splitAtCommas(request.attributes.text("class_names"));
    data.training =
        std::make_shared<ArraysSource>(std::move(training->arrays), std::move(training->fields));
    return normalised(augmented(std::move(data), pictures, request), pictures, request);
}

std::vector<AttributeSpec> arrayNameAttributes(const std::string& what, const std::string& ending,
                                               TextContent content) {
    return {
        {.name = "inputs",
         .defaultValue = std::string(),
         .help = fmt::format("Input {0}, comma-separated: \"x{1}, mask=masks{1}\".", what, ending),
         .required = true,
         .content = content},
        {.name = "targets",
         .defaultValue = std::string(),
         .help = fmt::format("Target {}, comma-separated.", what),
         .content = content},
        {.name = "test_inputs",
         .defaultValue = std::string(),
         .help = fmt::format("Test inputs, under the same names: \"x=x_test{}\".", ending),
         .content = content},
        {.name = "test_targets",
         .defaultValue = std::string(),
         .help = "Test targets, under the names of the targets.",
         .content = content}};
}

std::vector<AttributeSpec> arrayAttributes() {
    std::vector<AttributeSpec> attributes = {
        {.name = "floating",
         .defaultValue = std::string("f32"),
         .help = "Element type that floating-point arrays are converted to.",
         .choices = {"f32", "f64", "keep"}},
        {.name = "integer",
         .defaultValue = std::string("i32"),
         .help = "Element type that integers and booleans are converted to.",
         .choices = {"i32", "i64", "f32", "keep"}},
        {.name = "class_names",
         .defaultValue = std::string(),
         .help = "Class names, comma-separated."}};
    for (auto specs : {normalisingAttributes(1), augmentationAttributes()}) {
        std::ranges::move(specs, std::back_inserter(attributes));
    }
    return attributes;
}

void recogniseArrays(Attributes& attributes, const std::vector<std::string>& names) {
    for (const bool isTest : {false, true}) {
        for (const bool isForTargets : {false, true}) {
            std::string words;
            for (const std::string& name : names) {
                if (isTestFileName(name) == isTest && isTarget(name) == isForTargets) {
                    words += (words.empty() ? "" : ", ") + fieldOf(name) + "=" + name;
                }
            }
            attributes.set(
                std::string(isTest ? "test_" : "") + (isForTargets ? "targets" : "inputs"), words);
        }
    }
}

} // namespace weft
