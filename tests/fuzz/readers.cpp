// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.h"

#include "data/arrays/npy.h"
#include "data/arrays/npz.h"
#include "data/arrays/png.h"
#include "data/arrays/safetensors.h"
#include "data/films/pictures.h"
#include "data/open.h"
#include "exchange/onnx/model.h"
#include "fuzz/picture_samples.h"
#include "remote/packet.h"
#include "support/packed.h"
#include "support/zipped.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/import.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <utility>

namespace weft::test {

namespace {

namespace fs = std::filesystem;

void writeContent(const fs::path& path, std::string_view content) {
    // A new file, because some file systems write an old one that is cut and filled again to the
    // disk at once.
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << content;
}

/// The last examples and the first, in every field.
void readSome(const SourcePointer& source) {
    if (!source) {
        return;
    }
    std::vector<std::int64_t> examples = {source->size() - 1};
    for (std::int64_t example = 0; example < std::min<std::int64_t>(source->size(), 8); ++example) {
        examples.push_back(example);
    }
    for (std::size_t field = 0; field < source->fields().size(); ++field) {
        std::vector<std::byte> bytes(exampleBytes(source->fields()[field]));
        for (const std::int64_t& example : examples) {
            source->read({&example, 1}, field, bytes);
        }
    }
}

void openAndRead(const fs::path& folder, const char* source, Attributes attributes,
                 double validation = 0) {
    DataSettings settings;
    settings.source = source;
    settings.attributes = std::move(attributes);
    settings.validation = validation;
    const DataFolders folders = {.base = folder};
    const SourceList kinds = sourceKinds();
    const DataDescription description = describeData(settings, folders, kinds);
    const Data data = openData(settings, folders, kinds);
    ensure(data.training->size() == description.training &&
               data.training->fields().size() == description.fields.size(),
           "a source is as it was described");
    readSome(data.training);
    readSome(data.validation);
    readSome(data.test);
}

std::string bytesOf(std::initializer_list<int> values) {
    std::string bytes;
    for (const int value : values) {
        bytes += static_cast<char>(value);
    }
    return bytes;
}

const std::string idxImages =
    bytesOf({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3}) + "abcdefghijkl";
const std::string idxLabels = bytesOf({0, 0, 8, 1, 0, 0, 0, 2, 1, 0});

void tryIdx(const fs::path& folder, const std::string& images, const std::string& labels) {
    writeContent(folder / "images", images);
    writeContent(folder / "labels", labels);
    openAndRead(folder, "idx",
                {{"train_images", std::string("images")},
                 {"train_labels", std::string("labels")},
                 {"test_images", std::string("images")},
                 {"test_labels", std::string("labels")}});
}

std::vector<std::string> samplesOfIdx() {
    return {idxImages, packed(idxImages),
            bytesOf({0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0x7F, 1, 0xFF, 0}),
            bytesOf({0, 0, 0x0E, 2, 0, 0, 0, 2, 0, 0, 0, 1}) + std::string(16, '@')};
}
void attemptIdx(const fs::path& folder, std::string_view content) {
    tryIdx(folder, std::string(content), idxLabels);
}

std::vector<std::string> samplesOfIdxLabels() {
    return {idxLabels, bytesOf({0, 0, 0x0C, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0})};
}
void attemptIdxLabels(const fs::path& folder, std::string_view content) {
    tryIdx(folder, idxImages, std::string(content));
}

std::vector<std::string> samplesOfCifar() { return {"\3" + std::string(3072, 'x')}; }
void attemptCifar(const fs::path& folder, std::string_view content) {
    writeContent(folder / "batch.bin", content);
    for (const char* variant : {"cifar10", "cifar100"}) {
        // Bytes that are whole records of one are none of the other.
        if (variant == std::string_view("cifar10") || content.size() % 3074 == 0) {
            openAndRead(folder, "cifar",
                        {{"train", std::string("batch.bin")},
                         {"test", std::string()},
                         {"variant", std::string(variant)}});
        }
    }
}

std::string npy(const std::string& dictionary, const std::string& elements) {
    return bytesOf(
               {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<int>(dictionary.size()) + 1, 0}) +
           dictionary + "\n" + elements;
}
std::vector<std::string> samplesOfNpy() {
    return {
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", std::string(16, '?')),
        npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", "abcdefghijkl"),
        npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", bytesOf({0, 1, 1}))};
}
void attemptNpy(const fs::path& folder, std::string_view content) {
    writeContent(folder / "x.npy", content);
    (void)readNpy(folder / "x.npy");
    openAndRead(folder, "npy", {{"inputs", std::string("x.npy")}}, 0.5);
}

/// None where this build reads none.
std::vector<std::string> samplesOfNpz() {
    const fs::path file = fs::temp_directory_path() / "weft_sample.npz";
    const std::string x =
        npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", std::string(16, '?'));
    std::vector<std::string> samples = {zipped({{"x.npy", x}, {"y.npy", x, false}}),
                                        zipped({{"x.npy", x, false}})};
    writeContent(file, samples.front());
    try {
        (void)npzNames(file);
    } catch (const Error&) {
        samples.clear();
    }
    fs::remove(file);
    return samples;
}
void attemptNpz(const fs::path& folder, std::string_view content) {
    writeContent(folder / "x.npz", content);
    openAndRead(folder, "npz", {{"file", std::string("x.npz")}, {"inputs", std::string("x")}});
}

std::vector<std::string> samplesOfCsv() {
    return {"\xef\xbb\xbf"
            "a,\"b \"\"c\",kind\r\n1,2.5e0,x\r\n-3,4,\"y\nz\"\r\n5,NA,x\r\n",
            "1;2;0\n3;;1\n5;6;0\n7;8;1\n", "1 2  3\n4 5\t6\n"};
}
void attemptCsv(const fs::path& folder, std::string_view content) {
    writeContent(folder / "table.csv", content);
    openAndRead(folder, "csv",
                {{"file", std::string("table.csv")},
                 {"test", std::string("table.csv")},
                 {"targets", std::string("2")},
                 {"missing", std::string("mean")}},
                0.5);
}

std::vector<std::string> samplesOfText() { return {"the five boxing wizards\njump\t\xE4quickly"}; }
void attemptText(const fs::path& folder, std::string_view content) {
    writeContent(folder / "text.txt", content);
    openAndRead(folder, "text", {{"file", std::string("text.txt")}, {"length", std::int64_t{4}}},
                0.25);
}

std::vector<std::string> samplesOfSafetensors() {
    const std::string header = R"({"__metadata__":{"a":"b"},)"
                               R"("x":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                               R"("y":{"dtype":"BOOL","shape":[3],"data_offsets":[8,11]}})";
    return {bytesOf({static_cast<int>(header.size()), 0, 0, 0, 0, 0, 0, 0}) + header +
                "abcdefghijk",
            bytesOf({2, 0, 0, 0, 0, 0, 0, 0}) + "{}"};
}
void attemptSafetensors(const fs::path& folder, std::string_view content) {
    writeContent(folder / "x.safetensors", content);
    const SafetensorsReader reader(folder / "x.safetensors");
    for (const TensorEntry& entry : reader.entries()) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(entry.end - entry.begin));
        reader.read(entry, bytes);
        ensure(reader.find(entry.name) == &entry, "a tensor is found by its name");
    }
}

