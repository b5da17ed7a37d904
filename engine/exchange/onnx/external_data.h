// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads tensor data that an ONNX model keeps in another file. Only regular files inside the model's
// folder are read, and only without links on the way.

#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace weft::onnx {

/// Where a tensor's bytes lie in another file.
struct ExternalData {
    std::string location;     ///< relative to the model's folder
    std::int64_t offset = 0;  ///< bytes
    std::int64_t length = -1; ///< bytes; -1: not given
};

/// The data files of a model.
class ExternalFiles {
public:
    explicit ExternalFiles(std::filesystem::path model);

    /// Returns exactly `bytes` bytes, of which the tensor makes `memory` bytes. Throws
    /// Error{format} naming the model and the tensor if there are not so many, or if the tensors of
    /// the model read the same file again and again; Error{memory} if they take more than half of
    /// what is free.
    [[nodiscard]] std::string read(const std::string& tensor, const ExternalData& data,
                                   std::int64_t bytes, Bytes memory);

private:
    struct FileUse {
        std::int64_t taken = 0; ///< bytes read, all together
        std::int64_t end = 0;   ///< end of the last part that was read
    };

    std::filesystem::path model_;
    Bytes left_; ///< memory that tensors may still take
    std::map<std::pair<std::uint64_t, std::uint64_t>, FileUse>
        uses_; ///< by device and inode number
};

} // namespace weft::onnx
