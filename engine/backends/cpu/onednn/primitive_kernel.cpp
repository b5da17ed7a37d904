// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/onednn/primitive_kernel.h"

namespace weft::cpu {

namespace {

class PrimitiveKernel final : public Kernel {
public:
    explicit PrimitiveKernel(Primitive primitive) : primitive_(std::move(primitive)) {}
    void run(const KernelArguments& arguments) override {
        primitive_.run(arguments.inputs, arguments.outputs[0], arguments.scratch);
    }

private:
    Primitive primitive_;
};

} // namespace

ChoiceOrRefusal primitiveKernel(const KernelRequest& request, const PrimitiveOrReason& primitive,
                                std::vector<Format> inputs, std::vector<Format> outputs) {
    if (!primitive) {
        return refuse(primitive.error());
    }
    if (primitive->scratch() > request.scratchLimit) {
        return refuse("needs " + toString(primitive->scratch()) + " of workspace, more than the " +
                      toString(request.scratchLimit) + " allowed");
    }
    KernelChoice choice{
        .implementation = primitive->implementation(),
        .scratch = primitive->scratch(),
        .preferredInputFormats = {primitive->preferred(0), primitive->preferred(1)},
        .preferredOutputFormats = {primitive->preferred(2)},
        .make = [chosen = *primitive] { return std::make_unique<PrimitiveKernel>(chosen.make()); }};
    return withFormats(request, std::move(choice), std::move(inputs), std::move(outputs));
}

} // namespace weft::cpu