void attemptFrames(const fs::path& folder, const char* file, const char* channels) {
    openAndRead(folder, "frames",
                {{"files", std::string(file)},
                 {"folder", std::string(".")},
                 {"channels", std::string(channels)},
                 {"normalise", std::string("deviation")},
                 {"size", std::vector<std::int64_t>{3, 2}},
                 {"fit", std::string("pad")},
                 {"jitter", std::int64_t{1}},
                 {"flip", std::string("both")}});
}

std::vector<std::string> samplesOfPnm() {
    return {"P5\n3 2\n255\nabcdef", "P2 # text\n2 2 9\n0 1 2\n3", "P6 1 2 255\nabcdef",
            "P3 1 1 65535 1 2 3", "P5 1 2 300\n" + bytesOf({1, 0, 0, 255})};
}
void attemptPnm(const fs::path& folder, std::string_view content) {
    writeContent(folder / "frame.pgm", content);
    attemptFrames(folder, "frame.pgm", "as_is");
}

std::vector<std::string> samplesOfPng() {
    const fs::path file = fs::temp_directory_path() / "weft_sample.png";
    std::vector<std::string> samples;
    for (const std::int64_t channels : {1, 3}) {
        writePng(file,
                 {.dtype = DType::u8,
                  .shape = {channels, 3, 2},
                  .bytes = std::vector(static_cast<std::size_t>(6 * channels), std::byte{9})});
        std::ifstream stream(file, std::ios::binary);
        samples.emplace_back(std::istreambuf_iterator<char>(stream),
                             std::istreambuf_iterator<char>());
    }
    fs::remove(file);
    return samples;
}
void attemptPng(const fs::path& folder, std::string_view content) {
    writeContent(folder / "frame.png", content);
    attemptFrames(folder, "frame.png", "grey");
}

