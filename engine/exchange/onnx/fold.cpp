// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/fold.h"

#include "exchange/onnx/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft::onnx {

namespace {

using Table = std::map<std::string_view, Tensor (*)(NodeFolding&)>;

const Table& table() {
    static const Table all = [] {
        Table made;
        for (const std::vector<FoldRow>& rows : {elementFoldRows(), shapeFoldRows()}) {
            for (const FoldRow& row : rows) {
                made.emplace(row.op, row.fold);
            }
        }
        return made;
    }();
    return all;
}

} // namespace

bool canFold(const Node& node) { return node.domain.empty() && table().contains(node.op); }

TensorPointer fold(const Node& node, std::int64_t opset, const std::vector<TensorPointer>& inputs) {
    NodeFolding folding(node, opset, inputs);
    Tensor made = table().at(node.op)(folding);
    folding.attributes().refuseUnread();
    if (made.shape.size() > mostDims) {
        throw Refusal(fmt::format("its constant result has {} dims; {} are the most",
                                  made.shape.size(), mostDims));
    }
    if (made.size() == 0) { // refuses huge dims beside a dim of size 0
        (void)elementCount(made.shape);
    }
    return std::make_shared<const Tensor>(std::move(made));
}

TensorPointer integerTensor(Shape values) {
    return std::make_shared<const Tensor>(
        Tensor{.element = Element::i64,
               .shape = {static_cast<std::int64_t>(values.size())},
               .wholes = std::move(values)});
}

TensorPointer floatTensor(Shape shape, std::vector<float> numbers) {
    return std::make_shared<const Tensor>(
        Tensor{.element = Element::f32, .shape = std::move(shape), .reals = std::move(numbers)});
}

Shape reshapedShape(const Shape& from, const Shape& target, bool zeroIsZero) {
    const std::int64_t count = elementCount(from);
    Shape made = target;
    std::int64_t known = 1;
    std::size_t open = made.size();
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (made[k] == 0 && !zeroIsZero) {
            if (k >= from.size()) {
                throw Refusal(fmt::format("{} cannot become {}", toString(from), toString(target)));
            }
            made[k] = from[k];
        }
        if (made[k] == -1 && open == made.size()) {
            open = k;
        } else {
            known = checkedProduct(known, made[k]);
        }
    }
    if (open < made.size()) {
        made[open] = known > 0 ? count / known : 0;
        known = checkedProduct(known, made[open]);
    }
    if (known != count || std::ranges::any_of(made, [](std::int64_t dim) { return dim < 0; })) {
        throw Refusal(fmt::format("{} cannot become {}", toString(from), toString(target)));
    }
    return made;
}

Tensor transposedMatrix(const Tensor& matrix) {
    return gatherStrided(matrix, {matrix.shape[1], matrix.shape[0]}, {1, matrix.shape[1]}, 0);
}

} // namespace weft::onnx
