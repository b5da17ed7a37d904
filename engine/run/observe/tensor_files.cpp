// SPDX-License-Identifier: Apache-2.0
#include "run/observe/tensor_files.h"

#include "base/files/files.h"
#include "data/arrays/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace weft {

TensorFiles::TensorFiles(std::filesystem::path folder, std::size_t kept)
    : folder_(std::move(folder)), kept_(kept) {
    std::error_code error;
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
        if (entry.path().extension() == ".npy") {
            found.push_back(entry.path().filename().string());
        }
    }
    // Names begin with the step, in a fixed number of digits.
    std::ranges::sort(found);
    names_.assign(found.begin(), found.end());
}

std::string TensorFiles::write(std::int64_t step, const std::string& name, const Array& value) {
    // A copy of a group has a name such as "block[2]/conv1".
    std::string safe = name;
    std::ranges::replace(safe, '/', '.');
    std::string file = fmt::format("step-{:09}.{}.npy", step, safe);
    makeFolder(folder_);
    writeNpy(folder_ / file, value.dtype, value.shape, value.bytes);
    std::string path = (folder_.filename() / file).string();
    std::erase(names_, file);
    names_.push_back(std::move(file));
    for (; names_.size() > kept_; names_.pop_front()) {
        std::error_code gone;
        std::filesystem::remove(folder_ / names_.front(), gone);
    }
    return path;
}

} // namespace weft
