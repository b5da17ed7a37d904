// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions of cuBLASLt for products (only included by cublaslt_products.cpp), looked up when
// the library is first opened, so that one binary serves machines with and without it; and RAII
// owners of its descriptors.

#include <cublasLt.h>

#include <string>
#include <utility>

namespace weft::cuda::cublaslt {

struct Entries {
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
[[nodiscard]] const Entries& entries();
/// Returns why the library cannot be used; empty: it can.
[[nodiscard]] const std::string& whyNone();
[[nodiscard]] std::string versionName();

/// Throws Error{device} with the request and the library's status, unless it succeeded.
void require(cublasStatus_t status, const char* what);

/// Owns one descriptor.
template <class Descriptor>
class Owned {
public:
    using Destroy = cublasStatus_t (*)(Descriptor);

    explicit Owned(Destroy destroy) : destroy_(destroy) {}
    ~Owned() { drop(); }
    Owned(Owned&& from) noexcept
        : held_(std::exchange(from.held_, nullptr)), destroy_(from.destroy_) {}
    Owned& operator=(Owned&& from) noexcept {
        drop();
        held_ = std::exchange(from.held_, nullptr);
        destroy_ = from.destroy_;
        return *this;
    }

    [[nodiscard]] Descriptor get() const { return held_; }
    [[nodiscard]] Descriptor* out() { return &held_; }

private:
    void drop() noexcept {
        if (held_ != nullptr) {
            (void)destroy_(held_);
        }
    }

    Descriptor held_ = nullptr;
    Destroy destroy_;
};

class Operation {
public:
    Operation(cublasComputeType_t compute, cudaDataType_t scale)
        : held_(entries().destroyOperation) {
        require(entries().createOperation(held_.out(), compute, scale),
                "describing a matrix product");
    }
    [[nodiscard]] cublasLtMatmulDesc_t get() const { return held_.get(); }
    template <class T>
    void set(cublasLtMatmulDescAttributes_t name, const T& value) {
        require(entries().setOfOperation(get(), name, &value, sizeof value),
                "describing a matrix product");
    }

private:
    Owned<cublasLtMatmulDesc_t> held_;
};

class Layout {
public:
    Layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
        : held_(entries().destroyLayout) {
        require(entries().createLayout(held_.out(), type, rows, columns, leading),
                "describing a matrix");
    }
    [[nodiscard]] cublasLtMatrixLayout_t get() const { return held_.get(); }
    template <class T>
    void set(cublasLtMatrixLayoutAttribute_t name, const T& value) {
        require(entries().setOfLayout(get(), name, &value, sizeof value), "describing a matrix");
    }

private:
    Owned<cublasLtMatrixLayout_t> held_;
};

class Preference {
public:
    Preference() : held_(entries().destroyPreference) {
        require(entries().createPreference(held_.out()), "setting the preferences for algorithms");
    }
    [[nodiscard]] cublasLtMatmulPreference_t get() const { return held_.get(); }
    template <class T>
    void set(cublasLtMatmulPreferenceAttributes_t name, const T& value) {
        require(entries().setOfPreference(get(), name, &value, sizeof value),
                "setting the preferences for algorithms");
    }

private:
    Owned<cublasLtMatmulPreference_t> held_;
};

} // namespace weft::cuda::cublaslt
