// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/convolution_views.h"
#include "backends/cuda/launch.h"
#include "backends/cuda/matrix_views.h"
#include "backends/cuda/product.h"

namespace weft::cuda {

namespace {

constexpr int tileTerms = 8;
constexpr std::int64_t leastTermsOfSlice = 128;
constexpr std::int64_t enoughTiles = 256; ///< to occupy any chip

/// side x side threads share a tile of the result; each sums `down` rows of `across` columns.
template <int side_, int down_, int across_>
struct Tile {
    static constexpr int side = side_, down = down_, across = across_;
    static constexpr int threads = side * side;
    static constexpr int rows = side * down, columns = side * across;
};
using LargeTile = Tile<16, 4, 4>;
using SmallTile = Tile<8, 2, 4>;

bool isForLarge(const ProductSize& size) {
    return size.rows > SmallTile::rows && size.columns > SmallTile::rows;
}

constexpr std::int64_t inPieces(std::int64_t n, std::int64_t piece) {
    return (n + piece - 1) / piece;
}

template <class OfTile>
std::int64_t tilesOf(const ProductSize& size) {
    return size.sets * inPieces(size.rows, OfTile::rows) * inPieces(size.columns, OfTile::columns);
}

/// Into how many slices sums are cut.
std::int64_t slicesOf(const ProductSize& size) {
    const std::int64_t tiles =
        isForLarge(size) ? tilesOf<LargeTile>(size) : tilesOf<SmallTile>(size);
    const std::int64_t slices =
        std::min(inPieces(size.terms, leastTermsOfSlice), inPieces(enoughTiles, tiles));
    return std::max<std::int64_t>(1, slices);
}

/// Which part of the product a block is at.
struct Work {
    std::int64_t set, row, column, term, endTerm, slice;
};

template <class OfTile>
__device__ Work workOf(const ProductSize& size, std::int64_t slices, std::int64_t item) {
    const std::int64_t down = inPieces(size.rows, OfTile::rows);
    const std::int64_t across = inPieces(size.columns, OfTile::columns);
    const std::int64_t ofSlice = quotient(item, down);
    const std::int64_t ofColumns = quotient(ofSlice, slices);
    const std::int64_t set = quotient(ofColumns, across);
    const std::int64_t slice = ofSlice - ofColumns * slices;
    const std::int64_t terms = inPieces(inPieces(size.terms, slices), tileTerms) * tileTerms;
    return {set,
            (item - ofSlice * down) * OfTile::rows,
            (ofColumns - set * across) * OfTile::columns,
            std::min(slice * terms, size.terms),
            std::min((slice + 1) * terms, size.terms),
            slice};
}

/// What one thread brings of `rows` rows of an operand, some terms at a time.
template <class View, int rows, int threads>
class Brought {
public:
    __device__ Brought(const View& view, std::int64_t first, std::int64_t end) : view_(view) {
        for (int k = 0; k < each; ++k) {
            const std::int64_t row = first + rowAt(k);
            isInside_[k] = row < end;
            rows_[k] = view_.rowOf(isInside_[k] ? row : first);
        }
    }
    /// Terms from `first` on; 0 from `end` on and beside the rows.
    __device__ void read(std::int64_t first, std::int64_t end) {
        for (int k = 0; k < each; ++k) {
            const std::int64_t term = first + termAt(k);
            const bool isInside = isInside_[k] && term < end;
            numbers_[k] = isInside ? view_.load(rows_[k], view_.termOf(term)) : 0;
        }
    }
    __device__ void store(float (*to)[rows + 4]) const {
        for (int k = 0; k < each; ++k) {
            to[termAt(k)][rowAt(k)] = numbers_[k];
        }
    }

private:
    static constexpr int each = rows * tileTerms / threads;

    static __device__ int rowAt(int k) {
        const int at = static_cast<int>(threadIdx.x) + k * threads;
        return View::isAlongTerms ? at / tileTerms : at % rows;
    }
    static __device__ int termAt(int k) {
        const int at = static_cast<int>(threadIdx.x) + k * threads;
        return View::isAlongTerms ? at % tileTerms : at / rows;
    }

