// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/kernels/per_element.h"

#include <limits>

namespace weft::cuda {

namespace {

/// The functions of CUDA's library, which rows take from here.
struct LibraryFunctions {
    WEFT_FUNCTION float abs(float x) { return fabsf(x); }
    WEFT_FUNCTION float exp(float x) { return expf(x); }
    WEFT_FUNCTION float expMinusOne(float x) { return expm1f(x); }
    WEFT_FUNCTION float log(float x) { return logf(x); }
    WEFT_FUNCTION float logOnePlus(float x) { return log1pf(x); }
    WEFT_FUNCTION float power(float x, float exponent) { return powf(x, exponent); }
    WEFT_FUNCTION float sqrt(float x) { return sqrtf(x); }
    WEFT_FUNCTION float sin(float x) { return sinf(x); }
    WEFT_FUNCTION float cos(float x) { return cosf(x); }
    WEFT_FUNCTION float tanh(float x) { return tanhf(x); }
    WEFT_FUNCTION float erf(float x) { return erff(x); }
    /// The normal distribution and its density.
    WEFT_FUNCTION float normalBelow(float x) { return 0.5F * erfcf(-x / 1.41421356237309505F); }
    WEFT_FUNCTION float normalDensity(float x) {
        return expf(-x * x / 2) * 0.398942280401432678F; // 1 / sqrt(2 pi)
    }
};

template <class Kept>
[[nodiscard]] __device__ auto* inFours(Kept* x) {
    return reinterpret_cast<VectorOfFour<Kept>*>(x);
}
template <class Kept>
[[nodiscard]] __device__ const auto* inFours(const Kept* x) {
    return reinterpret_cast<const VectorOfFour<Kept>*>(x);
}

template <class Kept, class Function, class... Operand>
__global__ void elementsKernel(Function f, std::int64_t n, Kept* y, const Operand*... x) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = kept<Kept>(f(toF32(x[k])...));
    }
}

template <class Function, class... Four>
__device__ float4 ofFour(Function f, Four... x) {
    return make_float4(f(x.x...), f(x.y...), f(x.z...), f(x.w...));
}

/// Does what elementsKernel does, four elements at a time. Addresses are aligned to four elements.
template <class Kept, class Function, class... Operand>
__global__ void foursKernel(Function f, std::int64_t n, Kept* y, const Operand*... x) {
    for (std::int64_t k = firstElement(); k < n / 4; k += elementStep()) {
        inFours(y)[k] = kept<VectorOfFour<Kept>>(ofFour(f, toF32(inFours(x)[k])...));
    }
    const std::int64_t rest = n / 4 * 4 + firstElement();
    if (rest < n) {
        y[rest] = kept<Kept>(f(toF32(x[rest])...));
    }
}

template <class Kept>
bool isAligned(const Kept* address) {
    return reinterpret_cast<std::uintptr_t>(address) % sizeof(VectorOfFour<Kept>) == 0;
}

template <class Function, class Kept, class... Operand>
void onElements(Function f, std::int64_t n, StreamHandle stream, Kept* y, const Operand*... x) {
    if ((isAligned(y) && ... && isAligned(x))) {
        const auto kernel = foursKernel<Kept, Function, Operand...>;
        KERNEL_LAUNCH(kernel, blocksFor((n + 3) / 4), blockThreads, 0, stream, f, n, y, x...);
    } else {
        const auto kernel = elementsKernel<Kept, Function, Operand...>;
        KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream, f, n, y, x...);
    }
}

struct ClipFactor { // takes the square of a norm
    float limit;
    __device__ float operator()(float x) const {
        const float factor = limit / (sqrtf(x) + 1e-6F);
        return factor < 1 ? factor : 1.0F;
    }
};
struct Copy {
    __device__ float operator()(float x) const { return x; }
};
struct Scale {
    float factor;
    __device__ float operator()(float x) const { return factor * x; }
};
struct Sign {
    __device__ float operator()(float x) const { return static_cast<float>((x > 0) - (x < 0)); }
};

