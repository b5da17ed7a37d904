// SPDX-License-Identifier: Apache-2.0
#pragma once
// Renders tensors and curves as pictures, for `weft show` and the window. Plain values; needs no
// screen.

#include <weft/runs.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Bytes as [channels, rows, columns]; 1 channel is grey, 3 are red, green and blue.
struct Picture {
    std::int64_t channels = 1; ///< 1: grey, 3: RGB
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::uint8_t> pixels; ///< [channels, rows, columns], 0 to 255
    bool operator==(const Picture&) const = default;

    [[nodiscard]] std::uint8_t at(std::int64_t channel, std::int64_t row,
                                  std::int64_t column) const {
        return pixels[static_cast<std::size_t>((channel * rows + row) * columns + column)];
    }
};

/// The numbers of a tensor of any shape, in row-major order.
struct TensorNumbers {
    std::string name;
    Shape shape;
    std::vector<float> numbers;
    bool operator==(const TensorNumbers&) const = default;
};
/// Reads a .npy file.
[[nodiscard]] TensorNumbers readTensor(const std::filesystem::path& file);
/// List the tensors of a checkpoint or safetensors file, and read one of them. Error{usage} lists
/// the names if there is no such tensor.
[[nodiscard]] std::vector<std::string> tensorsIn(const std::filesystem::path& weights);
[[nodiscard]] TensorNumbers readTensor(const std::filesystem::path& weights,
                                       const std::string& name);
/// Saves as .npy of f32, atomically (temporary file and rename).
void saveTensor(const TensorNumbers& tensor, const std::filesystem::path& file);

struct MosaicRequest {
    std::int64_t mostTiles = 1024; ///< tiles shown at most
    std::int64_t scale = 0;        ///< pixels per number; 0: large enough to see a small filter
};
/// Draws the last two dims as tiles, one per index of the other dims, in a nearly square grid with
/// gaps of one pixel. Filters with three input channels are in colour. Black is the smallest number
/// overall, white the largest, and non-finite numbers are mid-grey.
[[nodiscard]] Picture mosaic(const TensorNumbers& tensor, const MosaicRequest& request = {});

/// Draws curves over the same steps, one colour each, on white.
[[nodiscard]] Picture curves(const std::vector<MetricSeries>& series, std::int64_t rows = 400,
                             std::int64_t columns = 640);
/// Draws one curve in characters, with the values at its ends.
[[nodiscard]] std::string curveText(const MetricSeries& series, int rows = 12, int columns = 72);

/// Counts of numbers in equal intervals between the smallest and the largest.
struct Histogram {
    double least = 0;                 ///< lower end of the first bin
    double most = 0;                  ///< upper end of the last bin
    std::vector<std::int64_t> counts; ///< numbers in each bin, all of one width
    std::int64_t notFinite = 0;       ///< count of NaN and infinities
    bool operator==(const Histogram&) const = default;
};
[[nodiscard]] Histogram histogram(const TensorNumbers& tensor, std::size_t parts = 32);

/// Saves as PNG.
void savePicture(const Picture& picture, const std::filesystem::path& file);

} // namespace weft
