// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions of cuBLASLt for products (only included by cublaslt_products.cpp), looked up when
// the library is first opened, so that one binary serves machines with and without it; and RAII
// owners of its descriptors.

#include <cublasLt.h>

#include <string>
#include <utility>

namespace weft::cuda::cublaslt {

struct LibraryFunctions {
    decltype(&cublasLtGetVersion) version;
    decltype(&cublasLtGetStatusName) statusName;
    decltype(&cublasLtCreate) create;
    decltype(&cublasLtDestroy) destroy;
    decltype(&cublasLtMatmulDescCreate) createOperation;
    decltype(&cublasLtMatmulDescDestroy) destroyOperation;
    decltype(&cublasLtMatmulDescSetAttribute) setOfOperation;
    decltype(&cublasLtMatrixLayoutCreate) createLayout;
    decltype(&cublasLtMatrixLayoutDestroy) destroyLayout;
    decltype(&cublasLtMatrixLayoutSetAttribute) setOfLayout;
    decltype(&cublasLtMatmulPreferenceCreate) createPreference;
    decltype(&cublasLtMatmulPreferenceDestroy) destroyPreference;
    decltype(&cublasLtMatmulPreferenceSetAttribute) setOfPreference;
    decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
    decltype(&cublasLtMatmulAlgoConfigGetAttribute) configOf;
    decltype(&cublasLtMatmulAlgoConfigSetAttribute) setConfigOf;
    decltype(&cublasLtMatmulAlgoCheck) check;
    decltype(&cublasLtMatmulAlgoCapGetAttribute) capabilityOf;
    decltype(&cublasLtMatmul) multiply;
};

/// Requires that the library is usable.
[[nodiscard]] const LibraryFunctions& libraryFunctions();
/// Returns why the library cannot be used; empty: it can.
[[nodiscard]] const std::string& whyUnusable();
[[nodiscard]] std::string versionName();

/// Throws Error{device} with the request and the library's status, unless it succeeded.
void require(cublasStatus_t status, const char* what);

/// Owns one descriptor.
template <class Descriptor>
class OwnedDescriptor {
public:
    using Destroy = cublasStatus_t (*)(Descriptor);

    explicit OwnedDescriptor(Destroy destroy) : destroy_(destroy) {}
    ~OwnedDescriptor() { destroy(); }
    OwnedDescriptor(OwnedDescriptor&& from) noexcept
        : descriptor_(std::exchange(from.descriptor_, nullptr)), destroy_(from.destroy_) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& from) noexcept {
        destroy();
        descriptor_ = std::exchange(from.descriptor_, nullptr);
        destroy_ = from.destroy_;
        return *this;
    }

    [[nodiscard]] Descriptor get() const { return descriptor_; }
    [[nodiscard]] Descriptor* out() { return &descriptor_; } ///< set by the library's create

private:
    void destroy() noexcept {
        if (descriptor_ != nullptr) {
            (void)destroy_(descriptor_);
        }
    }

    Descriptor descriptor_ = nullptr;
    Destroy destroy_;
};

class Operation {
public:
    Operation(cublasComputeType_t compute, cudaDataType_t scale)
        : descriptor_(libraryFunctions().destroyOperation) {
        require(libraryFunctions().createOperation(descriptor_.out(), compute, scale),
                "describing a matrix product");
    }
    [[nodiscard]] cublasLtMatmulDesc_t get() const { return descriptor_.get(); }
    template <class T>
    void set(cublasLtMatmulDescAttributes_t name, const T& value) {
        require(libraryFunctions().setOfOperation(get(), name, &value, sizeof value),
                "describing a matrix product");
    }

private:
    OwnedDescriptor<cublasLtMatmulDesc_t> descriptor_;
};

class Layout {
public:
    Layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
        : descriptor_(libraryFunctions().destroyLayout) {
        require(libraryFunctions().createLayout(descriptor_.out(), type, rows, columns, leading),
                "describing a matrix");
    }
    [[nodiscard]] cublasLtMatrixLayout_t get() const { return descriptor_.get(); }
    template <class T>
    void set(cublasLtMatrixLayoutAttribute_t name, const T& value) {
        require(libraryFunctions().setOfLayout(get(), name, &value, sizeof value),
                "describing a matrix");
    }

private:
    OwnedDescriptor<cublasLtMatrixLayout_t> descriptor_;
};

class Preference {
public:
    Preference() : descriptor_(libraryFunctions().destroyPreference) {
        require(libraryFunctions().createPreference(descriptor_.out()),
                "setting the preferences for algorithms");
    }
    [[nodiscard]] cublasLtMatmulPreference_t get() const { return descriptor_.get(); }
    template <class T>
    void set(cublasLtMatmulPreferenceAttributes_t name, const T& value) {
        require(libraryFunctions().setOfPreference(get(), name, &value, sizeof value),
                "setting the preferences for algorithms");
    }

private:
    OwnedDescriptor<cublasLtMatmulPreference_t> descriptor_;
};

} // namespace weft::cuda::cublaslt
