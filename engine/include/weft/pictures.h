// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tensors and curves as pictures: what `weft show` writes and a window paints. Plain values, no
// screen needed.

#include <weft/runs.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Bytes [channels, rows, columns]; 1 channel is grey, 3 are red, green and blue.
struct Picture {
    std::int64_t channels = 1;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::uint8_t> pixels;
    bool operator==(const Picture&) const = default;

    [[nodiscard]] std::uint8_t at(std::int64_t channel, std::int64_t row,
                                  std::int64_t column) const {
        return pixels[static_cast<std::size_t>((channel * rows + row) * columns + column)];
    }
};

/// Numbers of any shape, in rows.
struct TensorNumbers {
    std::string name;
    Shape shape;
    std::vector<float> numbers;
    bool operator==(const TensorNumbers&) const = default;
};
/// Out of a .npy file.
[[nodiscard]] TensorNumbers readTensor(const std::filesystem::path& file);
/// Names of a checkpoint's or any safetensors file's tensors, and one of them. Error{usage} names
/// those there are.
[[nodiscard]] std::vector<std::string> tensorsIn(const std::filesystem::path& weights);
[[nodiscard]] TensorNumbers readTensor(const std::filesystem::path& weights,
                                       const std::string& name);
/// As .npy of f32. Written beside and renamed.
void saveTensor(const TensorNumbers& tensor, const std::filesystem::path& file);

struct MosaicRequest {
    std::int64_t mostTiles = 1024;
    std::int64_t scale = 0; ///< pixels per number; 0: enough that a small filter can be seen
};
/// The last two dims are a tile, those before count the tiles, laid out in rows as near to a square
/// as they go, a pixel apart. Filters of three input channels are in colour. Black is the smallest
/// number of all, white the largest, what is not finite is mid-grey.
[[nodiscard]] Picture mosaic(const TensorNumbers& tensor, const MosaicRequest& request = {});

/// Curves over the same steps, a colour each, on white.
[[nodiscard]] Picture curves(const std::vector<MetricSeries>& series, std::int64_t rows = 400,
                             std::int64_t columns = 640);
/// One curve in characters, with the numbers of its ends.
[[nodiscard]] std::string curveText(const MetricSeries& series, int rows = 12, int columns = 72);

/// How often numbers fall between the smallest and the largest, in so many equal parts.
struct Histogram {
    double least = 0;
    double most = 0;
    std::vector<std::int64_t> counts;
    std::int64_t notFinite = 0;
    bool operator==(const Histogram&) const = default;
};
[[nodiscard]] Histogram histogram(const TensorNumbers& tensor, std::size_t parts = 32);

/// As PNG.
void savePicture(const Picture& picture, const std::filesystem::path& file);

} // namespace weft
