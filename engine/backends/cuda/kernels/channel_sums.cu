// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/channel_sums.h"
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/kernels/teams.h"

#include <cmath>

namespace weft::cuda {

namespace {

constexpr int mostInFloat = 64; ///< packs per thread summed in f32
constexpr std::int64_t mostParts = 512;
constexpr std::int64_t leastPacks = 8; ///< minimum number of packs that a thread sums
constexpr int joinedPlaces = 8;        ///< channels whose parts a block joins
constexpr int joiners = 32;            ///< threads that join the parts of one channel

enum class Term : std::uint8_t {
    plain,
    deviation,
    rowCovariance,
    moments,
    gradients,
    afterRelu,     ///< gradients through a ReLU
    afterSum,      ///< gradients through an addition and a ReLU
    biasAfterRelu, ///< as afterRelu, summing only d
    biasAfterSum
};

constexpr bool isOfBias(Term term) {
    return term == Term::biasAfterRelu || term == Term::biasAfterSum;
}
constexpr bool isAfterSum(Term term) {
    return term == Term::afterSum || term == Term::biasAfterSum;
}
constexpr bool isAfterRelu(Term term) {
    return term == Term::afterRelu || isAfterSum(term) || isOfBias(term);
}
/// True for terms of a norm's gradient, which read x and its mean.
constexpr bool isOfGradients(Term term) {
    return term == Term::gradients || (isAfterRelu(term) && !isOfBias(term));
}
/// Packs of an operand that a thread has in flight.
constexpr int loadedAtOnce(Term term) { return isOfGradients(term) || isOfBias(term) ? 2 : 4; }
constexpr int sumsOf(Term term) { return term == Term::moments || isOfGradients(term) ? 2 : 1; }

template <class Kept>
struct Operands {
    const Kept* x = nullptr;
    const float* mean = nullptr;
    const float* r = nullptr;
    const Kept* dy = nullptr;
    const Kept* addend = nullptr;
    const Kept* relu = nullptr;
    Kept* d = nullptr;
};

/// The packs that a thread loads at one position before it computes.
template <Term term, class Kept, int width>
struct Loaded {
    using Packed = Pack<Kept, width>;
    Packed x = {}, dy = {}, addend = {}, relu = {};
    float mean = 0, r = 0;

    Loaded() = default;
    __device__ Loaded(const Operands<Kept>& of, std::int64_t e, std::int64_t row) {
        if constexpr (!isOfBias(term)) {
            x = Packed::load(of.x + e);
        }
        if constexpr (isOfGradients(term) || isOfBias(term) || term == Term::rowCovariance) {
            dy = Packed::load(of.dy + e);
        }
        if constexpr (term == Term::rowCovariance) {
            mean = of.mean[row];
            r = of.r[row];
        }
        if constexpr (isAfterRelu(term)) {
            relu = Packed::load(of.relu + e);
        }
        if constexpr (isAfterSum(term)) {
            addend = Packed::load(of.addend + e);
        }
    }

    /// The gradient at the norm's output; also stored if others read it.
    [[nodiscard]] __device__ Numbers<width> gradient(const Operands<Kept>& of,
                                                     std::int64_t e) const {
        Numbers<width> d = dy.numbers();
        if constexpr (isAfterSum(term)) {
            const Numbers<width> other = addend.numbers();
            for (int k = 0; k < width; ++k) {
                d.at[k] += other.at[k];
            }
        }
        if constexpr (isAfterRelu(term)) {
            const Numbers<width> y = relu.numbers();
            for (int k = 0; k < width; ++k) {
                d.at[k] = y.at[k] <= 0 ? 0.0F : d.at[k];
            }
            if (of.d != nullptr) {
                const Packed written = Packed::of(d);
                written.store(of.d + e);
                d = written.numbers();
            }
        }
        return d;
    }
};

/// The sums of a thread. For columns, each number of a pack has its own channel; for runs, all
/// share one.
template <Term term, class Kept, int width, bool areColumns>
struct Summing {
    static constexpr int sums = sumsOf(term);
    static constexpr int places = areColumns ? width : 1;

    Numbers<places> centre = {};
    Numbers<places> first = {}; ///< for moments: the common shift of all threads' sums in the end
    float sum[sums][width];

    __device__ Summing(const Operands<Kept>& of, std::int64_t place, std::int64_t inner) {
        for (int k = 0; k < places; ++k) {
            if constexpr (term == Term::deviation || isOfGradients(term)) {
                centre.at[k] = of.mean[place + k];
            } else if constexpr (term == Term::moments) {
                first.at[k] = toF32(of.x[(place + k) * inner]);
            }
        }
    }

