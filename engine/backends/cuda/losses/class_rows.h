// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads rows of classes and their targets from a request.

#include "backends/cuda/losses/losses.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

[[nodiscard]] inline ClassRows classRowsOf(const TensorPart& x) {
    const std::int64_t classes = x.shape.back();
    return {.rows = x.elements() / classes,
            .classes = classes,
            .first = x.begin.back(),
            .whole = x.whole.back()};
}

/// The targets of a call.
class TargetsOf {
public:
    TargetsOf(const KernelRequest& request, std::size_t operand)
        : operand_(operand),
          type_(integerOf(request.inputs[operand])),
          ignored_(request.attributes.integer("ignore")) {}
    [[nodiscard]] Targets operator()(const KernelArguments& arguments) const {
        return {{arguments.inputs[operand_], type_}, ignored_};
    }

private:
    std::size_t operand_; ///< index of the operand with the targets
    Number type_;
    std::int64_t ignored_; ///< target that does not count
};

} // namespace weft::cuda
