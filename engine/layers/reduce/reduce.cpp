// SPDX-License-Identifier: Apache-2.0
// The layers reduce_sum, reduce_mean and others, which reduce over dims after the batch: each
// lowers to reduce_sum, reduce_max or reduce_prod with elementwise ops before and after.
#include "graph/reduced_dims.h"
#include "layers/layer.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

/// The lowering of one reduction.
struct Reduction {
    Lowering& lowering;
    ValueId x;
    Attributes attributes; ///< attributes of the reducing op
    double count;          ///< number of elements of x for each element of the result

    [[nodiscard]] ValueId add(const char* op, ValueId value, Attributes own = {}) const {
        return lowering.add(op, {value}, std::move(own));
    }
    [[nodiscard]] ValueId reduced(const char* op, ValueId value) const {
        return lowering.add(op, {value}, attributes);
    }
};

/// One reduction: its texts, and the function that lowers it.
struct ReductionRow {
    const char* kind;
    const char* title;
    const char* help;
    std::vector<std::string> synonyms;
    ValueId (*lower)(const Reduction&);
};

ValueId logSumExp(const Reduction& r) {
    Attributes kept = r.attributes;
    kept.set("keepdims", true);
    // The largest element is subtracted first, so that no exponential overflows.
    const ValueId most = r.add("stop_gradient", r.lowering.add("reduce_max", {r.x}, kept));
    const ValueId exponentials = r.add("exp", r.lowering.add("subtract", {r.x, most}));
    return r.lowering.add("add", {r.add("log", r.reduced("reduce_sum", exponentials)),
                                  r.reduced("reduce_max", most)});
}

const std::vector<ReductionRow>& rows() {
    static const std::vector<ReductionRow> all{
        {"reduce_sum",
         "Sum over dims",
         "y = the sum over dims. PyTorch: sum; ONNX: ReduceSum.",
         {"ReduceSum", "total"},
         [](const Reduction& r) { return r.reduced("reduce_sum", r.x); }},
        {"reduce_mean",
         "Mean over dims",
         "y = the mean over dims. PyTorch: mean; ONNX: ReduceMean.",
         {"ReduceMean", "average"},
         [](const Reduction& r) {
             return r.add("scale", r.reduced("reduce_sum", r.x), {{"factor", 1 / r.count}});
         }},
        {"reduce_max",
         "Maximum over dims",
         "y = the maximum over dims; equal largest elements share the gradient. PyTorch: amax; "
         "ONNX: ReduceMax.",
         {"ReduceMax", "amax", "largest"},
         [](const Reduction& r) { return r.reduced("reduce_max", r.x); }},
        {"reduce_min",
         "Minimum over dims",
         "y = the minimum over dims; equal smallest elements share the gradient. PyTorch: amin; "
         "ONNX: ReduceMin.",
         {"ReduceMin", "amin", "smallest"},
         [](const Reduction& r) {
             return r.add("neg", r.reduced("reduce_max", r.add("neg", r.x)));
         }},
        {"reduce_prod",
         "Product over dims",
         "y = the product over dims, which then cannot be split. PyTorch: prod; ONNX: ReduceProd.",
         {"ReduceProd", "product"},
         [](const Reduction& r) { return r.reduced("reduce_prod", r.x); }},
        {"reduce_l1",
         "L1 norm over dims",
         "y = the sum of |x| over dims. PyTorch: linalg.vector_norm with ord=1; ONNX: ReduceL1.",
         {"ReduceL1", "absolute sum"},
         [](const Reduction& r) { return r.reduced("reduce_sum", r.add("abs", r.x)); }},
        {"reduce_l2",
         "L2 norm over dims",
         "y = the square root of the sum of x^2 over dims; its gradient is 0 where y is 0. "
         "PyTorch: linalg.vector_norm; ONNX: ReduceL2.",
         {"ReduceL2", "Euclidean norm"},
         [](const Reduction& r) {
             return r.add("norm_root", r.reduced("reduce_sum", r.add("square", r.x)));
         }},
        {"reduce_log_sum_exp",
         "Log-sum-exp over dims",
         "y = log of the sum of e^x over dims, a smooth maximum. PyTorch: logsumexp; ONNX: "
         "ReduceLogSumExp.",
         {"ReduceLogSumExp", "logsumexp"},
         logSumExp}};
    return all;
}

void lowerReduction(Lowering& lowering, const ReductionRow& row) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    Attributes attributes{{"dims", lowering.attributes().integers("dims")},
                          {"keepdims", lowering.attributes().boolean("keepdims")}};
    const std::vector<bool> isReduced = reducedDims(attributes, shape.size());
    if (isReduced.empty()) {
        lowering.refuse(fmt::format("input is {}, which does not have dims {}, each once",
                                    toString(shape), toString(attributes.integers("dims"))),
                        "x");
        return;
    }
    if (isReduced.front()) {
        lowering.refuse("dim 0 is the batch, which is not reduced; choose other dims", "x");
        return;
    }
    double count = 1;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        count *= isReduced[dim] ? static_cast<double>(shape[dim]) : 1;
    }
    lowering.output("y", row.lower({lowering, x, std::move(attributes), count}));
}

void addReduction(LayerList& list, const ReductionRow& row) {
    using Dims = std::vector<std::int64_t>;
    list.add({.info = {.kind = row.kind,
                       .title = row.title,
                       .category = "reduce",
                       .help = row.help,
                       .synonyms = row.synonyms,
                       .inputs = {{.name = "x", .help = "[batch, ...]"}},
                       .outputs = {{.name = "y",
                                    .help = "shape of x without the dims, or with size 1 there"}},
                       .attributes = {{.name = "dims",
                                       .defaultValue = Dims{-1},
                                       .help = "Dims to reduce, but not the batch, dim 0; -1 is "
                                               "the last."},
                                      {.name = "keepdims",
                                       .defaultValue = false,
                                       .help = "Keep the reduced dims, with size 1."}},
                       .parameters = {}},
              .lower = [&row](Lowering& lowering) { lowerReduction(lowering, row); },
              .samples = {{.inputs = {{4, 10}}},
                          {.inputs = {{2, 3, 5, 7}},
                           .attributes = {{"dims", Dims{2, 3}}, {"keepdims", true}}},
                          {.inputs = {{3, 4, 6}}, .attributes = {{"dims", Dims{1}}}}}});
}

} // namespace

void reduce(LayerList& list) {
    for (const ReductionRow& row : rows()) {
        addReduction(list, row);
    }
}

} // namespace weft::layers
