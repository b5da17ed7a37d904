// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/async_copy.h"
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/unrolled.h"
#include "backends/cuda/products/convolution_views.h"
#include "backends/cuda/products/matrix_views.h"
#include "backends/cuda/products/product.h"

namespace weft::cuda {

namespace {

constexpr std::int64_t leastTermsOfSlice = 128;
constexpr std::int64_t enoughTiles = 256; ///< number of tiles that fills any GPU

/// side x side threads share a tile of the result; each sums `down` rows of `across` columns.
template <int side_, int down_, int across_, int terms_>
struct Tile {
    static constexpr int side = side_, down = down_, across = across_;
    static constexpr int terms = terms_; ///< number of terms in shared memory at a time
    static constexpr int threads = side * side;
    static constexpr int rows = side * down, columns = side * across;
};
using WideTile = Tile<16, 8, 8, 16>; ///< loaded by asynchronous copies during the sums
using LargeTile = Tile<16, 4, 4, 8>;
using SmallTile = Tile<8, 2, 4, 8>;

bool isForWide(const ProductSize& size) {
    return size.rows > LargeTile::rows && size.columns > LargeTile::columns;
}
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

/// Number of parts that sums are split into; `isWide`: wide tiles may be used.
std::int64_t slicesOf(const ProductSize& size, bool isWide = true) {
    const std::int64_t tiles = isWide && isForWide(size) ? tilesOf<WideTile>(size)
                               : isForLarge(size)        ? tilesOf<LargeTile>(size)
                                                         : tilesOf<SmallTile>(size);
    const std::int64_t slices =
        std::min(inPieces(size.terms, leastTermsOfSlice), inPieces(enoughTiles, tiles));
    return std::max<std::int64_t>(1, slices);
}

/// The part of the product that a block computes.
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
    const std::int64_t terms =
        inPieces(inPieces(size.terms, slices), OfTile::terms) * OfTile::terms;
    return {set,
            (item - ofSlice * down) * OfTile::rows,
            (ofColumns - set * across) * OfTile::columns,
            std::min(slice * terms, size.terms),
            std::min((slice + 1) * terms, size.terms),
            slice};
}

/// The share of one thread of a tile of an operand, loaded through registers.
template <class View, int rows, int threads, int tileTerms>
class Brought {
public:
    __device__ Brought(const View& view, std::int64_t first, std::int64_t end) : view_(view) {
        for (int k = 0; k < each; ++k) {
            const std::int64_t row = first + rowAt(k);
            isInside_[k] = row < end;
            rows_[k] = view_.rowOf(isInside_[k] ? row : first);
        }
    }
    /// Loads terms from `first` on; 0 from `end` on and outside the rows.
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

/// Stores the tiles of one step to shared memory and synchronises the block.
template <class OfTile, class OfLeft, class OfRight>
__device__ void storeTiles(const OfLeft& ofLeft, const OfRight& ofRight,
                           float (*left)[OfTile::rows + 4], float (*right)[OfTile::columns + 4]) {
    ofLeft.store(left);
    ofRight.store(right);
    __syncthreads();
}

/// Adds the product of these tiles to this thread's sums; afterwards the tiles may be overwritten.
template <class OfTile>
__device__ void addProducts(const float (*left)[OfTile::rows + 4],
                            const float (*right)[OfTile::columns + 4],
                            float (&sums)[OfTile::down][OfTile::across]) {
    const int row = static_cast<int>(threadIdx.x) / OfTile::side * OfTile::down;
    const int column = static_cast<int>(threadIdx.x) % OfTile::side * OfTile::across;
    for (int term = 0; term < OfTile::terms; ++term) {
        for (int m = 0; m < OfTile::down; ++m) {
            for (int n = 0; n < OfTile::across; ++n) {
                sums[m][n] += left[term][row + m] * right[term][column + n];
            }
        }
    }
    __syncthreads();
}

/// Writes whole sums to the result, and partial sums to `slicesSums` [slices, sets, rows, columns];
/// nothing outside the result.
template <class Result>
__device__ inline void give(const Result& to, const ProductSize& size, std::int64_t slices,
                            const Work& work, std::int64_t row, std::int64_t column, float sum,
                            float* slicesSums) {
    if (row < size.rows && column < size.columns) {
        if (slices == 1) {
            to.write(row, column, sum);
        } else {
            slicesSums[((work.slice * size.sets + work.set) * size.rows + row) * size.columns +
                       column] = sum;
        }
    }
}

template <class OfTile, class Left, class Right, class Result>
__global__ void __launch_bounds__(blockThreads)
    productKernel(Left lefts, Right rights, Result result, ProductSize size, std::int64_t slices,
                  std::int64_t items, float* slicesSums) {
    constexpr int tileTerms = OfTile::terms;
    __align__(16) __shared__ float left[tileTerms][OfTile::rows + 4];
    __align__(16) __shared__ float right[tileTerms][OfTile::columns + 4];
    for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
        const Work work = workOf<OfTile>(size, slices, item);
        using OfLeft = Brought<decltype(lefts.of(0)), OfTile::rows, OfTile::threads, tileTerms>;
        using OfRight =
            Brought<decltype(rights.of(0)), OfTile::columns, OfTile::threads, tileTerms>;
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
                give(to, size, slices, work, row, column, sums[m][n], slicesSums);
            }
        }
    }
}