struct Add {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct Divide {
    __device__ float operator()(float a, float b) const { return a / b; }
};
struct ExpMinus {
    __device__ float operator()(float x, float s) const { return expf(x - s); }
};
struct Multiply {
    __device__ float operator()(float a, float b) const { return a * b; }
};
struct Second {
    __device__ float operator()(float, float b) const { return b; }
};
struct Subtract {
    __device__ float operator()(float a, float b) const { return a - b; }
};

template <class Row>
struct ValueOf {
    FunctionNumbers numbers;
    __device__ float operator()(float x) const {
        return functions::valueOf<Row, LibraryFunctions>(x, numbers.first, numbers.second);
    }
};
template <class Row>
struct GradientOf {
    FunctionNumbers numbers;
    __device__ float operator()(float read, float dy) const {
        return functions::gradientOf<Row, LibraryFunctions>(read, dy, numbers.first,
                                                            numbers.second);
    }
};

template <class Row>
struct PairOf {
    __device__ float operator()(float a, float b) const {
        return Row::template value<LibraryFunctions>(a, b);
    }
};

constexpr std::int64_t anyFlops = std::numeric_limits<std::int64_t>::max();

/// Calls with(row) for the row with that index.
template <class With>
constexpr void withRow(int index, const With& with) {
    functions::All::forEach([&]<class Row>(Row row) {
        if (index == static_cast<int>(functions::All::indexOf<Row>())) {
            with(row);
        }
    });
}

/// Calls with(function) for that function with its numbers, unless the function of a row has more
/// than `most` operations.
template <std::int64_t most, class With>
constexpr void withUnary(Unary function, FunctionNumbers numbers, const With& with) {
    switch (function) {
    case Unary::clipFactor: return with(ClipFactor{numbers.first});
    case Unary::copy: return with(Copy{});
    case Unary::scale: return with(Scale{numbers.first});
    case Unary::sign: return with(Sign{});
    default: break;
    }
    withRow(static_cast<int>(function) - static_cast<int>(Unary::row), [&]<class Row>(Row) {
        if constexpr (Row::info.flops <= most) {
            with(ValueOf<Row>{numbers});
        }
    });
}
template <class With>
constexpr void withNamed(Binary function, const With& with) {
    switch (function) {
    case Binary::add: return with(Add{});
    case Binary::divide: return with(Divide{});
    case Binary::expMinus: return with(ExpMinus{});
    case Binary::multiply: return with(Multiply{});
    case Binary::second: return with(Second{});
    case Binary::subtract: return with(Subtract{});
    default: break;
    }
}
/// Calls with(function) for that row of two operands, unless it has more than `most` operations.
template <std::int64_t most, class With>
constexpr void withPair(Binary function, const With& with) {
    const int index = static_cast<int>(function) - static_cast<int>(Binary::rowGradient) -
                      static_cast<int>(functions::All::count);
    functions::Pairs::forEach([&]<class Row>(Row) {
        if constexpr (Row::pair.flops <= most) {
            if (index == static_cast<int>(functions::Pairs::indexOf<Row>())) {
                with(PairOf<Row>{});
            }
        }
    });
}
template <std::int64_t most, class With>
constexpr void withBinary(Binary function, FunctionNumbers numbers, const With& with) {
    withPair<most>(function, with);
    withNamed(function, with);
    withRow(static_cast<int>(function) - static_cast<int>(Binary::rowGradient),
            [&]<class Row>(Row) {
                if constexpr (Row::info.hasGradientOp() && Row::info.gradientFlops <= most) {
                    with(GradientOf<Row>{numbers});
                }
            });
}

template <class Function, class... One>
__device__ float over(Function f, One... x) {
    return f(x...);
}
template <class Function, class... Four>
__device__ float4 over(Function f, float4 x, Four... others) {
    return ofFour(f, x, others...);
}

/// Calls run(k, an element) for each element, or run(k, four neighbours) if alignment allows.
template <class Kept, class Run>
__device__ void byFours(std::int64_t n, bool isByFours, const Run& run) {
    const std::int64_t fours = isByFours ? n / 4 : 0;
    for (std::int64_t k = firstElement(); k < fours; k += elementStep()) {
        run(k, VectorOfFour<Kept>{});
    }
    for (std::int64_t k = 4 * fours + firstElement(); k < n; k += elementStep()) {
        run(k, Kept{});
    }
}
unsigned blocksByFours(std::int64_t n, bool isByFours) {
    return blocksFor(isByFours ? (n + 3) / 4 : n);
}

/// Elements in their stored type: one, or four neighbours.
template <class Elements, class Kept>
__device__ void runChain(const Chain<Kept>& chain, std::int64_t k) {
    auto y = toF32(reinterpret_cast<const Elements*>(chain.first)[k]);
    for (int at = 0; at < chain.count; ++at) {
        const ChainStep<Kept>& step = chain.steps[at];
        if (step.f.isUnary) {
            withUnary<mostFlopsInChain>(step.f.unary, step.f.numbers,
                                        [&](auto f) { y = over(f, y); });
        } else {
            const auto x = toF32(reinterpret_cast<const Elements*>(step.x)[k]);
            withBinary<mostFlopsInChain>(step.f.binary, step.f.numbers, [&](auto f) {
                y = step.f.isSwapped ? over(f, x, y) : over(f, y, x);
            });
        }
        if (step.y != nullptr) {
            const auto written = kept<Elements>(y);
            reinterpret_cast<Elements*>(step.y)[k] = written;
            y = toF32(written);
        }
    }
}

template <class Kept>
__global__ void chainKernel(Chain<Kept> chain, std::int64_t n, bool isByFours) {
    byFours<Kept>(n, isByFours,
                  [&]<class Elements>(std::int64_t k, Elements) { runChain<Elements>(chain, k); });
}

/// Returns the offsets in both operands for element k of the result.
[[nodiscard]] __device__ BroadcastLoops::Offsets offsetsOf(const BroadcastLoops& loops,
                                                           std::int64_t k) {
    BroadcastLoops::Offsets offsets;
    for (std::size_t loop = 0; loop < loops.count; ++loop) {
        const auto [size, a, b] = loops.loops[loop];
        const std::int64_t next = quotient(k, size);
        const std::int64_t index = k - next * size;
        offsets.a += index * a;
        offsets.b += index * b;
        k = next;
    }
    return offsets;
}

template <class Function>
__global__ void broadcastPairKernel(Function f, const float* a, const float* b,
                                    BroadcastLoops loops, float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const auto offsets = offsetsOf(loops, k);
        y[k] = f(a[offsets.a], b[offsets.b]);
    }
}

