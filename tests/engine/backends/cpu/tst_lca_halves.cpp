// SPDX-License-Identifier: Apache-2.0
// The two halves of a round of sparse coding in registers of every width that the processor has,
// against sums in double: drives, codes and what is active; reconstructions, in bands too.
#include "backends/cpu/simd.h"
#include "backends/cpu/sparse/lca_rebuild.h"
#include "base/philox.h"

#include <QTest>
#include <algorithm>
#include <vector>

using namespace weft;
using namespace weft::cpu;

namespace {

/// Floats that begin on a cache line.
class Room {
public:
    explicit Room(std::int64_t floats) : floats_(static_cast<std::size_t>(floats) + 16) {}
    [[nodiscard]] float* begin() {
        const auto address = reinterpret_cast<std::uintptr_t>(floats_.data());
        return floats_.data() + (64 - address % 64) % 64 / sizeof(float);
    }

private:
    std::vector<float> floats_;
};

struct Coding {
    explicit Coding(LcaSizes of)
        : sizes(of),
          rooms{Room(LcaDictionary::floats(of)), Room(LcaImage::floats(of)),
                Room(LcaScratch::floats(of))},
          dictionary(sizes, rooms[0].begin()),
          image(sizes, rooms[1].begin()),
          scratch(sizes, rooms[2].begin()),
          w(static_cast<std::size_t>(sizes.atoms * sizes.taps())),
          transfer(*PiecewiseLinear::of(TransferFunction(soft()))) {
        const Philox draw({.seed = 5});
        std::uint64_t drawn = 0;
        std::ranges::generate(w, [&] { return draw.normal(drawn++) * 0.2F; });
        padAtoms(sizes, w.data(), {0, sizes.atoms}, dictionary.atoms);
        transposeAtoms(sizes, w.data(), {0, sizes.panels()}, dictionary.transposed);
        eachPixel([&](std::int64_t at) { image.residual[at] = draw.normal(drawn++); });
    }

    static Attributes soft() {
        Attributes attributes;
        for (const AttributeSpec& spec : transferAttributes()) {
            attributes.set(spec.name, spec.defaultValue);
        }
        attributes.set("threshold", 0.4);
        attributes.set("two_sided", true);
        return attributes;
    }

    template <class Visit>
    void eachPixel(const Visit& visit) const {
        for (std::int64_t row = 0; row < sizes.channels * sizes.rows; ++row) {
            const std::int64_t inPlane =
                row / sizes.rows * sizes.planeRows + sizes.top + row % sizes.rows;
            for (std::int64_t column = 0; column < sizes.columns; ++column) {
                visit(inPlane * sizes.planeColumns + sizes.left + column);
            }
        }
    }
    /// Where tap `tap` of a position lies in the plane.
    [[nodiscard]] std::int64_t pixelOf(std::int64_t position, std::int64_t tap) const {
        const std::int64_t each = sizes.kernelRows * sizes.kernelColumns;
        const std::int64_t row =
            position / sizes.codeColumns * sizes.strideRows + tap % each / sizes.kernelColumns;
        const std::int64_t column =
            position % sizes.codeColumns * sizes.strideColumns + tap % sizes.kernelColumns;
        return (tap / each * sizes.planeRows + row) * sizes.planeColumns + column;
    }
    [[nodiscard]] std::size_t codeAt(std::int64_t position, std::int64_t atom) const {
        return static_cast<std::size_t>((atom / LcaSizes::panel * sizes.positions() + position) *
                                            LcaSizes::panel +
                                        atom % LcaSizes::panel);
    }

    const LcaSizes sizes;
    std::vector<Room> rooms;
    LcaDictionary dictionary;
    LcaImage image;
    LcaScratch scratch;
    std::vector<float> w;
    PiecewiseLinear transfer;
};

LcaSizes sizesOf(std::int64_t atoms, std::int64_t channels, std::int64_t kernel,
                 std::int64_t stride) {
    const std::int64_t border = (kernel - stride) / 2;
    return {{1, channels, 5 * stride, 7 * stride},
            {1, atoms, 5, 7},
            {.kernel = {kernel, kernel},
             .stride = {stride, stride},
             .dilation = {1, 1},
             .padBefore = {border, border}}};
}

template <int width, class Work>
void inRegisters(const Work& work) {
    const auto one = [&]() __attribute__((always_inline)) {
        work(std::integral_constant<int, width>{});
    };
    if constexpr (width == 16) {
        runOnAvx512(one);
    } else if constexpr (width == 8) {
        runOnAvx2(one);
    } else {
        one();
    }
}

} // namespace

class TestLcaHalves : public QObject {
    Q_OBJECT

