// SPDX-License-Identifier: Apache-2.0
#include "base/text/names_of.h"
#include "data/arrays/npy.h"
#include "data/arrays/png.h"
#include "data/arrays/safetensors.h"
#include <weft/error.h>
#include <weft/pictures.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace weft {

namespace {

constexpr std::uint8_t gap = 255;
constexpr std::uint8_t unknown = 128;

std::vector<float> asFloats(DType dtype, const std::vector<std::byte>& bytes) {
    std::vector<float> numbers(bytes.size() / byteSize(dtype));
    const auto take = [&](auto x) {
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            std::memcpy(&x, bytes.data() + k * sizeof(x), sizeof(x));
            numbers[k] = static_cast<float>(x);
        }
    };
    switch (dtype) {
    case DType::f32: take(float{}); break;
    case DType::f64: take(double{}); break;
    case DType::i32: take(std::int32_t{}); break;
    case DType::i64: take(std::int64_t{}); break;
    case DType::u8: take(std::uint8_t{}); break;
    default:
        throw Error(ErrorCode::format, {},
                    fmt::format("tensors of type {} cannot be shown as images", nameOf(dtype)),
                    "convert the tensor to f32");
    }
    return numbers;
}

struct Range {
    float least = 0;
    float most = 0;

    explicit Range(const std::vector<float>& numbers) {
        bool isFirst = true;
        for (const float x : numbers) {
            if (std::isfinite(x)) {
                least = isFirst ? x : std::min(least, x);
                most = isFirst ? x : std::max(most, x);
                isFirst = false;
            }
        }
    }
    [[nodiscard]] std::uint8_t grey(float x) const {
        if (!std::isfinite(x) || most <= least) {
            return unknown;
        }
        const double share = (static_cast<double>(x) - least) / (static_cast<double>(most) - least);
        return static_cast<std::uint8_t>(std::lround(255 * share));
    }
};

/// Number and size of the tiles that show a tensor.
struct Tiles {
    std::int64_t channels = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t count = 1;

    explicit Tiles(const Shape& shape) {
        const std::size_t rank = shape.size();
        columns = rank > 0 ? shape[rank - 1] : 1;
        rows = rank > 1 ? shape[rank - 2] : 1;
        channels = rank == 4 && shape[1] == 3 ? 3 : 1;
        const std::int64_t tile = std::max<std::int64_t>(1, rows * columns * channels);
        count = elementsOf(shape) / tile;
    }
};

Picture blank(std::int64_t channels, std::int64_t rows, std::int64_t columns) {
    return {channels, rows, columns,
            std::vector<std::uint8_t>(static_cast<std::size_t>(channels * rows * columns), gap)};
}

void set(Picture& picture, std::int64_t channel, std::int64_t row, std::int64_t column,
         std::uint8_t value) {
    picture.pixels[static_cast<std::size_t>((channel * picture.rows + row) * picture.columns +
                                            column)] = value;
}

std::int64_t scaleFor(const Tiles& tiles) {
    constexpr std::int64_t seen = 24;
    return std::max<std::int64_t>(1, seen / std::max(tiles.rows, tiles.columns));
}

} // namespace

TensorNumbers readTensor(const std::filesystem::path& file) {
    const Array array = readNpy(file);
    return {file.stem().string(), array.shape, asFloats(array.dtype, array.bytes)};
}

std::vector<std::string> tensorsIn(const std::filesystem::path& weights) {
    return namesOf(SafetensorsReader(weights).entries());
}

TensorNumbers readTensor(const std::filesystem::path& weights, const std::string& name) {
    const SafetensorsReader reader(weights);
    const TensorEntry* entry = reader.find(name);
    if (entry == nullptr) {
        throw Error(ErrorCode::usage, Where{.file = weights.string()}, "holds no " + name,
                    fmt::format("name one of {}", fmt::join(tensorsIn(weights), ", ")));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(entry->end - entry->begin));
    reader.read(*entry, bytes);
    return {name, entry->shape, asFloats(entry->dtype, bytes)};
}

Picture mosaic(const TensorNumbers& tensor, const MosaicRequest& request) {
    const Tiles tiles(tensor.shape);
    const std::int64_t count = std::min(tiles.count, request.mostTiles);
    if (count <= 0 || tensor.numbers.empty()) {
        return blank(1, 1, 1);
    }
    const auto across = static_cast<std::int64_t>(
        std::ceil(std::sqrt(static_cast<double>(count) * static_cast<double>(tiles.rows) /
                            static_cast<double>(tiles.columns))));
    const std::int64_t wide = std::clamp<std::int64_t>(across, 1, count);
    const std::int64_t high = (count + wide - 1) / wide;
    const std::int64_t scale = request.scale > 0 ? request.scale : scaleFor(tiles);
    Picture picture = blank(tiles.channels, high * (tiles.rows * scale + 1) - 1,
                            wide * (tiles.columns * scale + 1) - 1);
    const Range range(tensor.numbers);
    for (std::int64_t tile = 0; tile < count; ++tile) {
        const std::int64_t top = tile / wide * (tiles.rows * scale + 1);
        const std::int64_t left = tile % wide * (tiles.columns * scale + 1);
        for (std::int64_t c = 0; c < tiles.channels; ++c) {
            for (std::int64_t row = 0; row < tiles.rows * scale; ++row) {
                for (std::int64_t column = 0; column < tiles.columns * scale; ++column) {
                    const std::int64_t at =
                        ((tile * tiles.channels + c) * tiles.rows + row / scale) * tiles.columns +
                        column / scale;
                    set(picture, c, top + row, left + column,
                        range.grey(tensor.numbers[static_cast<std::size_t>(at)]));
                }
            }
        }
    }
    return picture;
}

Histogram histogram(const TensorNumbers& tensor, std::size_t parts) {
    const Range range(tensor.numbers);
    Histogram made{range.least, range.most,
                   std::vector<std::int64_t>(std::max<std::size_t>(parts, 1)), 0};
    const double width = (made.most - made.least) / static_cast<double>(made.counts.size());
    for (const float x : tensor.numbers) {
        if (!std::isfinite(x)) {
            ++made.notFinite;
            continue;
        }
        const double place = width > 0 ? (static_cast<double>(x) - made.least) / width : 0;
        ++made.counts[std::min(static_cast<std::size_t>(place), made.counts.size() - 1)];
    }
    return made;
}

void savePicture(const Picture& picture, const std::filesystem::path& file) {
    Array array{.dtype = DType::u8,
                .shape = {picture.channels, picture.rows, picture.columns},
                .bytes = std::vector<std::byte>(picture.pixels.size())};
    std::memcpy(array.bytes.data(), picture.pixels.data(), picture.pixels.size());
    writePng(file, array);
}

void saveTensor(const TensorNumbers& tensor, const std::filesystem::path& file) {
    writeNpy(file, DType::f32, tensor.shape, std::as_bytes(std::span(tensor.numbers)));
}

} // namespace weft
