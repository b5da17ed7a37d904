// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cudnn/cudnn_library.h"

#include "base/process/run_time_library.h"
#include <weft/error.h>

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft::cuda::cudnn {

namespace {

/// The first version that accepts properties of an absent GPU.
constexpr std::size_t oldestVersion = 90800;

class Opened {
public:
    Opened() {
        void* const library = openLibrary("libcudnn.so.9");
        if (library == nullptr) {
            why_ = "libcudnn.so.9 was not found";
            return;
        }
        const bool isWhole =
            find(library, "cudnnGetVersion", entries_.version) &&
            find(library, "cudnnGetErrorString", entries_.errorText) &&
            find(library, "cudnnCreate", entries_.create) &&
            find(library, "cudnnDestroy", entries_.destroy) &&
            find(library, "cudnnSetStream", entries_.setStream) &&
            find(library, "cudnnBackendCreateDescriptor", entries_.createDescriptor) &&
            find(library, "cudnnBackendDestroyDescriptor", entries_.destroyDescriptor) &&
            find(library, "cudnnBackendSetAttribute", entries_.setAttribute) &&
            find(library, "cudnnBackendGetAttribute", entries_.getAttribute) &&
            find(library, "cudnnBackendFinalize", entries_.finalize) &&
            find(library, "cudnnBackendExecute", entries_.execute);
        version_ = isWhole ? entries_.version() : 0;
        if (isWhole && version_ < oldestVersion) {
            why_ = fmt::format("version {} is older than 9.8", name());
        }
    }

    [[nodiscard]] const std::string& why() const { return why_; }
    [[nodiscard]] const LibraryFunctions& libraryFunctions() const { return entries_; }
    [[nodiscard]] std::string name() const {
        return fmt::format("{}.{}.{}", version_ / 10000, version_ / 100 % 100, version_ % 100);
    }

private:
    template <class Entry>
    bool find(void* library, const char* name, Entry& entry) {
        entry = reinterpret_cast<Entry>(dlsym(library, name));
        if (entry == nullptr) {
            why_ = fmt::format("the library lacks {}", name);
        }
        return entry != nullptr;
    }

    LibraryFunctions entries_{};
    std::size_t version_ = 0;
    std::string why_; ///< why the library cannot be used; empty: it can
};

const Opened& opened() {
    static const Opened library;
    return library;
}

} // namespace

const LibraryFunctions& libraryFunctions() { return opened().libraryFunctions(); }

const std::string& whyUnusable() { return opened().why(); }

std::string versionName() { return opened().name(); }

void require(cudnnStatus_t status, const char* what) {
    if (status != CUDNN_STATUS_SUCCESS) {
        throw Error(
            ErrorCode::device, {},
            fmt::format("{}: cuDNN returned {}", what, libraryFunctions().errorText(status)),
            "see `weft devices`; the device may need a restart");
    }
}

} // namespace weft::cuda::cudnn