/// The numbers of an operand tile that a thread copies: two terms of each of four rows.
/// Neighbouring threads copy neighbours: eight terms of a row, or a warp's rows of one term.
template <bool alongTerms>
struct CopyPlace {
    static constexpr int terms = 2, rows = 4;
    static constexpr int nextTerm = 8, nextRow = 32;
    static_assert(terms * rows * WideTile::threads == WideTile::rows * WideTile::terms);
    int row, term; ///< the first row and term that the thread copies

    static __device__ CopyPlace ofThread() {
        constexpr int beside = alongTerms ? nextTerm : nextRow;
        const int thread = static_cast<int>(threadIdx.x);
        const int inner = thread % beside;
        const int outer = thread / beside;
        return alongTerms ? CopyPlace{outer, inner} : CopyPlace{inner, outer};
    }
};

/// Starts copies of successive operand tiles to shared memory. Rows beyond the last repeat it, and
/// their sums are not used; terms beyond the last are zero.
template <class View>
class Copied {
public:
    __device__ Copied(const View& view, std::int64_t firstRow, std::int64_t rows,
                      std::int64_t firstTerm)
        : view_(view), first_(firstTerm) {
        for (int k = 0; k < Place::rows; ++k) {
            rows_[k] = view_.rowOf(std::min(firstRow + place_.row + k * Place::nextRow, rows - 1));
        }
    }
    __device__ void begin(std::int64_t end, float (*to)[WideTile::rows + 4]) {
        for (int t = 0; t < Place::terms; ++t) {
            const int at = place_.term + t * Place::nextTerm;
            const auto term = view_.termOf(std::min(first_ + at, end - 1));
            for (int k = 0; k < Place::rows; ++k) {
                const float* const from = view_.addressOf(rows_[k], term);
                copyAsync(&to[at][place_.row + k * Place::nextRow],
                          from == nullptr ? view_.anyAddress() : from,
                          from != nullptr && first_ + at < end);
            }
        }
        first_ += WideTile::terms;
    }

private:
    using Place = CopyPlace<View::isAlongTerms>;

    View view_;
    Place place_ = Place::ofThread();
    std::int64_t first_;
    typename View::Row rows_[Place::rows];
};