    View view_;
    typename View::Row rows_[each];
    bool isInside_[each];
    float numbers_[each];
};

/// Puts the tiles of one step where all threads of the block read them.
template <class OfTile, class OfLeft, class OfRight>
__device__ void storeTiles(const OfLeft& ofLeft, const OfRight& ofRight,
                           float (*left)[OfTile::rows + 4], float (*right)[OfTile::columns + 4]) {
    ofLeft.store(left);
    ofRight.store(right);
    __syncthreads();
}

/// Adds to the sums of this thread what these tiles multiply to; behind it they may be overwritten.
template <class OfTile>
__device__ void addProducts(const float (*left)[OfTile::rows + 4],
                            const float (*right)[OfTile::columns + 4],
                            float (&sums)[OfTile::down][OfTile::across]) {
    const int row = static_cast<int>(threadIdx.x) / OfTile::side * OfTile::down;
    const int column = static_cast<int>(threadIdx.x) % OfTile::side * OfTile::across;
    for (int term = 0; term < tileTerms; ++term) {
        for (int m = 0; m < OfTile::down; ++m) {
            for (int n = 0; n < OfTile::across; ++n) {
                sums[m][n] += left[term][row + m] * right[term][column + n];
            }
        }
    }
    __syncthreads();
}

/// Whole sums go to the result, those of slices to `slicesSums` [slices, sets, rows, columns].
template <class OfTile, class Left, class Right, class Result>
__global__ void __launch_bounds__(blockThreads)
    productKernel(Left lefts, Right rights, Result result, ProductSize size, std::int64_t slices,
                  std::int64_t items, float* slicesSums) {
    __align__(16) __shared__ float left[tileTerms][OfTile::rows + 4];
    __align__(16) __shared__ float right[tileTerms][OfTile::columns + 4];
    for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
        const Work work = workOf<OfTile>(size, slices, item);
        using OfLeft = Brought<decltype(lefts.of(0)), OfTile::rows, OfTile::threads>;
        using OfRight = Brought<decltype(rights.of(0)), OfTile::columns, OfTile::threads>;
        OfLeft ofLeft(lefts.of(work.set), work.row, size.rows);
        OfRight ofRight(rights.of(work.set), work.column, size.columns);
        float sums[OfTile::down][OfTile::across] = {};
        ofLeft.read(work.term, work.endTerm);
        ofRight.read(work.term, work.endTerm);
        for (std::int64_t term = work.term; term < work.endTerm; term += tileTerms) {
            storeTiles<OfTile>(ofLeft, ofRight, left, right);
            ofLeft.read(term + tileTerms, work.endTerm);
            ofRight.read(term + tileTerms, work.endTerm);
            addProducts<OfTile>(left, right, sums);
        }
        const auto to = result.of(work.set);
        for (int m = 0; m < OfTile::down; ++m) {
            for (int n = 0; n < OfTile::across; ++n) {
                const std::int64_t row = work.row + threadIdx.x / OfTile::side * OfTile::down + m;
                const std::int64_t column =
                    work.column + threadIdx.x % OfTile::side * OfTile::across + n;
                if (row < size.rows && column < size.columns) {
                    if (slices == 1) {
                        to.write(row, column, sums[m][n]);
                    } else {
                        slicesSums[((work.slice * size.sets + work.set) * size.rows + row) *
                                       size.columns +
                                   column] = sums[m][n];
                    }
                }
            }
        }
    }
}

template <class Result>
__global__ void sumSlicesKernel(const float* slicesSums, Result result, ProductSize size,
                                std::int64_t slices) {
    for (std::int64_t k = firstElement(); k < size.results(); k += elementStep()) {
        float sum = 0;
        for (std::int64_t slice = 0; slice < slices; ++slice) {
            sum += slicesSums[slice * size.results() + k];
        }
        const std::int64_t line = quotient(k, size.columns);
        const std::int64_t set = quotient(line, size.rows);
        result.of(set).write(line - set * size.rows, k - line * size.columns, sum);
    }
}

template <class OfTile, class Left, class Right, class Result>
void launchTiles(const ProductSize& size, std::int64_t slices, Left left, Right right,
                 Result result, float* scratch, Stream stream) {
    const std::int64_t items = tilesOf<OfTile>(size) * slices;
    const auto kernel = productKernel<OfTile, Left, Right, Result>;
    KERNEL_LAUNCH(kernel, static_cast<unsigned>(std::min(items, mostBlocks)), OfTile::threads, 0,
                  stream, left, right, result, size, slices, items, scratch);
    if (slices > 1) {
        const auto sum = sumSlicesKernel<Result>;
        KERNEL_LAUNCH(sum, blocksFor(size.results()), blockThreads, 0, stream, scratch, result,
                      size, slices);
    }
}

template <class Left, class Right, class Result>
void launchViews(const ProductSize& size, std::int64_t slices, Left left, Right right,
                 Result result, float* scratch, Stream stream) {
    if (isForLarge(size)) {
        launchTiles<LargeTile>(size, slices, left, right, result, scratch, stream);
    } else {
        launchTiles<SmallTile>(size, slices, left, right, result, scratch, stream);
    }
}

/// launch(left, right): the operands as views that tell how they lie.
template <template <bool> class View, class Data, class Launch>
void onViews(const MatrixProduct& product, const Data& a, const Data& b, const Launch& launch) {
    if (product.a.term != 1) {
        launch(View<false>{a, product.a}, View<false>{b, product.b});
    } else if (product.b.term == 1) {
        launch(View<true>{a, product.a}, View<true>{b, product.b});
    } else {
        launch(View<true>{a, product.a}, View<false>{b, product.b});
    }
}

} // namespace

