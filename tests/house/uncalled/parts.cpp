// SPDX-License-Identifier: Apache-2.0
#include "parts.h"

namespace weft::madeup {

int calledByCalled() { return 1; }

int calledByMain() { return calledByCalled(); }

int calledThroughAPointer() { return 2; }

int calledByUncalled() {
    const auto lambda = [] { return 3; };
    return lambda();
}

int calledByNobody() { return calledByUncalled() + calledByCalled(); }

Shape::~Shape() = default;

Triangle::Triangle(int size) : size_(size) {}

int Triangle::corners() const { return 3; }

int Triangle::sizeCalledByNobody() const { return size_; }

NeverMade::NeverMade() = default;

int NeverMade::corners() const { return 0; }

} // namespace weft::madeup