template <class Kept>
__global__ void addTermsKernel(Terms<Kept> terms, Kept* y, std::int64_t n, bool isByFours) {
    byFours<Kept>(n, isByFours, [&]<class Elements>(std::int64_t k, Elements) {
        const auto at = [&](int term) {
            return toF32(reinterpret_cast<const Elements*>(terms.x[term])[k]);
        };
        auto sum = at(0);
        for (int term = 1; term < terms.count; ++term) {
            sum = over(Add{}, sum, at(term));
        }
        reinterpret_cast<Elements*>(y)[k] = kept<Elements>(sum);
    });
}

[[nodiscard]] __device__ std::int64_t operandIndex(const Broadcast& broadcast, std::int64_t e) {
    const std::int64_t group = quotient(e, broadcast.inner);
    const std::int64_t begin =
        broadcast.step == 0 ? 0 : quotient(e, broadcast.block) * broadcast.step;
    return begin + group - quotient(group, broadcast.n) * broadcast.n;
}

/// The numbers of b for the four elements from `e` on.
[[nodiscard]] __device__ float4 broadcastTo(const float* b, const Broadcast& broadcast,
                                            std::int64_t e, float4) {
    return make_float4(b[operandIndex(broadcast, e)], b[operandIndex(broadcast, e + 1)],
                       b[operandIndex(broadcast, e + 2)], b[operandIndex(broadcast, e + 3)]);
}
[[nodiscard]] __device__ float broadcastTo(const float* b, const Broadcast& broadcast,
                                           std::int64_t e, float) {
    return b[operandIndex(broadcast, e)];
}

template <class Kept, class Function>
__global__ void broadcastKernel(Function f, const Kept* x, const float* b, Broadcast broadcast,
                                Kept* y, std::int64_t n, bool isByFours) {
    byFours<Kept>(n, isByFours, [&]<class Elements>(std::int64_t k, Elements) {
        constexpr auto each = static_cast<std::int64_t>(sizeof(Elements) / sizeof(Kept));
        const auto of = toF32(reinterpret_cast<const Elements*>(x)[k]);
        reinterpret_cast<Elements*>(y)[k] =
            kept<Elements>(over(f, of, broadcastTo(b, broadcast, each * k, of)));
    });
}

