// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cublaslt/cublaslt_library.h"

#include "base/process/run_time_library.h"
#include <weft/error.h>

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft::cuda::cublaslt {

namespace {

/// The first version with kernels for compute capability 9.0 and the layouts used here.
constexpr std::size_t oldestVersion = 120000;

class Opened {
public:
    Opened() {
        void* library = openLibrary("libcublasLt.so.13");
        library = library == nullptr ? openLibrary("libcublasLt.so.12") : library;
        if (library == nullptr) {
            why_ = "neither libcublasLt.so.13 nor libcublasLt.so.12 was found";
            return;
        }
        const bool isWhole =
            find(library, "cublasLtGetVersion", entries_.version) &&
            find(library, "cublasLtGetStatusName", entries_.statusName) &&
            find(library, "cublasLtCreate", entries_.create) &&
            find(library, "cublasLtDestroy", entries_.destroy) &&
            find(library, "cublasLtMatmulDescCreate", entries_.createOperation) &&
            find(library, "cublasLtMatmulDescDestroy", entries_.destroyOperation) &&
            find(library, "cublasLtMatmulDescSetAttribute", entries_.setOfOperation) &&
            find(library, "cublasLtMatrixLayoutCreate", entries_.createLayout) &&
            find(library, "cublasLtMatrixLayoutDestroy", entries_.destroyLayout) &&
            find(library, "cublasLtMatrixLayoutSetAttribute", entries_.setOfLayout) &&
            find(library, "cublasLtMatmulPreferenceCreate", entries_.createPreference) &&
            find(library, "cublasLtMatmulPreferenceDestroy", entries_.destroyPreference) &&
            find(library, "cublasLtMatmulPreferenceSetAttribute", entries_.setOfPreference) &&
            find(library, "cublasLtMatmulAlgoGetHeuristic", entries_.heuristic) &&
            find(library, "cublasLtMatmulAlgoConfigGetAttribute", entries_.configOf) &&
            find(library, "cublasLtMatmulAlgoConfigSetAttribute", entries_.setConfigOf) &&
            find(library, "cublasLtMatmulAlgoCheck", entries_.check) &&
            find(library, "cublasLtMatmulAlgoCapGetAttribute", entries_.capabilityOf) &&
            find(library, "cublasLtMatmul", entries_.multiply);
        version_ = isWhole ? entries_.version() : 0;
        if (isWhole && version_ < oldestVersion) {
            why_ = fmt::format("version {} is older than 12.0", name());
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

void require(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        throw Error(
            ErrorCode::device, {},
            fmt::format("{}: cuBLASLt returned {}", what, libraryFunctions().statusName(status)),
            "see `weft devices`; the device may need a restart");
    }
}

} // namespace weft::cuda::cublaslt
