// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of a device, made for plain f32 operands of given shapes.

#include "device/backend.h"

#include <memory>
#include <string>
#include <vector>

namespace weft::proof {

struct KernelWanted {
    std::string op;
    Attributes attributes = {};
    std::vector<Shape> inputs = {};
    Shape output = {};
};

class OneKernel {
public:
    /// The first that the backend offers; throws Error{device} where none does.
    OneKernel(const Backend& backend, Device& device, const KernelWanted& wanted);
    void run(Stream& stream, const std::vector<const void*>& inputs, void* output);

private:
    std::unique_ptr<Kernel> kernel_;
    std::unique_ptr<Arena> scratch_;
};

} // namespace weft::proof