__global__ void broadcastQuotientKernel(const float* b, Broadcast broadcast, float divisor,
                                        float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = b[operandIndex(broadcast, k)] / divisor;
    }
}

} // namespace

template <class Kept>
void launchUnary(Unary function, FunctionNumbers numbers, const Kept* x, Kept* y, std::int64_t n,
                 StreamHandle stream) {
    withUnary<anyFlops>(function, numbers, [=](auto f) { onElements(f, n, stream, y, x); });
}

template <class Kept>
void launchBinary(Binary function, FunctionNumbers numbers, const Kept* a, const Kept* b, Kept* y,
                  std::int64_t n, StreamHandle stream) {
    withBinary<anyFlops>(function, numbers, [=](auto f) { onElements(f, n, stream, y, a, b); });
}

template <class Kept>
void launchChain(const Chain<Kept>& chain, std::int64_t n, StreamHandle stream) {
    bool isByFours = isAligned(chain.first);
    for (const ChainStep<Kept>& step : chain.steps) {
        isByFours = isByFours && isAligned(step.x) && isAligned(step.y);
    }
    KERNEL_LAUNCH(chainKernel<Kept>, blocksByFours(n, isByFours), blockThreads, 0, stream, chain, n,
                  isByFours);
}

template <class Kept>
void launchAddTerms(const Terms<Kept>& terms, Kept* y, std::int64_t n, StreamHandle stream) {
    const bool isByFours = isAligned(y) && std::ranges::all_of(terms.x, isAligned<Kept>);
    KERNEL_LAUNCH(addTermsKernel<Kept>, blocksByFours(n, isByFours), blockThreads, 0, stream, terms,
                  y, n, isByFours);
}

template <class Kept>
void launchBroadcast(Binary function, const Kept* x, const float* b, const Broadcast& broadcast,
                     Kept* y, std::int64_t n, StreamHandle stream) {
    const bool isByFours = isAligned(x) && isAligned(y);
    withNamed(function, [=]<class Function>(Function f) {
        const auto kernel = broadcastKernel<Kept, Function>;
        KERNEL_LAUNCH(kernel, blocksByFours(n, isByFours), blockThreads, 0, stream, f, x, b,
                      broadcast, y, n, isByFours);
    });
}

void launchBroadcast(Binary function, const float* a, const float* b, const BroadcastLoops& loops,
                     float* y, std::int64_t n, StreamHandle stream) {
    const auto launch = [=]<class Function>(Function f) {
        KERNEL_LAUNCH(broadcastPairKernel<Function>, blocksFor(n), blockThreads, 0, stream, f, a, b,
                      loops, y, n);
    };
    function == Binary::second ? launch(Second{}) : withPair<anyFlops>(function, launch);
}

void launchBroadcastQuotient(const float* b, const Broadcast& broadcast, float divisor, float* y,
                             std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(broadcastQuotientKernel, blocksFor(n), blockThreads, 0, stream, b, broadcast,
                  divisor, y, n);
}

template void launchUnary(Unary, FunctionNumbers, const float*, float*, std::int64_t, StreamHandle);
template void launchBinary(Binary, FunctionNumbers, const float*, const float*, float*,
                           std::int64_t, StreamHandle);
template void launchChain(const Chain<float>&, std::int64_t, StreamHandle);
template void launchAddTerms(const Terms<float>&, float*, std::int64_t, StreamHandle);
template void launchBroadcast(Binary, const float*, const float*, const Broadcast&, float*,
                              std::int64_t, StreamHandle);

template void launchUnary(Unary, FunctionNumbers, const Bf16*, Bf16*, std::int64_t, StreamHandle);
template void launchBinary(Binary, FunctionNumbers, const Bf16*, const Bf16*, Bf16*, std::int64_t,
                           StreamHandle);
template void launchChain(const Chain<Bf16>&, std::int64_t, StreamHandle);
template void launchAddTerms(const Terms<Bf16>&, Bf16*, std::int64_t, StreamHandle);
template void launchBroadcast(Binary, const Bf16*, const float*, const Broadcast&, Bf16*,
                              std::int64_t, StreamHandle);

} // namespace weft::cuda