    /// Moments are shifted by one of these numbers, which is near enough to the mean to avoid
    /// cancellation.
    __device__ void begin(const Operands<Kept>& of, std::int64_t e) {
        for (int which = 0; which < sums; ++which) {
            for (int k = 0; k < width; ++k) {
                sum[which][k] = 0;
            }
        }
        if constexpr (term == Term::moments) {
            if constexpr (areColumns) {
                centre = Pack<Kept, width>::load(of.x + e).numbers();
            } else {
                centre.at[0] = toF32(of.x[e]);
            }
        }
    }

    __device__ void add(const Operands<Kept>& of, std::int64_t e,
                        const Loaded<term, Kept, width>& loaded) {
        const Numbers<width> x = loaded.x.numbers();
        if constexpr (isOfBias(term)) {
            const Numbers<width> d = loaded.gradient(of, e);
            for (int k = 0; k < width; ++k) {
                sum[0][k] += d.at[k];
            }
        } else if constexpr (term == Term::plain) {
            for (int k = 0; k < width; ++k) {
                sum[0][k] += x.at[k];
            }
        } else if constexpr (term == Term::rowCovariance) {
            const Numbers<width> dy = loaded.dy.numbers();
            for (int k = 0; k < width; ++k) {
                sum[0][k] += (x.at[k] - loaded.mean) * loaded.r * dy.at[k];
            }
        } else if constexpr (isOfGradients(term)) {
            const Numbers<width> d = loaded.gradient(of, e);
            for (int k = 0; k < width; ++k) {
                sum[0][k] += d.at[k];
                sum[1][k] += (x.at[k] - centre.at[areColumns ? k : 0]) * d.at[k];
            }
        } else {
            for (int k = 0; k < width; ++k) {
                const float apart = x.at[k] - centre.at[areColumns ? k : 0];
                if constexpr (term == Term::moments) {
                    sum[0][k] += apart;
                }
                sum[sums - 1][k] += apart * apart;
            }
        }
    }

    /// Calls give(sum, channel index, an amount in f64) with the sums of `packs` packs.
    template <class Give>
    __device__ void end(int packs, const Give& give) const {
        double total[sums][places];
        for (int which = 0; which < sums; ++which) {
            for (int k = 0; k < places; ++k) {
                total[which][k] = sum[which][k];
            }
            for (int k = places; k < width; ++k) {
                total[which][0] += sum[which][k];
            }
        }
        for (int k = 0; k < places; ++k) {
            if constexpr (term == Term::moments) {
                const double count = static_cast<double>(packs) * (width / places);
                const double apart = static_cast<double>(centre.at[k]) - first.at[k];
                give(0, k, total[0][k] + count * apart);
                give(1, k, total[1][k] + apart * (2 * total[0][k] + count * apart));
            } else {
                for (int which = 0; which < sums; ++which) {
                    give(which, k, total[which][k]);
                }
            }
        }
    }
};

/// Sums the packs of a walk. Walk has isInside(), isInside(further) for a position that many steps
/// ahead, step(), and the current element and row.
template <class Sums, Term term, class Kept, int width, class Walk, class Give>
__device__ void sumUp(const Operands<Kept>& of, Sums& sums, Walk walk, const Give& give) {
    constexpr int atOnce = loadedAtOnce(term);
    while (walk.isInside()) {
        sums.begin(of, walk.e);
        int packs = 0;
        while (packs < mostInFloat && walk.isInside(atOnce - 1)) {
            Loaded<term, Kept, width> loaded[atOnce];
            std::int64_t e[atOnce];
            for (int k = 0; k < atOnce; ++k) {
                e[k] = walk.e;
                loaded[k] = Loaded<term, Kept, width>(of, walk.e, walk.row);
                walk.step();
            }
            for (int k = 0; k < atOnce; ++k) {
                sums.add(of, e[k], loaded[k]);
            }
            packs += atOnce;
        }
        while (packs < mostInFloat && walk.isInside()) {
            sums.add(of, walk.e, Loaded<term, Kept, width>(of, walk.e, walk.row));
            walk.step();
            ++packs;
        }
        sums.end(packs, give);
    }
}

/// Walks the packs of one channel of [outer, n, inner], with `per` packs per run of inner numbers.
struct RunWalk {
    std::int64_t e, row, rows;
    int place, per, steps; ///< pack within the run; packs that one step advances
    std::int64_t rowSteps, elementSteps, carry;

