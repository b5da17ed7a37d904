// SPDX-License-Identifier: Apache-2.0
// Per channel c (dim 1), n = the whole count of all else:
//   mean = sum x / n, variance = sum (x - mean)^2 / n, xhat = (x - mean) / sqrt(variance + epsilon)
//   y = gamma xhat + beta, dgamma = sum dy xhat, dbeta = sum dy
//   dx = gamma / sqrt(variance + epsilon) (dy - dbeta / n - xhat dgamma / n)
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

/// x as [batch, channels, positions].
struct Channels {
    std::int64_t batch, channels, positions;
    double count; ///< elements per channel in the whole
    explicit Channels(const TensorPart& x)
        : batch(x.shape[0]),
          channels(x.shape[1]),
          positions(product(x.shape, 2, x.shape.size())),
          count(static_cast<double>(x.whole[0] * product(x.whole, 2, x.whole.size()))) {}

    /// Calls visit(element) for each element of channel c.
    template <class Visit>
    void each(std::int64_t c, const Visit& visit) const {
        for (std::int64_t b = 0; b < batch; ++b) {
            const std::int64_t first = (b * channels + c) * positions;
            for (std::int64_t k = 0; k < positions; ++k) {
                visit(first + k);
            }
        }
    }
};

template <class T>
double channelMean(const Channels& channels, std::int64_t c, const T* x) {
    double sum = 0;
    channels.each(c, [&](std::int64_t e) { sum += x[e]; });
    return sum / channels.count;
}

template <class T>
double channelVariance(const Channels& channels, std::int64_t c, const T* x, double mean) {
    double sum = 0;
    channels.each(c, [&](std::int64_t e) { sum += (x[e] - mean) * (x[e] - mean); });
    return sum / channels.count;
}

template <class T>
void normaliseBatchNorm(const Channels& channels, std::int64_t c, const T* x, double mean,
                        double inverse, double gamma, double beta, T* y) {
    channels.each(c, [=](std::int64_t e) {
        y[e] = static_cast<T>(gamma * ((x[e] - mean) * inverse) + beta);
    });
}

double epsilonOf(const KernelRequest& request) { return request.attributes.real("epsilon"); }

template <class T>
void runBatchNormForward(const Call<T>& call, double epsilon) {
    const Channels at(call.input(0));
    for (std::int64_t c = 0; c < at.channels; ++c) {
        const double mean = channelMean(at, c, call.in(0));
        const double variance = channelVariance(at, c, call.in(0), mean);
        normaliseBatchNorm(at, c, call.in(0), mean, 1 / std::sqrt(variance + epsilon),
                           call.in(1)[c], call.in(2)[c], call.out(0));
        call.out(1)[c] = static_cast<T>(mean);
        call.out(2)[c] = static_cast<T>(variance);
    }
}

template <class T>
void runBatchNormInputGradient(const Call<T>& call, double epsilon) {
    const Channels at(call.input(0));
    const T* x = call.in(0);
    const T* dy = call.in(4);
    T* dx = call.out();
    for (std::int64_t c = 0; c < at.channels; ++c) {
        const double mean = call.in(1)[c];
        const double inverse = 1 / std::sqrt(call.in(2)[c] + epsilon);
        const double gamma = call.in(3)[c];
        const double dgamma = call.in(5)[c] / at.count;
        const double dbeta = call.in(6)[c] / at.count;
        at.each(c, [=](std::int64_t e) {
            const double normalised = (x[e] - mean) * inverse;
            dx[e] = static_cast<T>(gamma * inverse * (dy[e] - dbeta - normalised * dgamma));
        });
    }
}

template <class T>
void runBatchNormScaleGradient(const Call<T>& call, double epsilon) {
    const Channels at(call.input(0));
    const T* x = call.in(0);
    const T* dy = call.in(3);
    for (std::int64_t c = 0; c < at.channels; ++c) {
        const double mean = call.in(1)[c];
        double sum = 0;
        double dbeta = 0;
        at.each(c, [&](std::int64_t e) {
            sum += (x[e] - mean) * dy[e];
            dbeta += dy[e];
        });
        call.out(0)[c] = static_cast<T>(sum / std::sqrt(call.in(2)[c] + epsilon));
        call.out(1)[c] = static_cast<T>(dbeta);
    }
}

struct Momentum {
    double momentum, scale;
};

} // namespace

void batch_norm(KernelList& list) {
    addKernel(list, "batch_norm", epsilonOf,
              [](const auto& call, double epsilon) { runBatchNormForward(call, epsilon); });
    addKernel(list, "batch_norm_dx", epsilonOf,
              [](const auto& call, double epsilon) { runBatchNormInputGradient(call, epsilon); });
    addKernel(list, "batch_norm_dgamma", epsilonOf,
              [](const auto& call, double epsilon) { runBatchNormScaleGradient(call, epsilon); });
    addKernel(list, "batch_norm_inference", epsilonOf, [](const auto& call, double epsilon) {
        const Channels at(call.input(0));
        for (std::int64_t c = 0; c < at.channels; ++c) {
            normaliseBatchNorm(at, c, call.in(0), call.in(1)[c],
                               1 / std::sqrt(call.in(2)[c] + epsilon), call.in(3)[c], call.in(4)[c],
                               call.out());
        }
    });
    addKernel(list, "channel_mean", []<class T>(const Call<T>& call) {
        const Channels at(call.input(0));
        for (std::int64_t c = 0; c < at.channels; ++c) {
            call.out()[c] = static_cast<T>(channelMean(at, c, call.in(0)));
        }
    });
    addKernel(list, "channel_variance", []<class T>(const Call<T>& call) {
        const Channels at(call.input(0));
        for (std::int64_t c = 0; c < at.channels; ++c) {
            call.out()[c] = static_cast<T>(channelVariance(at, c, call.in(0), call.in(1)[c]));
        }
    });
    addKernel(
        list, "running_statistics",
        [](const KernelRequest& request) {
            return Momentum{request.attributes.real("momentum"), request.attributes.real("scale")};
        },
        []<class T>(const Call<T>& call, const Momentum& m) {
            for (std::int64_t e = 0; e < call.output().elements(); ++e) {
                call.out()[e] = static_cast<T>((1 - m.momentum) * call.in(0)[e] +
                                               m.momentum * m.scale * call.in(1)[e]);
            }
        });
}

} // namespace weft::reference
