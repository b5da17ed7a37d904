// SPDX-License-Identifier: Apache-2.0
// y = x w^T, dx = dy w, dw = dy^T x with w [o, i] and all leading dims of x as rows, by Weft's own
// loops.
#include "backends/cpu/products/product.h"
#include "backends/cpu/request.h"
#include "device/rows.h"

namespace weft::cpu {

void linear(KernelList& list);

namespace {

ChoiceOrRefusal chooseWith(const KernelRequest& request, const PlainProduct& product) {
    const int cores = request.cores;
    return allPlain(
        request, choiceOf(
                     [=](const KernelArguments& arguments) {
                         runProduct(product, input<float>(arguments, 0), input<float>(arguments, 1),
                                    output<float>(arguments, 0), cores, arguments.scratch);
                     },
                     productScratch(cores)));
}

} // namespace

void linear(KernelList& list) {
    list.add(
        {"linear", "cpu", [](const KernelRequest& request) {
             const Shape& x = request.inputs[0].shape;
             const Shape& w = request.inputs[1].shape;
             return chooseWith(
                 request,
                 {.m = rowsOf(x), .n = w[0], .k = w[1], .aRow = w[1], .bRow = 1, .bStep = w[1]});
         }});
    list.add({"linear_dx", "cpu", [](const KernelRequest& request) {
                  const Shape& dy = request.inputs[0].shape;
                  const Shape& w = request.inputs[1].shape;
                  return chooseWith(
                      request, {.m = rowsOf(dy), .n = w[1], .k = w[0], .aRow = w[0], .bRow = w[1]});
              }});
    list.add(
        {"linear_dw", "cpu", [](const KernelRequest& request) {
             const std::int64_t o = request.inputs[0].shape.back();
             const Shape& x = request.inputs[1].shape;
             return chooseWith(
                 request,
                 {.m = o, .n = x.back(), .k = rowsOf(x), .aRow = 1, .aStep = o, .bRow = x.back()});
         }});
}

} // namespace weft::cpu
