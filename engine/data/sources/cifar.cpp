// SPDX-License-Identifier: Apache-2.0
// Reads CIFAR's binary files: records of one label (CIFAR-100: coarse and fine) and 3x32x32 bytes
// by channel. A set is a list of such files.
#include "data/augment.h"
#include "data/file_bytes.h"
#include "data/films/frame_augmentation.h"
#include "data/normalise.h"
#include "data/source_kind.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

constexpr std::int64_t pixels = 3 * 32 * 32;

/// The labels of a record, before its pixels.
struct Variant {
    std::vector<Field> labels; ///< in file order
    std::vector<std::string> classNames;

    [[nodiscard]] std::int64_t recordBytes() const {
        return static_cast<std::int64_t>(labels.size()) + pixels;
    }
};

Variant variantNamed(const std::string& name) {
    if (name == "cifar100") {
        return {.labels = {{"coarse_labels", DType::i32, {}, 20, "Groups of classes, from 0."},
                           {"labels", DType::i32, {}, 100, "Classes, from 0."}},
                .classNames = {}};
    }
    return {.labels = {{"labels", DType::i32, {}, 10, "Classes, from 0."}},
            .classNames = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse",
                           "ship", "truck"}};
}

struct CifarFile {
    FileBytes bytes;
    std::int64_t firstExample = 0;
};

class CifarSource final : public Source {
public:
    CifarSource(std::vector<CifarFile> files, std::int64_t size, Variant variant)
        : files_(std::move(files)), size_(size), variant_(std::move(variant)) {
        fields_.push_back({"images", DType::f32, {3, 32, 32}, 0, "Pictures [3, 32, 32]."});
        fields_.insert(fields_.end(), variant_.labels.begin(), variant_.labels.end());
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        for (const std::int64_t example : examples) {
            const auto file =
                std::prev(std::upper_bound(files_.begin(), files_.end(), example,
                                           [](std::int64_t wanted, const CifarFile& each) {
                                               return wanted < each.firstExample;
                                           }));
            const std::int64_t record = (example - file->firstExample) * variant_.recordBytes();
            if (field == 0) {
                readElements(
                    file->bytes, record + static_cast<std::int64_t>(variant_.labels.size()),
                    {ElementKind::unsignedInteger, 1}, DType::f32, destination.first(bytes));
            } else {
                const std::int32_t label =
                    labelAt(file->bytes, record + static_cast<std::int64_t>(field) - 1, field);
                std::memcpy(destination.data(), &label, sizeof(label));
            }
            destination = destination.subspan(bytes);
        }
    }

private:
    [[nodiscard]] std::int32_t labelAt(const FileBytes& file, std::int64_t offset,
                                       std::size_t field) const {
        std::array<std::byte, 1> byte = {};
        file.read(offset, byte);
        const auto label = std::to_integer<std::int32_t>(byte[0]);
        if (label >= fields_[field].classes) {
            throw Error(ErrorCode::format, {.file = file.path().string(), .offset = offset},
                        fmt::format("has the label {}, but the largest class is {}", label,
                                    fields_[field].classes - 1),
                        "check the variant (cifar10 or cifar100), or download the file again");
        }
        return label;
    }

    std::vector<CifarFile> files_;
    std::int64_t size_;
    Variant variant_;
    std::vector<Field> fields_;
};

SourcePointer openCifarSet(const OpenRequest& request, const std::string& attribute) {
    const Variant variant = variantNamed(request.attributes.text("variant"));
    std::vector<CifarFile> files;
    std::int64_t size = 0;
    for (const std::string& name : splitAtCommas(request.attributes.text(attribute))) {
        files.push_back({FileBytes(request.locate(name)), size});
        const FileBytes& file = files.back().bytes;
        const std::int64_t bytes = file.sizeOnDisk();
        if (file.isPacked()) {
            throw Error(ErrorCode::format, {.file = file.path().string(), .offset = 0},
                        "is packed with gzip", "unpack it (tar xzf, or gunzip)");
        }
        if (bytes == 0 || bytes % variant.recordBytes() != 0) {
            throw Error(
                ErrorCode::format,
                {.file = file.path().string(), .offset = bytes - bytes % variant.recordBytes()},
                fmt::format("has {} bytes, which is not a whole number of records of {}", bytes,
                            variant.recordBytes()),
                "check the variant (cifar10 or cifar100), or download the file again");
        }
        size += bytes / variant.recordBytes();
    }
    return files.empty() ? nullptr : std::make_shared<CifarSource>(std::move(files), size, variant);
}

Data openCifar(const OpenRequest& request) {
    Data data;
    data.training = openCifarSet(request, "train");
    if (!data.training) {
        request.refuse("train", "no file was named", "name one or more files, separated by commas");
    }
    data.test = openCifarSet(request, "test");
    data.classNames = variantNamed(request.attributes.text("variant")).classNames;
    return normalised(augmented(std::move(data), {0}, request), {0}, request);
}

/// Recognises files with the official names in one folder.
std::optional<Attributes> recogniseCifar(const OfferedFiles& files) {
    if (!files.isWhole && !files.hasEnding(".bin")) {
        return std::nullopt;
    }
    const auto has = [&](const std::string& name) {
        return std::ranges::binary_search(files.beside, name);
    };
    const bool isHundred = has("train.bin");
    std::string training = isHundred ? "train.bin" : "";
    for (const std::string& name : files.beside) {
        if (!isHundred && name.starts_with("data_batch_") && name.ends_with(".bin")) {
            training += (training.empty() ? "" : ", ") + name;
        }
    }
    if (training.empty()) {
        return std::nullopt;
    }
    const std::string test = isHundred ? "test.bin" : "test_batch.bin";
    return Attributes{{"folder", files.folder.string()},
                      {"train", training},
                      {"test", has(test) ? test : std::string()},
                      {"variant", std::string(isHundred ? "cifar100" : "cifar10")}};
}

} // namespace

void cifar(SourceList& list) {
    SourceKind kind;
    kind.name = "cifar";
    kind.title = "CIFAR files";
    kind.help = "CIFAR-10 or CIFAR-100 in the binary format. Fields: images [3, 32, 32] and "
                "labels; CIFAR-100 also has coarse_labels.";
    kind.origin = "the binary version of CIFAR-10 and CIFAR-100 is at "
                  "https://www.cs.toronto.edu/~kriz/cifar.html; "
                  "unpack it";
    kind.attributes = {
        {.name = "folder",
         .defaultValue = std::string(),
         .help = "Folder of the files, relative to the design.",
         .content = TextContent::folder},
        {.name = "train",
         .defaultValue = std::string("data_batch_1.bin, data_batch_2.bin, data_batch_3.bin, "
                                     "data_batch_4.bin, data_batch_5.bin"),
         .help = "Training files, comma-separated.",
         .content = TextContent::files},
        {.name = "test",
         .defaultValue = std::string("test_batch.bin"),
         .help = "Test files, comma-separated. Empty: no test data.",
         .content = TextContent::files},
        {.name = "variant",
         .defaultValue = std::string("cifar10"),
         .help = "Kind of records in the files: CIFAR-10, or CIFAR-100 with coarse labels.",
         .choices = {"cifar10", "cifar100"}}};
    for (auto specs : {normalisingAttributes(1.0 / 255), augmentationAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.open = openCifar;
    kind.recognise = recogniseCifar;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