    [[nodiscard]] __device__ bool isInside() const { return row < rows; }
    [[nodiscard]] __device__ bool isInside(int further) const {
        return row + further * (rowSteps + 1) < rows; // a step advances by at most one extra row
    }
    __device__ void step() {
        place += steps;
        row += rowSteps;
        e += elementSteps;
        if (place >= per) {
            place -= per;
            ++row;
            e += carry;
        }
    }
};

/// [outer, n, inner]: one block per channel and part of its sum.
template <Term term, class Kept, int width>
__global__ void runPartsKernel(Operands<Kept> of, Along along, double* parts) {
    using Sums = Summing<term, Kept, width, false>;
    const std::int64_t per = along.inner / width;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * blockDim.x;
    const std::int64_t row = quotient(first, per);
    const std::int64_t rowSteps = quotient(step, per);
    for (std::int64_t place = blockIdx.x; place < along.n; place += gridDim.x) {
        const int inRun = static_cast<int>(first - row * per);
        const int steps = static_cast<int>(step - rowSteps * per);
        const RunWalk walk{.e = (row * along.n + place) * along.inner + inRun * width,
                           .row = row,
                           .rows = along.outer,
                           .place = inRun,
                           .per = static_cast<int>(per),
                           .steps = steps,
                           .rowSteps = rowSteps,
                           .elementSteps = rowSteps * along.n * along.inner + steps * width,
                           .carry = (along.n - 1) * along.inner};
        double total[Sums::sums] = {};
        Sums sums(of, place, along.inner);
        sumUp<Sums, term, Kept, width>(
            of, sums, walk, [&](int which, int, double amount) { total[which] += amount; });
        for (int which = 0; which < Sums::sums; ++which) {
            const double sum = joinedInBlock(Sum{}, total[which], 0.0);
            if (threadIdx.x == 0) {
                parts[(blockIdx.y * Sums::sums + which) * along.n + place] = sum;
            }
        }
    }
}

/// Walks the rows of one column of packs.
struct ColumnWalk {
    std::int64_t e, row, rows, rowSteps, elementSteps;