/// None where this build reads none.
std::vector<std::string> samplesIfBuilt(std::string_view format,
                                        std::initializer_list<std::string_view> pictures) {
    std::vector<std::string> samples;
    const std::vector<std::string_view> built = pictureFormats();
    if (std::ranges::find(built, format) != built.end()) {
        std::ranges::transform(pictures, std::back_inserter(samples), fromHexadecimal);
    }
    return samples;
}

std::vector<std::string> samplesOfJpeg() {
    return samplesIfBuilt("JPEG", {jpegInColour, jpegInScans});
}
void attemptJpeg(const fs::path& folder, std::string_view content) {
    writeContent(folder / "frame.jpg", content);
    attemptFrames(folder, "frame.jpg", "rgb");
}

std::vector<std::string> samplesOfTiff() { return samplesIfBuilt("TIFF", {tiffOfTwoPages}); }
void attemptTiff(const fs::path& folder, std::string_view content) {
    writeContent(folder / "film.tif", content);
    attemptFrames(folder, "film.tif", "rgb");
}

std::vector<std::string> samplesOfFilmList() {
    return {"a.pgm\nb.pgm\n\n# another\r\nb.pgm \n./a.pgm"};
}
void attemptFilmList(const fs::path& folder, std::string_view content) {
    writeContent(folder / "a.pgm", "P5 1 1 255\na");
    writeContent(folder / "b.pgm", "P5 1 1 255\nb");
    writeContent(folder / "films.txt", content);
    attemptFrames(folder, "films.txt", "grey");
}

std::vector<std::string> samplesOfPictureList() {
    return {"path,label\r\na.pgm,x\r\n\"b.pgm\",y\r\n# none\r\n./a.pgm,x\r\n",
            "a.pgm 1\nb.pgm 0\n"};
}
void attemptPictureList(const fs::path& folder, std::string_view content) {
    writeContent(folder / "a.pgm", "P5 1 1 255\na");
    writeContent(folder / "b.pgm", "P5 2 1 255\nbc");
    writeContent(folder / "list.csv", content);
    openAndRead(folder, "pictures",
                {{"folder", std::string(".")},
                 {"train", std::string("list.csv")},
                 {"size", std::vector<std::int64_t>{2, 2}},
                 {"broken", std::string("skip")}});
}

std::vector<std::string> samplesOfDesign() {
    Design design;
    design.name = "small";
    design.network.layers = {{.id = LayerId{1}, .name = "x", .kind = "input"},
                             {.id = LayerId{2},
                              .name = "fc",
                              .kind = "dense",
                              .attributes = {{"units", std::int64_t{10}}}}};
    design.network.wires = {{.from = {LayerId{1}, "y"}, .to = {LayerId{2}, "x"}}};
    return {toText(design)};
}
void attemptDesign(const fs::path& folder, std::string_view content) {
    writeContent(folder / "design.weft", content);
    const Design design = loadDesign(folder / "design.weft").design;
    verify(design);
    const std::string text = toText(design);
    ensure(toText(parseDesign(text).design) == text, "a design that was loaded saves to itself");
}

/// Returns the packets in bytes that arrive in pieces of this size, and why there are no more.
std::pair<std::string, std::string> packetsIn(std::string_view content, std::size_t piece) {
    PacketReader reader;
    std::pair<std::string, std::string> read;
    try {
        for (std::size_t at = 0; at < content.size(); at += piece) {
            reader.take(content.substr(at, piece));
            while (const auto packet = reader.next()) {
                read.first += packetBytes(*packet);
            }
        }
    } catch (const Error& error) {
        read.second = error.what();
    }
    return read;
}

