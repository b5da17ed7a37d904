// SPDX-License-Identifier: Apache-2.0
// The family of reductions over dims after the batch: each lowers to
// reduce_sum, reduce_max or reduce_prod with elementwise ops before and after.
#include "graph/reduced_dims.h"
#include "layers/layer.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

/// What a reduction lowers with: x, and the attributes of the reducing op.
struct Reduce {
    Lowering& lowering;
    ValueId x;
    Attributes attributes;
    double count; ///< number of elements that one result reads

    [[nodiscard]] ValueId add(const char* op, ValueId value, Attributes own = {}) const {
        return lowering.add(op, {value}, std::move(own));
    }
    [[nodiscard]] ValueId reduced(const char* op, ValueId value) const {
        return lowering.add(op, {value}, attributes);
    }
};

/// A row of the family.
struct Reduction {
    const char* kind;
    const char* title;
    const char* help;
    std::vector<std::string> synonyms;
    ValueId (*lower)(const Reduce&);
};

ValueId logSumExp(const Reduce& of) {
    Attributes kept = of.attributes;
    kept.set("keepdims", true);
    // The largest element is subtracted first, so that no exponential overflows.
    const ValueId most = of.add("stop_gradient", of.lowering.add("reduce_max", {of.x}, kept));
    const ValueId exponentials = of.add("exp", of.lowering.add("subtract", {of.x, most}));
    return of.lowering.add("add", {of.add("log", of.reduced("reduce_sum", exponentials)),
                                   of.reduced("reduce_max", most)});
}

const std::vector<Reduction>& rows() {
    static const std::vector<Reduction> all{
        {"reduce_sum",
         "Sum over dims",
         "y = the sum over dims. PyTorch: sum; ONNX: ReduceSum.",
         {"ReduceSum", "total"},
         [](const Reduce& of) { return of.reduced("reduce_sum", of.x); }},
        {"reduce_mean",
         "Mean over dims",
         "y = the mean over dims. PyTorch: mean; ONNX: ReduceMean.",
         {"ReduceMean", "average"},
         [](const Reduce& of) {
             return of.add("scale", of.reduced("reduce_sum", of.x), {{"factor", 1 / of.count}});
         }},
        {"reduce_max",
         "Maximum over dims",
         "y = the maximum over dims; equal largest elements share the gradient. "
         "PyTorch: amax; "
         "ONNX: ReduceMax.",
         {"ReduceMax", "amax", "largest"},
         [](const Reduce& of) { return of.reduced("reduce_max", of.x); }},
        {"reduce_min",
         "Minimum over dims",
         "y = the minimum over dims; equal smallest elements share the gradient. "
         "PyTorch: amin; "
         "ONNX: ReduceMin.",
         {"ReduceMin", "amin", "smallest"},
         [](const Reduce& of) {
             return of.add("neg", of.reduced("reduce_max", of.add("neg", of.x)));
         }},
        {"reduce_prod",
         "Product over dims",
         "y = the product over dims, which then cannot be split. PyTorch: prod; "
         "ONNX: ReduceProd.",
         {"ReduceProd", "product"},
         [](const Reduce& of) { return of.reduced("reduce_prod", of.x); }},
        {"reduce_l1",
         "L1 norm over dims",
         "y = the sum of |x| over dims. PyTorch: linalg.vector_norm with ord=1; "
         "ONNX: ReduceL1.",
         {"ReduceL1", "absolute sum"},
         [](const Reduce& of) { return of.reduced("reduce_sum", of.add("abs", of.x)); }},
        {"reduce_l2",
         "L2 norm over dims",
         "y = the square root of the sum of x^2 over dims; its gradient is 0 "
         "where y is 0. PyTorch: "
         "linalg.vector_norm; ONNX: ReduceL2.",
         {"ReduceL2", "Euclidean norm"},
         [](const Reduce& of) {
             return of.add("norm_root", of.reduced("reduce_sum", of.add("square", of.x)));
         }},
        {"reduce_log_sum_exp",
         "Log-sum-exp over dims",
         "y = log of the sum of e^x over dims, a smooth maximum. PyTorch: "
         "logsumexp; ONNX: "
         "ReduceLogSumExp.",
         {"ReduceLogSumExp", "logsumexp"},
         logSumExp}};
    return all;
}

void lowerReduction(Lowering& lowering, const Reduction& row) {
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

void addReduction(LayerList& list, const Reduction& row) {
    using Dims = std::vector<std::int64_t>;
    list.add({.info = {.kind = row.kind,
                       .title = row.title,
                       .category = "pooling",
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
    for (const Reduction& row : rows()) {
        addReduction(list, row);
    }
}

} // namespace weft::layers
