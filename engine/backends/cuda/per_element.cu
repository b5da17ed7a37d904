// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/launch.h"
#include "backends/cuda/per_element.h"

namespace weft::cuda {

namespace {

constexpr float root2 = 1.41421356237309505F;

template <class Function, class... Operand>
__global__ void elementsKernel(Function f, std::int64_t n, float* y, const Operand*... x) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = f(x[k]...);
    }
}

template <class Function, class... Four>
__device__ float4 ofFour(Function f, Four... x) {
    return make_float4(f(x.x...), f(x.y...), f(x.z...), f(x.w...));
}

/// As above, four elements at a time; every address is a multiple of 16.
template <class Function, class... Operand>
__global__ void foursKernel(Function f, std::int64_t n, float* y, const Operand*... x) {
    for (std::int64_t k = firstElement(); k < n / 4; k += elementStep()) {
        reinterpret_cast<float4*>(y)[k] = ofFour(f, reinterpret_cast<const float4*>(x)[k]...);
    }
    const std::int64_t rest = n / 4 * 4 + firstElement();
    if (rest < n) {
        y[rest] = f(x[rest]...);
    }
}

bool isAligned(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

template <class Function, class... Operand>
void onElements(Function f, std::int64_t n, Stream stream, float* y, const Operand*... x) {
    if ((isAligned(y) && ... && isAligned(x))) {
        const auto kernel = foursKernel<Function, Operand...>;
        KERNEL_LAUNCH(kernel, blocksFor((n + 3) / 4), blockThreads, 0, stream, f, n, y, x...);
    } else {
        const auto kernel = elementsKernel<Function, Operand...>;
        KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream, f, n, y, x...);
    }
}

struct ClipFactor { // of a square of a norm
    float limit;
    __device__ float operator()(float x) const {
        const float factor = limit / (sqrtf(x) + 1e-6F);
        return factor < 1 ? factor : 1.0F;
    }
};
struct Copy {
    __device__ float operator()(float x) const { return x; }
};
struct Exp {
    __device__ float operator()(float x) const { return expf(x); }
};
struct Gelu {
    __device__ float operator()(float x) const { return x * 0.5F * erfcf(-x / root2); }
};
struct Log {
    __device__ float operator()(float x) const { return logf(x); }
};
struct ReciprocalRoot {
    float epsilon;
    __device__ float operator()(float x) const { return 1 / sqrtf(x + epsilon); }
};
struct Relu { // NaN stays NaN
    __device__ float operator()(float x) const { return x < 0 ? 0.0F : x; }
};
struct Scale {
    float factor;
    __device__ float operator()(float x) const { return factor * x; }
};
struct Sigmoid {
    __device__ float operator()(float x) const { return 1 / (1 + expf(-x)); }
};
struct Sign {
    __device__ float operator()(float x) const { return static_cast<float>((x > 0) - (x < 0)); }
};
struct Square {
    __device__ float operator()(float x) const { return x * x; }
};
struct Tanh {
    __device__ float operator()(float x) const { return tanhf(x); }
};
struct Value {
    float number;
    __device__ float operator()(float) const { return number; }
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
struct GeluGradient {
    __device__ float operator()(float x, float dy) const {
        const float below = 0.5F * erfcf(-x / root2);
        const float density = expf(-x * x / 2) * 0.398942280401432678F; // 1 / sqrt(2 pi)
        return dy * (below + x * density);
    }
};
struct Multiply {
    __device__ float operator()(float a, float b) const { return a * b; }
};
struct ReluGradient {
    __device__ float operator()(float y, float dy) const { return y <= 0 ? 0.0F : dy; }
};
struct Second {
    __device__ float operator()(float, float b) const { return b; }
};
struct SigmoidGradient {
    __device__ float operator()(float y, float dy) const { return dy * y * (1 - y); }
};
struct Subtract {
    __device__ float operator()(float a, float b) const { return a - b; }
};
struct TanhGradient {
    __device__ float operator()(float y, float dy) const { return dy * (1 - y * y); }
};

/// Calls with(function) of that name, which takes that number.
template <class With>
constexpr void withUnary(Unary function, float number, const With& with) {
    switch (function) {
    case Unary::clipFactor: return with(ClipFactor{number});
    case Unary::copy: return with(Copy{});
    case Unary::exp: return with(Exp{});
    case Unary::gelu: return with(Gelu{});
    case Unary::log: return with(Log{});
    case Unary::reciprocalRoot: return with(ReciprocalRoot{number});
    case Unary::relu: return with(Relu{});
    case Unary::scale: return with(Scale{number});
    case Unary::sigmoid: return with(Sigmoid{});
    case Unary::sign: return with(Sign{});
    case Unary::square: return with(Square{});
    case Unary::tanh: return with(Tanh{});
    case Unary::value: return with(Value{number});
    }
}
template <class With>
constexpr void withBinary(Binary function, const With& with) {
    switch (function) {
    case Binary::add: return with(Add{});
    case Binary::divide: return with(Divide{});
    case Binary::expMinus: return with(ExpMinus{});
    case Binary::geluGradient: return with(GeluGradient{});
    case Binary::multiply: return with(Multiply{});
    case Binary::reluGradient: return with(ReluGradient{});
    case Binary::second: return with(Second{});
    case Binary::sigmoidGradient: return with(SigmoidGradient{});
    case Binary::subtract: return with(Subtract{});
    case Binary::tanhGradient: return with(TanhGradient{});
    }
}

template <class Function, class... One>
__device__ float over(Function f, One... x) {
    return f(x...);
}
template <class Function, class... Four>
__device__ float4 over(Function f, float4 x, Four... others) {
    return ofFour(f, x, others...);
}

/// One element, or four that are neighbours.
template <class Elements>
__device__ void runChain(const Chain& chain, std::int64_t k) {
    Elements y = reinterpret_cast<const Elements*>(chain.first)[k];
    for (int at = 0; at < chain.count; ++at) {
        const ChainStep& step = chain.steps[at];
        if (step.isUnary) {
            withUnary(step.alone, step.number, [&](auto f) { y = over(f, y); });
        } else {
            const Elements x = reinterpret_cast<const Elements*>(step.x)[k];
            withBinary(step.function,
                       [&](auto f) { y = step.isTurned ? over(f, x, y) : over(f, y, x); });
        }
        if (step.y != nullptr) {
            reinterpret_cast<Elements*>(step.y)[k] = y;
        }
    }
}

__global__ void chainKernel(Chain chain, std::int64_t n, bool isByFours) {
    const std::int64_t fours = isByFours ? n / 4 : 0;
    for (std::int64_t k = firstElement(); k < fours; k += elementStep()) {
        runChain<float4>(chain, k);
    }
    for (std::int64_t k = 4 * fours + firstElement(); k < n; k += elementStep()) {
        runChain<float>(chain, k);
    }
}

__global__ void addTermsKernel(Terms terms, float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        float sum = terms.x[0][k];
        for (int term = 1; term < terms.count; ++term) {
            sum += terms.x[term][k];
        }
        y[k] = sum;
    }
}

