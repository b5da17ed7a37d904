// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads and writes safetensors: a header that names tensors, then their bytes, row-major and
// without gaps. The reader reads one tensor at a time; the writer streams tensors in the announced
// order.

#include "data/file_bytes.h"
#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct TensorEntry {
    std::string name;
    DType dtype = DType::f32; ///< u8 if the file says BOOL
    Shape shape = {};
    std::int64_t begin = 0; ///< offset of the first byte in the file
    std::int64_t end = 0;   ///< offset past the last byte
    bool operator==(const TensorEntry&) const = default;
};

/// Immutable after construction; thread-safe.
class SafetensorsReader {
public:
    /// Reads and checks the header; throws Error{format} for an incomplete or invalid file.
    explicit SafetensorsReader(const std::filesystem::path& path);

    /// In the order of their bytes.
    [[nodiscard]] const std::vector<TensorEntry>& entries() const { return entries_; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return metadata_; }
    /// Returns nullptr if there is no such tensor.
    [[nodiscard]] const TensorEntry* find(std::string_view name) const;
    /// Fills `bytes`, which has exactly the tensor's size.
    void read(const TensorEntry& entry, std::span<std::byte> bytes) const;
    /// Reads part of the tensor, starting at byte `from` of the tensor.
    void read(const TensorEntry& entry, std::int64_t from, std::span<std::byte> bytes) const;

private:
    FileBytes file_;
    std::vector<TensorEntry> entries_;            ///< in the order of their bytes
    std::vector<std::size_t> sortedByName_;       ///< indices in `entries_`
    std::map<std::string, std::string> metadata_; ///< the header's `__metadata__`
};

/// Announces a tensor to the writer.
struct TensorHeading {
    std::string name;
    DType dtype = DType::f32;
    Shape shape = {};
};

/// Writes atomically: the file appears at `finish`, otherwise nothing is left behind.
class SafetensorsWriter {
public:
    SafetensorsWriter(const std::filesystem::path& path, const std::vector<TensorHeading>& tensors,
                      const std::map<std::string, std::string>& metadata = {});
    ~SafetensorsWriter();

    /// Appends bytes of the announced tensors in order, in pieces of any size.
    void write(std::span<const std::byte> bytes);
    void finish(); ///< makes the complete file appear

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
