// SPDX-License-Identifier: Apache-2.0
// Reads IDX, the format of MNIST: two zero bytes, element type, number of dims, sizes, elements,
// all big-endian. A set is a file of pictures and one of labels.
#include "data/arrays/array.h"
#include "data/augment.h"
#include "data/file_bytes.h"
#include "data/films/frame_augmentation.h"
#include "data/normalise.h"
#include "data/source_kind.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

constexpr std::size_t mostDims = 4;
/// Smaller packed files are unpacked even if only their shape is needed.
constexpr std::int64_t smallPackedFile = 1 << 20;
/// Larger label files are not scanned for the number of classes.
constexpr std::int64_t mostLabelsToScan = std::int64_t{1} << 26;

struct IdxFile {
    FileBytes bytes;
    ElementType type;
    Shape shape;
    std::int64_t dataOffset = 0;

    [[nodiscard]] std::int64_t examples() const { return shape.front(); }
    [[nodiscard]] Shape exampleShape() const { return {shape.begin() + 1, shape.end()}; }
    [[nodiscard]] std::int64_t exampleBytes() const {
        return elementsOf(exampleShape()) * static_cast<std::int64_t>(type.bytes);
    }
};

[[noreturn]] void fail(const FileBytes& file, std::int64_t offset, const std::string& what) {
    throw Error(ErrorCode::format, {.file = file.path().string(), .offset = offset}, what,
                "check that this is the right IDX file, or download it again");
}

std::optional<ElementType> elementTypeOf(unsigned code) {
    using enum ElementKind;
    switch (code) {
    case 0x08: return ElementType{unsignedInteger, 1};
    case 0x09: return ElementType{integer, 1};
    case 0x0B: return ElementType{integer, 2, true};
    case 0x0C: return ElementType{integer, 4, true};
    case 0x0D: return ElementType{floating, 4, true};
    case 0x0E: return ElementType{floating, 8, true};
    default: return std::nullopt;
    }
}

IdxFile openFile(const std::filesystem::path& path, bool describe) {
    IdxFile file{FileBytes(path), {}, {}};
    const std::vector<std::byte> head = file.bytes.head(4 + 4 * mostDims);
    const auto byteAt = [&](std::size_t at) { return std::to_integer<std::uint32_t>(head[at]); };
    if (head.size() < 4 || byteAt(0) != 0 || byteAt(1) != 0) {
        fail(file.bytes, 0, "does not start with the header of an IDX file");
    }
    const auto type = elementTypeOf(byteAt(2));
    if (!type) {
        fail(file.bytes, 2, fmt::format("has elements of the unknown type {:#04x}", byteAt(2)));
    }
    const std::size_t dims = byteAt(3);
    if (dims == 0 || dims > mostDims || head.size() < 4 + 4 * dims) {
        fail(file.bytes, 3, fmt::format("claims {} dims; 1 to {} are supported", dims, mostDims));
    }
    for (std::size_t at = 4; at < 4 + 4 * dims; at += 4) {
        file.shape.push_back((std::int64_t{byteAt(at)} << 24U) | (byteAt(at + 1) << 16U) |
                             (byteAt(at + 2) << 8U) | byteAt(at + 3));
    }
    file.type = *type;
    file.dataOffset = static_cast<std::int64_t>(4 + 4 * dims);
    const auto size = bytesOf(file.shape, type->bytes);
    if (!size || *size == 0 || *size > INT64_MAX - file.dataOffset) {
        fail(file.bytes, 4, fmt::format("claims the shape {}", toString(file.shape)));
    }
    const bool staysPacked =
        describe && file.bytes.isPacked() && file.bytes.sizeOnDisk() > smallPackedFile;
    if (!staysPacked) {
        file.bytes.expectSize(file.dataOffset + *size,
                              fmt::format("its {} elements", toString(file.shape)));
    }
    return file;
}

class IdxSource final : public Source {
public:
    IdxSource(std::vector<IdxFile> files, std::vector<Field> fields)
        : files_(std::move(files)), fields_(std::move(fields)) {}