/// Copies the tiles of a matrix, whose addresses are incremented from tile to tile.
template <bool alongTerms>
class Copied<Matrix<alongTerms>> {
public:
    __device__ Copied(const Matrix<alongTerms>& view, std::int64_t firstRow, std::int64_t rows,
                      std::int64_t firstTerm)
        : step_(alongTerms ? 1 : view.steps.term), term_(firstTerm + place_.term) {
        for (int k = 0; k < Place::rows; ++k) {
            const std::int64_t row = std::min(firstRow + place_.row + k * Place::nextRow, rows - 1);
            from_[k] = view.addressOf(view.rowOf(row), view.termOf(term_));
        }
    }
    __device__ void begin(std::int64_t end, float (*to)[WideTile::rows + 4]) {
        if (term_ - place_.term + WideTile::terms <= end) {
            copy<true>(end, to);
        } else {
            copy<false>(end, to);
        }
        term_ += WideTile::terms;
        for (int k = 0; k < Place::rows; ++k) {
            from_[k] += WideTile::terms * step_;
        }
    }

private:
    using Place = CopyPlace<alongTerms>;

    template <bool areAllInside>
    __device__ void copy(std::int64_t end, float (*to)[WideTile::rows + 4]) const {
        for (int t = 0; t < Place::terms; ++t) {
            const int at = t * Place::nextTerm;
            const bool isInside = areAllInside || term_ + at < end;
            for (int k = 0; k < Place::rows; ++k) {
                copyAsync(&to[place_.term + at][place_.row + k * Place::nextRow],
                          from_[k] + at * step_, isInside);
            }
        }
    }

    Place place_ = Place::ofThread();
    std::int64_t step_, term_;
    const float* from_[Place::rows];
};

/// Position of a thread's sums in a wide tile: a warp has 32 x 64, and a thread four by four in
/// each quarter, so that a warp reads contiguous shared memory.
struct WidePlace {
    int row, column;

    static __device__ WidePlace ofThread() {
        const int warp = static_cast<int>(threadIdx.x) / warpSize;
        const int lane = static_cast<int>(threadIdx.x) % warpSize;
        return {warp / 2 * 32 + lane / 8 * 4, warp % 2 * 64 + lane % 8 * 4};
    }
    [[nodiscard]] __device__ int rowAt(int m) const { return row + m / 4 * 16 + m % 4; }
    [[nodiscard]] __device__ int columnAt(int n) const { return column + n / 4 * 32 + n % 4; }
};

