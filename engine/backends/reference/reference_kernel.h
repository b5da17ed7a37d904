// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers to write a reference kernel: a generic callable over the floating type, with plain
// formats, one thread, and no allocation while it runs. Attributes are read once, when the kernel
// is chosen.

#include "device/kernel.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft::reference {

/// One call of a kernel whose floating operands are of type T.
template <class T>
struct Call {
    const KernelRequest& request;
    const KernelArguments& arguments;

    [[nodiscard]] std::size_t inputs() const { return request.inputs.size(); }
    [[nodiscard]] const TensorPart& input(std::size_t k) const { return request.inputs[k]; }
    [[nodiscard]] const TensorPart& output(std::size_t k = 0) const { return request.outputs[k]; }
    [[nodiscard]] const T* in(std::size_t k) const {
        return static_cast<const T*>(arguments.inputs[k]);
    }
    [[nodiscard]] T* out(std::size_t k = 0) const { return static_cast<T*>(arguments.outputs[k]); }
    /// Reads a scalar operand of any floating type: a learning rate is f32 also for f64 weights.
    [[nodiscard]] double number(std::size_t k) const {
        return input(k).dtype == DType::f64 ? *static_cast<const double*>(arguments.inputs[k])
                                            : *static_cast<const float*>(arguments.inputs[k]);
    }
    /// Reads an element of an integer operand.
    [[nodiscard]] std::int64_t integer(std::size_t k, std::int64_t element) const {
        switch (input(k).dtype) {
        case DType::i32: return static_cast<const std::int32_t*>(arguments.inputs[k])[element];
        case DType::u8: return static_cast<const std::uint8_t*>(arguments.inputs[k])[element];
        default: return static_cast<const std::int64_t*>(arguments.inputs[k])[element];
        }
    }
    /// Sets an element of an integer result.
    void setInteger(std::size_t k, std::int64_t element, std::int64_t value) const {
        switch (output(k).dtype) {
        case DType::i32:
            static_cast<std::int32_t*>(arguments.outputs[k])[element] =
                static_cast<std::int32_t>(value);
            break;
        case DType::u8:
            static_cast<std::uint8_t*>(arguments.outputs[k])[element] =
                static_cast<std::uint8_t>(value);
            break;
        default: static_cast<std::int64_t*>(arguments.outputs[k])[element] = value;
        }
    }
};

/// The target value that is ignored.
[[nodiscard]] inline std::int64_t ignoredTarget(const KernelRequest& request) {
    return request.attributes.integer("ignore");
}

/// A row-major view of four dims.
template <class T>
struct View4 {
    T* data;
    std::int64_t d1, d2, d3;
    View4(T* first, const Shape& shape) : data(first), d1(shape[1]), d2(shape[2]), d3(shape[3]) {}
    T& operator()(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
        return data[((a * d1 + b) * d2 + c) * d3 + d];
    }
};

/// Product of all dims but the last.
[[nodiscard]] inline std::int64_t rowsOf(const Shape& shape) {
    std::int64_t rows = 1;
    for (std::size_t k = 0; k + 1 < shape.size(); ++k) {
        rows *= shape[k];
    }
    return rows;
}
/// Product of dims [first, last).
[[nodiscard]] inline std::int64_t product(const Shape& shape, std::size_t first, std::size_t last) {
    std::int64_t elements = 1;
    for (std::size_t k = first; k < last; ++k) {
        elements *= shape[k];
    }
    return elements;
}

/// Index in the whole value of an element of this part.
[[nodiscard]] inline std::int64_t wholeIndex(const TensorPart& part, std::int64_t element) {
    std::int64_t index = 0;
    std::int64_t step = 1;
    for (std::size_t dim = part.shape.size(); dim-- > 0;) {
        index += (part.begin[dim] + element % part.shape[dim]) * step;
        element /= part.shape[dim];
        step *= part.whole[dim];
    }
    return index;
}

/// The floating type: that of the first floating input, else of the first floating result.
[[nodiscard]] DType floatingType(const KernelRequest& request);

/// A choice with plain formats everywhere.
[[nodiscard]] KernelChoice plainChoice(const KernelRequest& request,
                                       std::function<void(const KernelArguments&)> run);

/// `read(request)` converts the attributes to the `settings` of `run(call, settings)`.
template <class Read, class Run>
void addKernel(KernelList& list, const std::string& op, Read read, Run run) {
    list.add({op,
              "reference",
              [read, run](const KernelRequest& request) -> ChoiceOrRefusal {
                  auto settings = read(request);
                  if (floatingType(request) == DType::f64) {
                      return plainChoice(request, [=](const KernelArguments& arguments) {
                          run(Call<double>{request, arguments}, settings);
                      });
                  }
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      run(Call<float>{request, arguments}, settings);
                  });
              },
              {DType::f32, DType::f64}});
}

struct NoSettings {};

/// For a kernel that only depends on shapes.
template <class Run>
void addKernel(KernelList& list, const std::string& op, Run run) {
    addKernel(
        list, op, [](const KernelRequest&) { return NoSettings{}; },
        [run](const auto& call, NoSettings) { run(call); });
}

} // namespace weft::reference