    [[nodiscard]] __device__ bool isInside() const { return row < rows; }
    [[nodiscard]] __device__ bool isInside(int further) const {
        return row + further * rowSteps < rows;
    }
    __device__ void step() {
        row += rowSteps;
        e += elementSteps;
    }
};

/// [outer, n]: one block per `across` adjacent packs and part of the rows.
template <Term term, class Kept, int width>
__global__ void columnPartsKernel(Operands<Kept> of, Along along, int across, double* parts) {
    using Sums = Summing<term, Kept, width, true>;
    constexpr int each = Sums::sums * width;
    __shared__ double ofThreads[each][blockThreads];
    const int thread = static_cast<int>(threadIdx.x);
    const int column = thread % across;
    const int rows = static_cast<int>(blockThreads) / across;
    const std::int64_t packs = along.n / width;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * across; first < packs;
         first += static_cast<std::int64_t>(gridDim.x) * across) {
        for (int k = 0; k < each; ++k) {
            ofThreads[k][thread] = 0;
        }
        if (first + column < packs) {
            const std::int64_t place = (first + column) * width;
            const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * rows + thread / across;
            const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * rows;
            const ColumnWalk walk{.e = row * along.n + place,
                                  .row = row,
                                  .rows = along.outer,
                                  .rowSteps = step,
                                  .elementSteps = step * along.n};
            Sums sums(of, place, 1);
            sumUp<Sums, term, Kept, width>(of, sums, walk, [&](int which, int k, double amount) {
                ofThreads[which * width + k][thread] += amount;
            });
        }
        __syncthreads();
        for (int k = thread; k < each * across; k += static_cast<int>(blockThreads)) {
            const int which = k / across;
            const std::int64_t place = (first + k % across) * width + which % width;
            double sum = 0;
            for (int row = 0; row < rows; ++row) {
                sum += ofThreads[which][row * across + k % across];
            }
            if (place < along.n) {
                parts[(blockIdx.y * Sums::sums + which / width) * along.n + place] = sum;
            }
        }
        __syncthreads(); // before the next columns
    }
}

/// Finishes the sums of a channel.
struct MeanOf {
    static constexpr int sums = 1;
    double divisor;
    float* y;
    __device__ void operator()(std::int64_t place, const double* sum) const {
        y[place] = static_cast<float>(sum[0] / divisor);
    }
};
template <class Kept>
struct MomentsOf {
    static constexpr int sums = 2;
    double count;
    const Kept* x;
    std::int64_t inner;
    float* mean;
    float* variance;
    __device__ void operator()(std::int64_t place, const double* sum) const {
        const double apart = sum[0] / count;
        const double squares = sum[1] / count - apart * apart;
        mean[place] = static_cast<float>(toF32(x[place * inner]) + apart);
        variance[place] = static_cast<float>(squares < 0 ? 0.0 : squares);
    }
};
struct GradientsOf {
    static constexpr int sums = 2;
    const float* variance;
    float epsilon;
    float* dgamma;
    float* dbeta;
    __device__ void operator()(std::int64_t place, const double* sum) const {
        dbeta[place] = static_cast<float>(sum[0]);
        dgamma[place] = static_cast<float>(
            sum[1] / sqrt(static_cast<double>(variance[place]) + static_cast<double>(epsilon)));
    }
};

/// Adds the parts of each channel in a fixed order and finishes them.
template <class Finish>
__global__ void joinPartsKernel(Finish finish, const double* sums, int parts, std::int64_t n) {
    __shared__ double ofThreads[Finish::sums][joiners][joinedPlaces];
    const int own = static_cast<int>(threadIdx.x) % joinedPlaces;
    const int joiner = static_cast<int>(threadIdx.x) / joinedPlaces;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * joinedPlaces; first < n;
         first += static_cast<std::int64_t>(gridDim.x) * joinedPlaces) {
        const std::int64_t place = first + own;
        for (int which = 0; which < Finish::sums; ++which) {
            double sum = 0;
            for (std::int64_t part = joiner; part < parts && place < n; part += joiners) {
                sum += sums[(part * Finish::sums + which) * n + place];
            }
            ofThreads[which][joiner][own] = sum;
        }
        __syncthreads();
        if (joiner == 0 && place < n) {
            double sum[Finish::sums] = {};
            for (int which = 0; which < Finish::sums; ++which) {
                for (int k = 0; k < joiners; ++k) {
                    sum[which] += ofThreads[which][k][own];
                }
            }
            finish(place, sum);
        }
        __syncthreads(); // before the next channels
    }
}

/// Number of adjacent packs that a block sums.
int columnsAcross(const Along& along, int width) {
    int across = 1;
    while (across < 32 && across < along.n / width) {
        across *= 2;
    }
    return across;
}

std::int64_t blocksAcross(const Along& along, int width) {
    const std::int64_t across = columnsAcross(along, width);
    const std::int64_t blocks =
        along.inner == 1 ? (along.n / width + across - 1) / across : along.n;
    return std::max<std::int64_t>(blocks, 1); // at least 1 without channels too, as it is a divisor
}

/// Enough parts for several blocks per multiprocessor, each with a worthwhile share.
std::int64_t partsOf(const Along& along, int width) {
    const std::int64_t threads =
        along.inner == 1 ? blockThreads / columnsAcross(along, width) : blockThreads;
    const std::int64_t packs = along.inner == 1 ? along.outer : along.outer * along.inner / width;
    return std::clamp<std::int64_t>(
        std::min(packs / (leastPacks * threads), 1024 / blocksAcross(along, width)), 1, mostParts);
}

/// Returns the length of a run of neighbouring elements that packs are loaded from.
std::int64_t sideBySide(const Along& along) { return along.inner == 1 ? along.n : along.inner; }

template <Term term, int width, class Kept>
void sumParts(const Operands<Kept>& of, const Along& along, double* parts, StreamHandle stream) {
    const auto down = static_cast<unsigned>(partsOf(along, width));
    const auto across = static_cast<unsigned>(std::min(blocksAcross(along, width), mostBlocks));
    if (along.inner == 1) {
        const auto kernel = columnPartsKernel<term, Kept, width>;
        KERNEL_LAUNCH(kernel, dim3(across, down), blockThreads, 0, stream, of, along,
                      columnsAcross(along, width), parts);
    } else if constexpr (term != Term::rowCovariance) {
        const auto kernel = runPartsKernel<term, Kept, width>;
        KERNEL_LAUNCH(kernel, dim3(across, down), blockThreads, 0, stream, of, along, parts);
    }
}

