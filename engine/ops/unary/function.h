// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ops of a row of the table of elementwise functions: the function, and its gradient unless
// that is the function itself.

#include "functions/row.h"
#include "graph/op.h"

namespace weft::ops {

/// `pieceOf` is the piece of the row's gradient; nullptr: the gradient does not jump.
using PieceOf = int (*)(double read, const std::array<double, 2>& numbers);
void addFunction(OpList& list, const functions::Info& info, PieceOf pieceOf);

template <class Row>
int pieceOf(double read, const std::array<double, 2>& numbers) {
    if constexpr (Row::info.count() == 0) {
        return Row::piece(read);
    } else if constexpr (Row::info.count() == 1) {
        return Row::piece(read, numbers[0]);
    } else {
        return Row::piece(read, numbers[0], numbers[1]);
    }
}

template <class Row>
void addFunction(OpList& list) {
    if constexpr (requires { &Row::piece; }) {
        addFunction(list, Row::info, pieceOf<Row>);
    } else {
        addFunction(list, Row::info, nullptr);
    }
}

} // namespace weft::ops