/// Loads four neighbours from shared memory.
__device__ inline void readFour(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

__device__ inline void addWideProducts(const WidePlace& place,
                                       const float (*left)[WideTile::rows + 4],
                                       const float (*right)[WideTile::columns + 4],
                                       float (&sums)[WideTile::down][WideTile::across]) {
    UNROLLED_BY(4)
    for (int term = 0; term < WideTile::terms; ++term) {
        float a[WideTile::down];
        float b[WideTile::across];
        readFour(&left[term][place.rowAt(0)], a);
        readFour(&left[term][place.rowAt(4)], a + 4);
        readFour(&right[term][place.columnAt(0)], b);
        readFour(&right[term][place.columnAt(4)], b + 4);
        for (int m = 0; m < WideTile::down; ++m) {
            for (int n = 0; n < WideTile::across; ++n) {
                sums[m][n] += a[m] * b[n];
            }
        }
    }
}

/// As productKernel, with wide tiles: the next tile is copied while the current one is summed.
template <class Left, class Right, class Result>
__global__ void __launch_bounds__(WideTile::threads, 2)
    wideProductKernel(Left lefts, Right rights, Result result, ProductSize size,
                      std::int64_t slices, std::int64_t items, float* slicesSums) {
    __align__(16) __shared__ float left[2][WideTile::terms][WideTile::rows + 4];
    __align__(16) __shared__ float right[2][WideTile::terms][WideTile::columns + 4];
    const WidePlace place = WidePlace::ofThread();
    for (std::int64_t item = blockIdx.x; item < items; item += gridDim.x) {
        const Work work = workOf<WideTile>(size, slices, item);
        Copied<decltype(lefts.of(0))> ofLeft(lefts.of(work.set), work.row, size.rows, work.term);
        Copied<decltype(rights.of(0))> ofRight(rights.of(work.set), work.column, size.columns,
                                               work.term);
        float sums[WideTile::down][WideTile::across] = {};
        const auto begin = [&](std::int64_t term, int half) {
            if (term < work.endTerm) {
                ofLeft.begin(work.endTerm, left[half]);
                ofRight.begin(work.endTerm, right[half]);
                commitCopies();
            }
        };
        begin(work.term, 0);
        int half = 0;
        for (std::int64_t term = work.term; term < work.endTerm; term += WideTile::terms) {
            waitForCopies();
            __syncthreads();
            begin(term + WideTile::terms, 1 - half);
            addWideProducts(place, left[half], right[half], sums);
            half = 1 - half;
        }
        __syncthreads();
        const auto to = result.of(work.set);
        for (int m = 0; m < WideTile::down; ++m) {
            for (int n = 0; n < WideTile::across; ++n) {
                give(to, size, slices, work, work.row + place.rowAt(m),
                     work.column + place.columnAt(n), sums[m][n], slicesSums);
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
                 Result result, float* scratch, StreamHandle stream) {
    const std::int64_t items = tilesOf<OfTile>(size) * slices;
    const auto kernel = [] {
        if constexpr (std::is_same_v<OfTile, WideTile>) {
            return wideProductKernel<Left, Right, Result>;
        } else {
            return productKernel<OfTile, Left, Right, Result>;
        }
    }();
    KERNEL_LAUNCH(kernel, static_cast<unsigned>(std::min(items, mostBlocks)), OfTile::threads, 0,
                  stream, left, right, result, size, slices, items, scratch);
    if (slices > 1) {
        const auto sum = sumSlicesKernel<Result>;
        KERNEL_LAUNCH(sum, blocksFor(size.results()), blockThreads, 0, stream, scratch, result,
                      size, slices);
    }
}

/// True if the view's numbers can be copied without conversion.
template <class View>
constexpr bool isCopied = requires(const View& view) {
    view.of(0).anyAddress();
};

/// Launches one product. `cut`: the size of one product of a batch; it decides how sums are split.
template <class Left, class Right, class Result>
void launchViews(const ProductSize& size, const ProductSize& cut, Left left, Right right,
                 Result result, float* scratch, StreamHandle stream) {
    constexpr bool isWide = isCopied<Left>;
    const std::int64_t slices = slicesOf(cut, isWide);
    if constexpr (isWide) {
        if (isForWide(size)) {
            launchTiles<WideTile>(size, slices, left, right, result, scratch, stream);
            return;
        }
    }
    if (isForLarge(size)) {
        launchTiles<LargeTile>(size, slices, left, right, result, scratch, stream);
    } else {
        launchTiles<SmallTile>(size, slices, left, right, result, scratch, stream);
    }
}

/// Calls launch(left, right) with views that match the operands' layouts.
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
                   const Ending& ending, float* c, float* scratch, StreamHandle stream) {
    const MatrixResult result{c, product.resultSet, product.resultRow, ending};
    onViews<Matrix>(product, a, b, [&](auto left, auto right) {
        launchViews(product.size, product.size, left, right, result, scratch, stream);
    });
}

void launchBf16Product(const MatrixProduct& product, const Bf16* a, const Bf16* b,
                       const Bf16ProductResult& result, float* scratch, StreamHandle stream) {
    const Bf16Result to{result, product.resultSet, product.resultRow};
    onViews<Bf16Matrix>(product, a, b, [&](auto left, auto right) {
        launchViews(product.size, product.size, left, right, to, scratch, stream);
    });
}

void launchBatched(const MatrixProduct& each, const BatchedProducts& batched, float* scratch,
                   StreamHandle stream) {
    const BatchedResult result{batched.c, batched.bias, batched.addend, each.resultRow,
                               batched.hasRelu};
    ProductSize all = each.size;
    all.sets = static_cast<std::int64_t>(batched.count);
    onViews<BatchedMatrix>(each, batched.a, batched.b, [&](auto left, auto right) {
        launchViews(all, each.size, left, right, result, scratch, stream);
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
                       StreamHandle stream) {
    const ProductSize size = sizeOf(c, pass);
    const auto launch = [&](auto left, auto right, auto to) {
        launchViews(size, size, left, right, to, scratch, stream);
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
