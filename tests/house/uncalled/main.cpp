// SPDX-License-Identifier: Apache-2.0
#include "parts.h"

#include <memory>

namespace {

int (*const pointer)() = weft::madeup::calledThroughAPointer;

} // namespace

int main() {
    const std::unique_ptr<weft::madeup::Shape> shape = std::make_unique<weft::madeup::Triangle>(1);
    return weft::madeup::calledByMain() + pointer() + shape->corners();
}