template <Term term, class Kept, class Finish>
void sumChannels(const Operands<Kept>& of, const Along& along, void* scratch, const Finish& finish,
                 StreamHandle stream) {
    auto* const parts = static_cast<double*>(scratch);
    const bool areAligned = isAlignedForPacks(of.x) && isAlignedForPacks(of.dy) &&
                            isAlignedForPacks(of.addend) && isAlignedForPacks(of.relu) &&
                            isAlignedForPacks(of.d);
    int width = 1;
    if (areAligned && sideBySide(along) % packWidth<Kept> == 0) {
        width = packWidth<Kept>;
        sumParts<term, packWidth<Kept>>(of, along, parts, stream);
    } else {
        sumParts<term, 1>(of, along, parts, stream);
    }
    const auto blocks =
        static_cast<unsigned>(std::min((along.n + joinedPlaces - 1) / joinedPlaces, mostBlocks));
    KERNEL_LAUNCH(joinPartsKernel<Finish>, blocks, joiners * joinedPlaces, 0, stream, finish, parts,
                  static_cast<int>(partsOf(along, width)), along.n);
}

template <class Kept>
void launchSums(const ChannelSum<Kept>& sum, void* scratch, float* y, StreamHandle stream) {
    const Operands<Kept> of{.x = sum.x, .mean = sum.mean, .r = sum.r, .dy = sum.dy};
    const MeanOf finish{sum.divisor, y};
    switch (sum.term) {
    case ChannelTerm::plain:
        return sumChannels<Term::plain>(of, sum.along, scratch, finish, stream);
    case ChannelTerm::deviation:
        return sumChannels<Term::deviation>(of, sum.along, scratch, finish, stream);
    case ChannelTerm::rowCovariance:
        return sumChannels<Term::rowCovariance>(of, sum.along, scratch, finish, stream);
    }
}

} // namespace

std::int64_t channelSumScratch(const Along& along, int sums) {
    std::int64_t parts = 1;
    for (const int width : {1, packWidth<float>, packWidth<Bf16>}) {
        parts = sideBySide(along) % width == 0 ? std::max(parts, partsOf(along, width)) : parts;
    }
    return static_cast<std::int64_t>(sizeof(double)) * sums * along.n * parts;
}

void launchChannelSums(const ChannelSum<float>& sum, void* scratch, float* y, StreamHandle stream) {
    launchSums(sum, scratch, y, stream);
}
void launchChannelSums(const ChannelSum<Bf16>& sum, void* scratch, float* y, StreamHandle stream) {
    launchSums(sum, scratch, y, stream);
}

template <class Kept>
void launchChannelMoments(const Along& along, double count, const Kept* x, void* scratch,
                          float* mean, float* variance, StreamHandle stream) {
    sumChannels<Term::moments>(Operands<Kept>{.x = x}, along, scratch,
                               MomentsOf<Kept>{count, x, along.inner, mean, variance}, stream);
}

template <class Kept>
void launchChannelGradients(const ChannelGradients<Kept>& of, void* scratch, float* dgamma,
                            float* dbeta, StreamHandle stream) {
    const Operands<Kept> operands{
        .x = of.x, .mean = of.mean, .dy = of.dy, .addend = of.addend, .relu = of.relu, .d = of.d};
    const GradientsOf finish{of.variance, of.epsilon, dgamma, dbeta};
    const MeanOf ofBias{1, dbeta};
    const bool isSum = of.addend != nullptr;
    if (of.x == nullptr && isSum) {
        sumChannels<Term::biasAfterSum>(operands, of.along, scratch, ofBias, stream);
    } else if (of.x == nullptr) {
        sumChannels<Term::biasAfterRelu>(operands, of.along, scratch, ofBias, stream);
    } else if (isSum) {
        sumChannels<Term::afterSum>(operands, of.along, scratch, finish, stream);
    } else if (of.relu != nullptr) {
        sumChannels<Term::afterRelu>(operands, of.along, scratch, finish, stream);
    } else {
        sumChannels<Term::gradients>(operands, of.along, scratch, finish, stream);
    }
}

template void launchChannelMoments(const Along&, double, const float*, void*, float*, float*,
                                   StreamHandle);
template void launchChannelMoments(const Along&, double, const Bf16*, void*, float*, float*,
                                   StreamHandle);
template void launchChannelGradients(const ChannelGradients<float>&, void*, float*, float*,
                                     StreamHandle);
template void launchChannelGradients(const ChannelGradients<Bf16>&, void*, float*, float*,
                                     StreamHandle);

} // namespace weft::cuda
