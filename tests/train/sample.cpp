// SPDX-License-Identifier: Apache-2.0
#include "sample.h"

#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <algorithm>
#include <fstream>
#include <random>

namespace weft::test {

namespace {

constexpr std::uint32_t examples = 48;

std::string bytesBelow(std::size_t count, unsigned bound, std::mt19937& random) {
    std::string bytes(count, '\0');
    std::ranges::generate(bytes, [&] { return static_cast<char>(random() % bound); });
    return bytes;
}

void write(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

/// Unsigned bytes with these dims.
std::string idxHead(const std::vector<std::uint32_t>& dims) {
    std::string head = {0, 0, 8, static_cast<char>(dims.size())};
    for (const std::uint32_t dim : dims) {
        for (const int shift : {24, 16, 8, 0}) {
            head += static_cast<char>(dim >> static_cast<unsigned>(shift) & 0xFFU);
        }
    }
    return head;
}

} // namespace

std::vector<std::string> sampleNames() {
    std::vector<std::string> names;
    for (const auto& folder : std::filesystem::directory_iterator(sourceFolder() / "projects")) {
        for (const char* design : {"design", "bench"}) {
            if (std::filesystem::exists(folder.path() / (std::string(design) + ".weft"))) {
                names.push_back(folder.path().filename().string() + "/" + design);
            }
        }
    }
    std::ranges::sort(names);
    return names;
}

std::filesystem::path sampleFile(const std::string& name) {
    return sourceFolder() / "projects" / (name + ".weft");
}

Design sampleDesign(const std::string& name) {
    return loadDesign(sampleFile(name), catalogue()).design;
}

void writeSmallData(const std::filesystem::path& folder) {
    std::mt19937 random(7);
    for (const char* set : {"train", "t10k"}) {
        const std::filesystem::path base = folder / "mnist" / set;
        write(base.string() + "-images-idx3-ubyte",
              idxHead({examples, 28, 28}) +
                  bytesBelow(std::size_t{examples} * 28 * 28, 256, random));
        write(base.string() + "-labels-idx1-ubyte",
              idxHead({examples}) + bytesBelow(examples, 10, random));
    }
    for (const char* file : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                             "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}) {
        std::string records;
        for (std::uint32_t k = 0; k < examples; ++k) {
            records += bytesBelow(1, 10, random) + bytesBelow(3 * 32 * 32, 256, random);
        }
        write(folder / "cifar10" / file, records);
    }
    for (const char* frame : {"leaves/1.pgm", "leaves/2.pgm", "waves/1.pgm", "waves/2.pgm"}) {
        write(folder / "natural" / frame,
              "P5 140 132 255\n" + bytesBelow(std::size_t{140} * 132, 256, random));
    }
    // All 65 characters of the text that the design names, so that its ids fit.
    std::string text;
    for (std::uint32_t k = 0; k < 8000; ++k) {
        text += static_cast<char>('0' + random() % 65);
    }
    write(folder / "text" / "tinyshakespeare.txt", text);
}

SessionOutcome trained(const std::string& name, Design design,
                       const std::vector<std::filesystem::path>& data) {
    SessionRequest request{.design = std::move(design)};
    request.folder = sampleFile(name).parent_path();
    request.data = data;
    request.runs.clear();
    Session session(std::move(request));
    return session.wait();
}

} // namespace weft::test
