// SPDX-License-Identifier: Apache-2.0
#include "one_kernel.h"

#include <weft/error.h>

namespace weft::proof {

namespace {

TensorPart plain(const Shape& shape) {
    return {DType::f32, shape, Shape(shape.size(), 0), shape, {}};
}

} // namespace

OneKernel::OneKernel(const Backend& backend, Device& device, const KernelWanted& wanted) {
    KernelRequest request{.op = wanted.op, .attributes = wanted.attributes};
    for (const Shape& shape : wanted.inputs) {
        request.inputs.push_back(plain(shape));
    }
    request.outputs.push_back(plain(wanted.output));
    request.mayChooseFormats = false;
    for (const KernelMaker& maker : backend.kernels.of(wanted.op)) {
        if (const ChoiceOrRefusal choice = maker.choose(request)) {
            kernel_ = choice->make();
            scratch_ = device.allocate(choice->scratch);
            return;
        }
    }
    throw Error(ErrorCode::device, Where{.op = wanted.op}, backend.name + " has no kernel for it",
                "prove another backend");
}

void OneKernel::run(Stream& stream, const std::vector<const void*>& inputs, void* output) {
    const std::vector<void*> outputs{output};
    kernel_->run({inputs, outputs, scratch_->address(), &stream});
}

} // namespace weft::proof
