// SPDX-License-Identifier: Apache-2.0
#pragma once
// The functions of cuDNN for plans (only included by cudnn_plans.cpp), looked up when the library
// is first opened, so that one binary serves machines with and without it; and its descriptors.

#include <cudnn_graph.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace weft::cuda::cudnn {

/// The functions that are called.
struct LibraryFunctions {
    decltype(&cudnnGetVersion) version;
    decltype(&cudnnGetErrorString) errorText;
    decltype(&cudnnCreate) create;
    decltype(&cudnnDestroy) destroy;
    decltype(&cudnnSetStream) setStream;
    decltype(&cudnnBackendCreateDescriptor) createDescriptor;
    decltype(&cudnnBackendDestroyDescriptor) destroyDescriptor;
    decltype(&cudnnBackendSetAttribute) setAttribute;
    decltype(&cudnnBackendGetAttribute) getAttribute;
    decltype(&cudnnBackendFinalize) finalize;
    decltype(&cudnnBackendExecute) execute;
};

/// Returns the library's functions. Requires that the library is usable.
[[nodiscard]] const LibraryFunctions& libraryFunctions();
/// Returns why the library cannot be used; empty: it can.
[[nodiscard]] const std::string& whyUnusable();
[[nodiscard]] std::string versionName();

/// Throws Error{device} with the request and the library's message, unless it succeeded.
void require(cudnnStatus_t status, const char* what);

/// A descriptor of the library: set its attributes, finalise it, then read attributes.
class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type) {
        require(libraryFunctions().createDescriptor(type, &descriptor_), "creating a descriptor");
    }
    ~Descriptor() { destroy(); }
    Descriptor(Descriptor&& from) noexcept
        : descriptor_(std::exchange(from.descriptor_, nullptr)) {}
    Descriptor& operator=(Descriptor&& from) noexcept {
        destroy();
        descriptor_ = std::exchange(from.descriptor_, nullptr);
        return *this;
    }

    [[nodiscard]] cudnnBackendDescriptor_t get() const { return descriptor_; }

    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
             std::span<const T> values) {
        require(libraryFunctions().setAttribute(descriptor_, name, type,
                                                static_cast<std::int64_t>(values.size()),
                                                values.data()),
                "setting an attribute of a descriptor");
    }
    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
        set(name, type, std::span<const T>(&value, 1));
    }
    void set(cudnnBackendAttributeName_t name, const Descriptor& other) {
        set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.descriptor_);
    }
    void finalize(const char* what) { require(libraryFunctions().finalize(descriptor_), what); }

    /// Returns the number of values read, at most the size of `values`.
    template <class T>
    [[nodiscard]] std::int64_t ask(cudnnBackendAttributeName_t name,
                                   cudnnBackendAttributeType_t type, std::span<T> values) const {
        std::int64_t count = 0;
        require(libraryFunctions().getAttribute(descriptor_, name, type,
                                                static_cast<std::int64_t>(values.size()), &count,
                                                values.data()),
                "reading an attribute of a descriptor");
        return count;
    }
    template <class T>
    [[nodiscard]] T ask(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type) const {
        T value{};
        (void)ask(name, type, std::span<T>(&value, 1));
        return value;
    }

private:
    void destroy() noexcept {
        if (descriptor_ != nullptr) {
            (void)libraryFunctions().destroyDescriptor(descriptor_);
        }
    }

    cudnnBackendDescriptor_t descriptor_ = nullptr;
};

} // namespace weft::cuda::cudnn