    [[nodiscard]] std::int64_t size() const override { return files_.front().examples(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const IdxFile& file = files_[field];
        const std::size_t bytes = weft::exampleBytes(fields_[field]);
        for (std::size_t i = 0; i < examples.size(); ++i) {
            readElements(file.bytes, file.dataOffset + examples[i] * file.exampleBytes(), file.type,
                         fields_[field].dtype, destination.subspan(i * bytes, bytes));
        }
    }

private:
    std::vector<IdxFile> files_; ///< by field
    std::vector<Field> fields_;
};

/// Returns the largest label plus one; throws if labels are not class ids.
std::int64_t classesOf(const IdxFile& labels, bool describe) {
    const std::int64_t count = labels.examples();
    const bool isPackedStill =
        describe && labels.bytes.isPacked() && labels.bytes.sizeOnDisk() > smallPackedFile;
    if (isFloating(labels.type) || count > mostLabelsToScan || isPackedStill) {
        return 0;
    }
    std::vector<std::int32_t> piece(4096);
    std::int64_t classes = 0;
    for (std::int64_t begin = 0; begin < count; begin += 4096) {
        const auto some = std::span(piece).first(
            static_cast<std::size_t>(std::min<std::int64_t>(4096, count - begin)));
        const auto width = static_cast<std::int64_t>(labels.type.bytes);
        readElements(labels.bytes, labels.dataOffset + begin * width, labels.type, DType::i32,
                     std::as_writable_bytes(some));
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (some[i] < 0) {
                fail(labels.bytes,
                     labels.dataOffset + (begin + static_cast<std::int64_t>(i)) * width,
                     fmt::format("has the label {}; labels count from 0", some[i]));
            }
            classes = std::max<std::int64_t>(classes, std::int64_t{some[i]} + 1);
        }
    }
    return classes;
}

struct IdxSet {
    std::vector<IdxFile> files;
    std::vector<Field> fields;
};

/// Opens pictures, and labels if they are named.
IdxSet openIdxSet(const OpenRequest& request, const std::string& images,
                  const std::string& labels) {
    IdxSet set;
    const std::string& imageName = request.attributes.text(images);
    set.files.push_back(openFile(request.locate(imageName, true), request.describe));
    const IdxFile& pictures = set.files.front();
    Shape shape = pictures.exampleShape();
    if (shape.size() == 2) {
        shape.insert(shape.begin(), 1);
    }
    set.fields.push_back({"images", DType::f32, shape, 0, "Pictures [channels, height, width]."});
    const std::string& labelName = request.attributes.text(labels);
    if (labelName.empty()) {
        return set;
    }
    set.files.push_back(openFile(request.locate(labelName, true), request.describe));
    const IdxFile& classes = set.files.back();
    if (classes.shape.size() != 1) {
        fail(classes.bytes, 3,
             fmt::format("has the shape {}; labels have one dim", toString(classes.shape)));
    }
    if (classes.examples() != set.files.front().examples()) {
        fail(classes.bytes, 4,
             fmt::format("has {} labels for {} images", classes.examples(),
                         set.files.front().examples()));
    }
    const DType dtype = *dtypeNamed(request.attributes.text("label_dtype"));
    set.fields.push_back(
        {"labels", dtype, {}, classesOf(classes, request.describe), "Classes, from 0."});
    return set;
}

Data openIdx(const OpenRequest& request) {
    IdxSet training = openIdxSet(request, "train_images", "train_labels");
    const bool hasLabels = training.fields.size() == 2;
    Data data;
    if (!request.attributes.text("test_images").empty()) {
        IdxSet test = openIdxSet(request, "test_images", "test_labels");
        if (test.fields.size() != training.fields.size() ||
            test.fields[0].shape != training.fields[0].shape) {
            fail(test.files[0].bytes, 4,
                 fmt::format("has images {}{}, but the training images are {}",
                             toString(test.fields[0].shape),
                             test.fields.size() == 2 ? " with labels" : "",
                             toString(training.fields[0].shape)));
        }
        if (hasLabels) {
            test.fields[1].classes = training.fields[1].classes =
                std::max(test.fields[1].classes, training.fields[1].classes);
        }
        data.test = std::make_shared<IdxSource>(std::move(test.files), std::move(test.fields));
    }
    data.classNames = splitAtCommas(request.attributes.text("class_names"));
    data.training =
        std::make_shared<IdxSource>(std::move(training.files), std::move(training.fields));
    return normalised(augmented(std::move(data), {0}, request), {0}, request);
}

