// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.h"

#include "fuzz/readers.h"
#include <weft/error.h>

#include <cstdlib>
#include <string>

namespace weft::test {

namespace {

/// A folder of this process, in memory where the system has one there.
std::filesystem::path makeFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const auto root =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string folder = (root / "weft_fuzz_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        std::abort();
    }
    return folder;
}

/// The folder goes with the process.
struct Folder {
    std::filesystem::path path = makeFolder();
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

} // namespace

int fuzzOne(const char* reader, const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    const Reader* chosen = findReader(reader);
    if (chosen == nullptr) {
        std::abort();
    }
    try {
        chosen->attempt(folder.path, {reinterpret_cast<const char*>(data), size});
    } catch (const Error& error) {
        if (error.code() == ErrorCode::bug) {
            std::abort();
        }
    }
    return 0;
}

} // namespace weft::test