    template <int width>
    static void checkDrive(Coding& coding) {
        const LcaSizes& sizes = coding.sizes;
        const LcaCodeUpdate update{sizes,          coding.dictionary, coding.image,
                                   coding.scratch, coding.transfer,   {0, 1, 0}};
        inRegisters<width>([&](auto w) __attribute__((always_inline)) {
            updateCodes<decltype(w)::value>(update, {0, sizes.positions()});
        });
        for (std::int64_t p = 0; p < sizes.positions(); ++p) {
            for (std::int64_t atom = 0; atom < sizes.atoms; ++atom) {
                double drive = 0;
                for (std::int64_t tap = 0; tap < sizes.taps(); ++tap) {
                    drive += double(coding.w[static_cast<std::size_t>(atom * sizes.taps() + tap)]) *
                             coding.image.residual[coding.pixelOf(p, tap)];
                }
                const float potential = coding.image.potential[coding.codeAt(p, atom)];
                const float code = coding.image.code[coding.codeAt(p, atom)];
                QVERIFY(std::abs(potential - drive) < 1e-5);
                const double expected =
                    TransferFunction(Coding::soft()).code(static_cast<double>(potential));
                QVERIFY(std::abs(code - expected) < 1e-6);
                const std::uint64_t word =
                    coding.image.active[atom / LcaSizes::panel * sizes.positions() + p];
                QCOMPARE((word >> atom % LcaSizes::panel & 1) != 0, code != 0);
            }
        }
    }

    template <int width>
    static void checkRebuilt(Coding& coding) {
        const LcaSizes& sizes = coding.sizes;
        std::vector<double> expected(static_cast<std::size_t>(sizes.planeFloats()));
        double cost = 0;
        for (std::int64_t p = 0; p < sizes.positions(); ++p) {
            for (std::int64_t atom = 0; atom < sizes.atoms; ++atom) {
                const double code = coding.image.code[coding.codeAt(p, atom)];
                cost += TransferFunction(Coding::soft()).cost(code);
                for (std::int64_t tap = 0; tap < sizes.taps() && code != 0; ++tap) {
                    expected[static_cast<std::size_t>(coding.pixelOf(p, tap))] +=
                        code * coding.w[static_cast<std::size_t>(atom * sizes.taps() + tap)];
                }
            }
        }
        const double largest = std::abs(*std::ranges::max_element(
            expected, {}, [](double number) { return std::abs(number); }));
        const double length = double(sizes.atoms * sizes.taps()) / double(sizes.channels);
        const double allowed = 4 * std::ldexp(std::sqrt(length), -24) * std::max(1.0, largest);
        std::vector<float> whole;
        for (const int parts : {1, 2, 5}) {
            for (int part = 0; part < parts; ++part) {
                const LcaRebuild rebuilding{sizes,
                                            coding.dictionary.atoms,
                                            coding.image.codes(sizes),
                                            coding.scratch,
                                            coding.image.rebuilt,
                                            &coding.transfer,
                                            coding.image.costs};
                inRegisters<width>([&](auto w) __attribute__((always_inline)) {
                    rebuild<decltype(w)::value>(rebuilding, partOf(sizes.planeRows, part, parts));
                });
            }
            std::vector<float> pixels;
            coding.eachPixel([&](std::int64_t at) {
                pixels.push_back(coding.image.rebuilt[at]);
                QVERIFY(std::abs(pixels.back() - expected[static_cast<std::size_t>(at)]) <=
                        allowed);
            });
            whole = parts == 1 ? pixels : whole;
            QVERIFY(pixels == whole);
            double sum = 0;
            for (std::int64_t row = 0; row < sizes.codeRows; ++row) {
                sum += coding.image.costs[row];
            }
            QVERIFY(std::abs(sum - cost) <= 1e-9 * (1 + cost));
        }
    }

private Q_SLOTS:
    void areSumsInDouble_data() {
        QTest::addColumn<int>("atoms");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::newRow("128 of 8") << 128 << 1 << 8 << 2;
        QTest::newRow("100 of 3x8") << 100 << 3 << 8 << 4;
        QTest::newRow("5 of 2x3") << 5 << 2 << 3 << 1;
        QTest::newRow("65 of 9") << 65 << 1 << 9 << 3;
        QTest::newRow("one of 1") << 1 << 1 << 1 << 1;
    }
    void areSumsInDouble() {
        QFETCH(int, atoms);
        QFETCH(int, channels);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        Coding coding(sizesOf(atoms, channels, kernel, stride));
        checkDrive<4>(coding);
        checkRebuilt<4>(coding);
        if (widestIsa() != Isa::any) {
            checkDrive<8>(coding);
            checkRebuilt<8>(coding);
        }
        if (widestIsa() == Isa::avx512) {
            checkDrive<16>(coding);
            checkRebuilt<16>(coding);
        }
    }
};

std::unique_ptr<QObject> makeTestLcaHalves() { return std::make_unique<TestLcaHalves>(); }
#include "tst_lca_halves.moc"