/// Returns the number of dims in a header of a byte file; 0: not an IDX file.
std::size_t dimsOf(const std::filesystem::path& path) {
    std::array<char, 4> head{};
    std::ifstream file(path, std::ios::binary);
    constexpr char naturalBytes = 8;
    const bool isIdx = file.read(head.data(), head.size()) && head[0] == 0 && head[1] == 0 &&
                       head[2] == naturalBytes;
    return isIdx ? static_cast<unsigned char>(head[3]) : 0;
}

struct Named {
    std::string training, test;
};

/// Returns the first training and test names; if all are test files, the first is used for
/// training.
Named firstOf(const std::vector<std::string>& names) {
    const auto first = [&](bool isTest) {
        const auto found = std::ranges::find(names, isTest, isTestFileName);
        return found == names.end() ? std::string() : *found;
    };
    const std::string training = first(false);
    return training.empty() ? Named{first(true), {}} : Named{training, first(true)};
}

/// Pictures have three dims, labels one; packed files are recognised by name only.
std::optional<Attributes> recogniseIdx(const OfferedFiles& files) {
    const auto looksLikeOne = [&](const std::string& name) {
        return hasWord(name, "-ubyte") || dimsOf(files.folder / name) > 0;
    };
    if (!files.isWhole && std::ranges::none_of(files.names, looksLikeOne)) {
        return std::nullopt;
    }
    std::vector<std::string> pictures;
    std::vector<std::string> labels;
    for (const std::string& name : files.beside) {
        const std::size_t dims = hasWord(name, "idx3-ubyte")   ? 3
                                 : hasWord(name, "idx1-ubyte") ? 1
                                                               : dimsOf(files.folder / name);
        if (dims > 0) {
            (dims == 1 ? labels : pictures).push_back(name);
        }
    }
    if (pictures.empty()) {
        return std::nullopt;
    }
    const Named images = firstOf(pictures);
    const Named classes = firstOf(labels);
    return Attributes{{"folder", files.folder.string()},
                      {"train_images", images.training},
                      {"train_labels", classes.training},
                      {"test_images", images.test},
                      {"test_labels", classes.test}};
}

} // namespace

void idx(SourceList& list) {
    SourceKind kind{
        .name = "idx",
        .title = "IDX files",
        .help = "Images and labels in MNIST's IDX format, optionally gzipped. Fields: images "
                "[channels, height, width] and labels. The defaults are the names of MNIST's four "
                "files.",
        .origin = "download MNIST's four files from "
                  "https://ossci-datasets.s3.amazonaws.com/mnist/; they need no conversion",
        .attributes = {{.name = "folder",
                        .defaultValue = std::string(),
                        .help = "Folder of the files, relative to the design.",
                        .content = TextContent::folder},
                       {.name = "train_images",
                        .defaultValue = std::string("train-images-idx3-ubyte"),
                        .help = "Training images; also found with the suffix .gz.",
                        .content = TextContent::file},
                       {.name = "train_labels",
                        .defaultValue = std::string("train-labels-idx1-ubyte"),
                        .help = "Training labels. Empty: no labels.",
                        .content = TextContent::file},
                       {.name = "test_images",
                        .defaultValue = std::string("t10k-images-idx3-ubyte"),
                        .help = "Test images. Empty: no test data.",
                        .content = TextContent::file},
                       {.name = "test_labels",
                        .defaultValue = std::string("t10k-labels-idx1-ubyte"),
                        .help = "Test labels.",
                        .content = TextContent::file},
                       {.name = "label_dtype",
                        .defaultValue = std::string("i32"),
                        .help = "Element type of the labels.",
                        .choices = {"i32", "i64"}},
                       {.name = "class_names",
                        .defaultValue = std::string(),
                        .help = "Class names, comma-separated."}},
        .open = openIdx,
        .recognise = recogniseIdx};
    for (auto specs : {normalisingAttributes(1.0 / 255), augmentationAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    list.push_back(std::move(kind));
}

} // namespace weft::sources
