// SPDX-License-Identifier: Apache-2.0
// The rows of functions/pairs.h, with operands that are repeated along dims
#include "backends/reference/reference_kernel.h"
#include "backends/reference/unary/function.h"
#include "functions/table.h"
#include "graph/broadcast.h"

namespace weft::reference {

namespace {

/// The shapes of the result and of the operands, with as many dims.
struct PairShapes {
    Shape y, a, b;
};

PairShapes shapesOf(const KernelRequest& request) {
    const Shape& y = request.outputs[0].shape;
    return {y, alignedShape(request.inputs[0].shape, y.size()),
            alignedShape(request.inputs[1].shape, y.size())};
}

/// Returns the index in the operand of an element of the result.
std::int64_t operandIndex(const Shape& operand, const Shape& result, std::int64_t element) {
    std::int64_t index = 0;
    std::int64_t stride = 1;
    for (std::size_t dim = result.size(); dim-- > 0;) {
        index += operand[dim] == 1 ? 0 : element % result[dim] * stride;
        element /= result[dim];
        stride *= operand[dim];
    }
    return index;
}

} // namespace

void pairs(KernelList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) {
        addKernel(list, std::string(Row::pair.name), shapesOf,
                  []<class T>(const Call<T>& call, const PairShapes& of) {
                      for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                          call.out()[k] = Row::template value<StandardFunctions>(
                              call.in(0)[operandIndex(of.a, of.y, k)],
                              call.in(1)[operandIndex(of.b, of.y, k)]);
                      }
                  });
    });
}

} // namespace weft::reference