std::vector<std::string> samplesOfLetters() {
    return {"Welcome!\n" + packetBytes({.head = {{"ask", "ping"}, {"id", 7}}}) +
                packetBytes({.head = {{"id", 7}}, .body = std::string("ab\0c", 4)}),
            std::string()};
}
void attemptLetters(const fs::path& /*folder*/, std::string_view content) {
    const auto whole = packetsIn(content, std::max<std::size_t>(1, content.size()));
    const auto pieces = packetsIn(content, 3);
    ensure(whole.first == pieces.first, "letters are the same in whatever pieces they come");
    ensure(whole.second == pieces.second, "what is no letter is none in whatever pieces it comes");
    if (!whole.second.empty()) {
        throw Error(ErrorCode::format, Where{.file = "line"}, whole.second, "try it in a terminal");
    }
}

/// A field of a protobuf message: text or a message, or a number below 128.
std::string wired(int field, const std::string& content) {
    const auto size = static_cast<int>(content.size());
    return (size < 128 ? bytesOf({field * 8 + 2, size})
                       : bytesOf({field * 8 + 2, size % 128 + 128, size / 128})) +
           content;
}
std::string wired(int field, int number) { return bytesOf({field * 8, number}); }

/// y = x w, with w in the model or in another file.
std::string onnxModel(const std::string& weight) {
    const std::string dims = wired(1, wired(2, "N")) + wired(1, wired(1, 2));
    const std::string x = wired(1, "x") + wired(2, wired(1, wired(1, 1) + wired(2, dims)));
    const std::string attribute = wired(5, wired(1, "a") + wired(8, 3) + bytesOf({0xA0, 1, 7}));
    const std::string node = wired(1, "x") + wired(1, "w") + wired(2, "y") + wired(3, "m") +
                             wired(4, "MatMul") + attribute;
    return wired(1, 8) + wired(8, wired(2, 17)) +
           wired(7, wired(1, node) + wired(5, weight) + wired(11, x) + wired(12, wired(1, "y")));
}
std::vector<std::string> samplesOfOnnx() {
    if (!readsOnnx()) {
        return {};
    }
    const std::string head = wired(1, 2) + wired(1, 1) + wired(2, 1) + wired(8, "w");
    const std::string elsewhere = wired(13, wired(1, "location") + wired(2, "w.bin")) +
                                  wired(13, wired(1, "offset") + wired(2, "4")) + wired(14, 1);
    return {onnxModel(head + wired(9, "abcdefgh")), onnxModel(head + wired(4, "abcdefgh")),
            onnxModel(head + elsewhere)};
}
void attemptOnnx(const fs::path& folder, std::string_view content) {
    if (readsOnnx()) {
        writeContent(folder / "w.bin", "abcdefghijkl");
        writeContent(folder / "model.onnx", content);
        (void)onnx::readModel(folder / "model.onnx");
    }
}

constexpr std::array<Reader, 17> all = {
    {{"idx", "idx", samplesOfIdx, attemptIdx},
     {"idx_labels", "idx", samplesOfIdxLabels, attemptIdxLabels},
     {"cifar", "cifar", samplesOfCifar, attemptCifar},
     {"npy", "npy", samplesOfNpy, attemptNpy},
     {"npz", "npz", samplesOfNpz, attemptNpz},
     {"csv", "csv", samplesOfCsv, attemptCsv},
     {"text", "text", samplesOfText, attemptText},
     {"safetensors", "", samplesOfSafetensors, attemptSafetensors},
     {"pnm", "frames", samplesOfPnm, attemptPnm},
     {"png", "frames", samplesOfPng, attemptPng},
     {"jpeg", "frames", samplesOfJpeg, attemptJpeg},
     {"tiff", "frames", samplesOfTiff, attemptTiff},
     {"film_list", "frames", samplesOfFilmList, attemptFilmList},
     {"picture_list", "pictures", samplesOfPictureList, attemptPictureList},
     {"design", "", samplesOfDesign, attemptDesign},
     {"onnx", "", samplesOfOnnx, attemptOnnx},
     {"letters", "", samplesOfLetters, attemptLetters}}};

} // namespace

std::span<const Reader> readers() { return all; }

const Reader* findReader(std::string_view name) {
    const auto* at =
        std::find_if(all.begin(), all.end(), [&](const Reader& each) { return each.name == name; });
    return at == all.end() ? nullptr : at;
}

} // namespace weft::test
