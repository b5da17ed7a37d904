// SPDX-License-Identifier: Apache-2.0
// Products as cuBLASLt itself is asked for them: it takes every description, in every precision,
// pass and ending, where it is there; only a chip lacks then.

#include "backends/cuda/cublaslt/products.h"
#include "backends/cuda/products/linear_of.h"
#include "support/evaluate.h"

#include <QTest>

using namespace weft;
using namespace weft::cuda;
using namespace weft::test;

class TestLibraryProducts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areDescribedToTheLibrary_data() {
        QTest::addColumn<Precision>("precision");
        QTest::newRow("exact") << Precision::exact;
        QTest::newRow("TF32") << Precision::tf32;
        QTest::newRow("bf16") << Precision::bf16;
    }
    void areDescribedToTheLibrary() {
        QFETCH(Precision, precision);
        const products::Library library = products::library();
        if (!library.why.empty()) {
            QSKIP(library.why.c_str());
        }
        QVERIFY(!library.version.empty());
        const auto request = [](const Shape& first, const Shape& second, const Shape& result) {
            return requestOf("linear", {},
                             {wholePart(DType::f32, first), wholePart(DType::f32, second)},
                             {wholePart(DType::f32, result)});
        };
        for (const MatrixProduct& of : {productOfY(request({33, 129}, {65, 129}, {33, 65})),
                                        productOfDx(request({33, 65}, {65, 129}, {33, 129})),
                                        productOfDw(request({33, 65}, {33, 129}, {65, 129})),
                                        productOfY(request({1, 1}, {1, 1}, {1, 1})),
                                        productOfDx(request({5, 9}, {9, 1}, {5, 1})),
                                        productOfDw(request({1, 9}, {1, 4}, {9, 4}))}) {
            for (unsigned ending = 0; ending < 8; ++ending) {
                LibraryProduct product{of,
                                       {(ending & 1U) != 0, (ending & 2U) != 0, (ending & 4U) != 0},
                                       precision,
                                       precision == Precision::bf16};
                for (const std::int64_t sets : {1, 3}) {
                    product.of.size.sets = sets;
                    const auto made = products::make(product, std::int64_t{1} << 25);
                    const std::string why = made ? "" : made.error();
                    const bool lacksAChipAlone =
                        why.empty() || why.find("NOT_INITIALIZED") != std::string::npos;
                    QVERIFY2(lacksAChipAlone, why.c_str());
                }
            }
        }
    }

    void refuseWhatIsEmpty() {
        if (!products::library().why.empty()) {
            QSKIP(products::library().why.c_str());
        }
        const auto made = products::make(
            {.of = {.size = {1, 0, 4, 4}, .a = {0, 4, 1}, .b = {0, 4, 1}, .resultRow = 4}}, 0);
        QVERIFY(!made);
        QVERIFY(made.error().find("empty") != std::string::npos);
    }
};

std::unique_ptr<QObject> makeTestLibraryProducts() {
    return std::make_unique<TestLibraryProducts>();
}

#include "tst_library_products.moc"
