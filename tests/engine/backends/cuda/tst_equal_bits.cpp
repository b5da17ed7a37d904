// SPDX-License-Identifier: Apache-2.0
// Equal products in one launch have the bits that each has alone, however sums are cut. So have ops
// one behind the other, of bf16 too, where others read what each makes.

#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/per_element.h"
#include "backends/cuda/products/product.h"
#include "device/format.h"
#include "support/tensor.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::size_t count = 3;
constexpr std::int64_t rows = 16;
constexpr std::int64_t columns = 2048;
constexpr std::int64_t terms = 512;

std::vector<float> drawn(const std::string& role, std::int64_t elements) {
    const Tensor tensor = drawNormal(DType::f32, {elements}, 1, role);
    std::vector<float> numbers(static_cast<std::size_t>(elements));
    std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
    return numbers;
}

} // namespace

class TestEqualBits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The size is such that a single product is cut into more slices than one of three sets.
    void areThoseThatEachHasAlone() {
        const cuda::MatrixProduct each{.size = {1, rows, columns, terms},
                                       .a = {.row = terms, .term = 1},
                                       .b = {.row = terms, .term = 1},
                                       .resultRow = columns};
        cuda::ProductSize ofThree = each.size;
        ofThree.sets = count;
        const std::int64_t room = count * cuda::productScratch(each.size);
        QVERIFY(cuda::productScratch(ofThree) < room);
        std::vector<float> scratch(static_cast<std::size_t>(room));
        std::vector<std::vector<float>> operands;
        std::vector<std::vector<float>> alone(count, std::vector<float>(rows * columns));
        std::vector<std::vector<float>> together = alone;
        cuda::BatchedProducts equals{.count = count};
        for (std::size_t k = 0; k < count; ++k) {
            operands.push_back(drawn("a" + std::to_string(k), rows * terms));
            equals.a[k] = operands.back().data();
            operands.push_back(drawn("b" + std::to_string(k), columns * terms));
            equals.b[k] = operands.back().data();
            equals.c[k] = together[k].data();
            cuda::launchProduct(each, equals.a[k], equals.b[k], {}, alone[k].data(), scratch.data(),
                                nullptr);
        }
        cuda::launchBatched(each, equals, scratch.data(), nullptr);
        QVERIFY(together == alone);
    }

    void ofBf16AreThoseOfOpsOneByOne() {
        constexpr std::size_t n = 1027;
        using Bf16Numbers = std::vector<cuda::Bf16>;
        Bf16Numbers x(n);
        Bf16Numbers b(n);
        std::ranges::transform(drawn("x", n), x.begin(), halfOf);
        std::ranges::transform(drawn("b", n), b.begin(), halfOf);
        std::array<Bf16Numbers, 3> alone;
        alone.fill(Bf16Numbers(n));
        std::array<Bf16Numbers, 3> together = alone;
        cuda::launchUnary(cuda::unaryOf<functions::Tanh>, {}, x.data(), alone[0].data(), n,
                          nullptr);
        cuda::launchBinary(cuda::Binary::multiply, {}, alone[0].data(), b.data(), alone[1].data(),
                           n, nullptr);
        cuda::launchBinary(cuda::Binary::add, {}, alone[1].data(), x.data(), alone[2].data(), n,
                           nullptr);
        cuda::Chain<cuda::Bf16> chain{.first = x.data(), .count = 3};
        chain.steps[0] = {.y = together[0].data(),
                          .f = {.isUnary = true, .unary = cuda::unaryOf<functions::Tanh>}};
        chain.steps[1] = {
            .x = b.data(), .y = together[1].data(), .f = {.binary = cuda::Binary::multiply}};
        chain.steps[2] = {
            .x = x.data(), .y = together[2].data(), .f = {.binary = cuda::Binary::add}};
        cuda::launchChain(chain, n, nullptr);
        QVERIFY(together == alone);
    }
};

std::unique_ptr<QObject> makeTestEqualBits() { return std::make_unique<TestEqualBits>(); }
#include "tst_equal_bits.moc"