[[nodiscard]] __device__ std::int64_t placeIn(const Spread& spread, std::int64_t e) {
    const std::int64_t group = quotient(e, spread.inner);
    const std::int64_t begin = spread.step == 0 ? 0 : quotient(e, spread.block) * spread.step;
    return begin + group - quotient(group, spread.n) * spread.n;
}

template <class Function>
__global__ void spreadKernel(Function f, const float* x, const float* b, Spread spread, float* y,
                             std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = f(x[k], b[placeIn(spread, k)]);
    }
}

__global__ void spreadOutKernel(const float* b, Spread spread, float divisor, float* y,
                                std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = b[placeIn(spread, k)] / divisor;
    }
}

} // namespace

void launchUnary(Unary function, float number, const float* x, float* y, std::int64_t n,
                 Stream stream) {
    withUnary(function, number, [=](auto f) { onElements(f, n, stream, y, x); });
}

void launchBinary(Binary function, const float* a, const float* b, float* y, std::int64_t n,
                  Stream stream) {
    withBinary(function, [=](auto f) { onElements(f, n, stream, y, a, b); });
}

void launchChain(const Chain& chain, std::int64_t n, Stream stream) {
    bool isByFours = isAligned(chain.first);
    for (const ChainStep& step : chain.steps) {
        isByFours = isByFours && isAligned(step.x) && isAligned(step.y);
    }
    KERNEL_LAUNCH(chainKernel, blocksFor(isByFours ? (n + 3) / 4 : n), blockThreads, 0, stream,
                  chain, n, isByFours);
}

void launchAddTerms(const Terms& terms, float* y, std::int64_t n, Stream stream) {
    KERNEL_LAUNCH(addTermsKernel, blocksFor(n), blockThreads, 0, stream, terms, y, n);
}

void launchSpread(Binary function, const float* x, const float* b, const Spread& spread, float* y,
                  std::int64_t n, Stream stream) {
    withBinary(function, [=]<class Function>(Function f) {
        const auto kernel = spreadKernel<Function>;
        KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream, f, x, b, spread, y, n);
    });
}

void launchSpreadOut(const float* b, const Spread& spread, float divisor, float* y, std::int64_t n,
                     Stream stream) {
    KERNEL_LAUNCH(spreadOutKernel, blocksFor(n), blockThreads, 0, stream, b, spread, divisor, y, n);
}

} // namespace weft::cuda