std::int64_t productScratch(const ProductSize& size) {
    const std::int64_t slices = slicesOf(size);
    return slices == 1 ? 0 : slices * size.results();
}

void launchProduct(const MatrixProduct& product, const float* a, const float* b,
                   const Ending& ending, float* c, float* scratch, Stream stream) {
    const MatrixResult result{c, product.resultSet, product.resultRow, ending};
    onViews<Matrix>(product, a, b, [&](auto left, auto right) {
        launchViews(product.size, slicesOf(product.size), left, right, result, scratch, stream);
    });
}

void launchHalvedProduct(const MatrixProduct& product, const Half* a, const Half* b,
                         const HalvedResult& result, float* scratch, Stream stream) {
    const ResultOfHalves to{result, product.resultSet, product.resultRow};
    onViews<MatrixOfHalves>(product, a, b, [&](auto left, auto right) {
        launchViews(product.size, slicesOf(product.size), left, right, to, scratch, stream);
    });
}

void launchEquals(const MatrixProduct& each, const EqualProducts& equals, float* scratch,
                  Stream stream) {
    const ResultOfEquals result{equals.c, equals.bias, equals.addend, each.resultRow,
                                equals.hasRelu};
    ProductSize all = each.size;
    all.sets = static_cast<std::int64_t>(equals.count);
    onViews<MatrixOfEquals>(each, equals.a, equals.b, [&](auto left, auto right) {
        launchViews(all, slicesOf(each.size), left, right, result, scratch, stream);
    });
}

ProductSize sizeOf(const Convolution& c, ConvolutionPass pass) {
    const std::int64_t sets = (c.hasSetPerElement ? c.batch : 1) * c.groups;
    const std::int64_t windows = c.elementsOfSet() * c.positions();
    switch (pass) {
    case ConvolutionPass::forward: return {sets, c.outputs, windows, c.filter()};
    case ConvolutionPass::inputGradient:
        return {sets, c.inputs, c.elementsOfSet() * c.plane(),
                static_cast<std::int64_t>(c.outputs) * c.taps()};
    case ConvolutionPass::weightGradient: return {sets, c.outputs, c.filter(), windows};
    }
    return {};
}

void launchConvolution(const Convolution& c, ConvolutionPass pass, const float* first,
                       const float* second, const Ending& ending, float* result, float* scratch,
                       Stream stream) {
    const ProductSize size = sizeOf(c, pass);
    const auto launch = [&](auto left, auto right, auto to) {
        launchViews(size, slicesOf(size), left, right, to, scratch, stream);
    };
    const std::int64_t filters = c.outputs * c.filter();
    const Matrix<true> w{second, {filters, c.filter(), 1}};
    switch (pass) {
    case ConvolutionPass::forward:
        return launch(w, PatchesByWindow{{c, first, c.stepsOfX()}},
                      MapResult{c, result, c.outputs, c.positions(), c.stepsOfY(), ending});
    case ConvolutionPass::inputGradient:
        return launch(FiltersByInput{c, second, c.stepsOfW()},
                      CodesByElement{c, first, c.stepsOfY()},
                      MapResult{c, result, c.inputs, c.plane(), c.stepsOfX(), ending});
    case ConvolutionPass::weightGradient:
        return launch(CodesByWindow{c, second, c.stepsOfY()},
                      PatchesByTap{{c, first, c.stepsOfX()}},
                      MatrixResult{result, filters, c.filter(), ending});
    }
}

} // namespace weft::cuda
