// SPDX-License-Identifier: Apache-2.0
// Per channel c (dim 1), n = the whole count of all else:
//   mean = sum x / n, variance = sum (x - mean)^2 / n, xhat = (x - mean) / sqrt(variance + epsilon)
//   y = gamma xhat + beta, dgamma = sum dy xhat, dbeta = sum dy
//   dx = gamma / sqrt(variance + epsilon) (dy - dbeta / n - xhat dgamma / n)
// Forward sums x - s and (x - s)^2 in one pass, where s is the channel's first number: it is near
// enough to the mean to avoid cancellation.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/sums.h"

#include <cmath>

namespace weft::cpu {

void batch_norm(KernelList& list);

namespace {

/// x as [outer, channels, inner] in the chosen format.
struct Channels {
    Format format;
    Along along;
    double count = 1; ///< numbers per channel in the whole
    float epsilon = 0;
    int cores = 1;
    [[nodiscard]] std::int64_t elements() const { return along.outer * along.n * along.inner; }
};

/// Returns nothing if formats are fixed and differ, or are blocked.
std::optional<Channels> channelsOf(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    const auto format = formatForAll(request, x.shape);
    if (!format || !isOrder(*format)) {
        return std::nullopt;
    }
    Channels channels;
    channels.format = *format;
    channels.along = alongDim(x.shape, *format, 1);
    const Shape& whole = x.whole.empty() ? x.shape : x.whole;
    channels.count = static_cast<double>(elementsOf(whole)) / static_cast<double>(whole[1]);
    if (request.attributes.has("epsilon")) {
        channels.epsilon = static_cast<float>(request.attributes.real("epsilon"));
    }
    channels.cores = request.cores;
    return channels;
}

/// y = factor[c] (x - centre[c]) + shift[c], optionally + more[c] other.
struct Affine {
    const float* x;
    const float* centre;
    const float* factor;
    const float* shift;
    const float* other = nullptr;
    const float* more = nullptr;
    float* y = nullptr;
};

/// One row of `n` numbers; `step` is 1 if each has its own channel, 0 if they share one.
template <std::int64_t step>
inline void __attribute__((always_inline))
affineRow(const Affine& a, std::int64_t first, std::int64_t c, std::int64_t n) {
    const float* const centre = a.centre + c;
    const float* const factor = a.factor + c;
    const float* const shift = a.shift + c;
    const float* const x = a.x + first;
    float* const y = a.y + first;
    if (a.other == nullptr) {
#pragma omp simd
        for (std::int64_t k = 0; k < n; ++k) {
            y[k] = factor[k * step] * (x[k] - centre[k * step]) + shift[k * step];
        }
        return;
    }
    const float* const more = a.more + c;
    const float* const other = a.other + first;
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) {
        y[k] = factor[k * step] * (x[k] - centre[k * step]) + more[k * step] * other[k] +
               shift[k * step];
    }
}

void applyAffine(const Channels& with, const Affine& a) {
    const std::int64_t n = with.along.n;
    const std::int64_t inner = with.along.inner;
    const bool isLast = inner == 1;
    const std::int64_t rows = isLast ? with.along.outer : with.along.outer * n;
    const std::int64_t size = isLast ? n : inner;
    shareOut(with.cores, rows, 1, 3 * rows * size, [&](Range range) {
        vectorised([&]() __attribute__((always_inline)) {
            for (std::int64_t row = range.begin; row < range.end; ++row) {
                if (isLast) {
                    affineRow<1>(a, row * size, 0, size);
                } else {
                    affineRow<0>(a, row * size, row % n, size);
                }
            }
        });
    });
}

/// Layout of the scratch: the sums in double, then rows with one float per channel.
struct Room {
    Bytes sums = {};
    std::int64_t channels = 0;
    [[nodiscard]] float* row(void* scratch, int k) const {
        return reinterpret_cast<float*>(static_cast<std::byte*>(scratch) + sums.count) +
               k * channels;
    }
    [[nodiscard]] Bytes size(int rows) const {
        return sums + Bytes{channels * rows * static_cast<std::int64_t>(sizeof(float))};
    }
};

Room roomFor(const Channels& channels, std::size_t sums) {
    return {columnSumsScratch(channels.along.n, sums, channels.cores), channels.along.n};
}

/// Mean and centred second moment of each channel over this part; `first` is a buffer for the
/// channels' shifts.
void statistics(const Channels& with, void* scratch, const float* x, float* first, float* mean,
                float* variance) {
    for (std::int64_t k = 0; k < with.along.n; ++k) {
        first[k] = x[k * with.along.inner];
    }
    const double count = with.count;
    channelSums(
        with.along, with.cores, scratch,
        [=](std::int64_t k, const std::array<double, 2>& sum) {
            const double offset = sum[0] / count;
            mean[k] = static_cast<float>(first[k] + offset);
            variance[k] = static_cast<float>(std::max(0.0, sum[1] / count - offset * offset));
        },
        [=](std::int64_t e, std::int64_t k)
            __attribute__((always_inline)) { return x[e] - first[k]; },
        [=](std::int64_t e, std::int64_t k)
            __attribute__((always_inline)) { return (x[e] - first[k]) * (x[e] - first[k]); });
}

/// y = gamma (x - mean) / sqrt(variance + epsilon) + beta; `factor` is a buffer with a number per
/// channel.
void normalise(const Channels& with, const float* x, const float* mean, const float* variance,
               const float* gamma, const float* beta, float* factor, float* y) {
    for (std::int64_t k = 0; k < with.along.n; ++k) {
        factor[k] = gamma[k] / std::sqrt(variance[k] + with.epsilon);
    }
    applyAffine(with, {.x = x, .centre = mean, .factor = factor, .shift = beta, .y = y});
}

ChoiceOrRefusal refuseFormats() {
    return refuse("operands have different or blocked memory formats");
}

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const auto channels = channelsOf(request);
    if (!channels) {
        return refuseFormats();
    }
    const Room room = roomFor(*channels, 2);
    const auto run = [with = *channels, room](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        auto* const mean = output<float>(arguments, 1);
        auto* const variance = output<float>(arguments, 2);
        float* const factor = room.row(arguments.scratch, 0);
        statistics(with, arguments.scratch, x, factor, mean, variance);
        normalise(with, x, mean, variance, input<float>(arguments, 1), input<float>(arguments, 2),
                  factor, output<float>(arguments, 0));
    };
    return inOneFormat(request, channels->format, choiceOf(run, room.size(1)));
}

ChoiceOrRefusal chooseInference(const KernelRequest& request) {
    const auto channels = channelsOf(request);
    if (!channels) {
        return refuseFormats();
    }
    const Room room{{}, channels->along.n};
    const auto run = [with = *channels, room](const KernelArguments& arguments) {
        normalise(with, input<float>(arguments, 0), input<float>(arguments, 1),
                  input<float>(arguments, 2), input<float>(arguments, 3),
                  input<float>(arguments, 4), room.row(arguments.scratch, 0),
                  output<float>(arguments, 0));
    };
    return inOneFormat(request, channels->format, choiceOf(run, room.size(1)));
}

/// dx = a dy + b (x - mean) + c, with a = gamma r, b = -a r dgamma / n, c = -a dbeta / n.
ChoiceOrRefusal chooseInputGradient(const KernelRequest& request) {
    const auto channels = channelsOf(request);
    if (!channels) {
        return refuseFormats();
    }
    const Room room{{}, channels->along.n};
    const auto run = [with = *channels, room](const KernelArguments& arguments) {
        const auto* const mean = input<float>(arguments, 1);
        const auto* const variance = input<float>(arguments, 2);
        const auto* const gamma = input<float>(arguments, 3);
        const auto* const dgamma = input<float>(arguments, 5);
        const auto* const dbeta = input<float>(arguments, 6);
        float* const a = room.row(arguments.scratch, 0);
        float* const b = room.row(arguments.scratch, 1);
        float* const c = room.row(arguments.scratch, 2);
        const double n = with.count;
        for (std::int64_t k = 0; k < with.along.n; ++k) {
            const double r = 1 / std::sqrt(static_cast<double>(variance[k]) + with.epsilon);
            const double ofDy = gamma[k] * r;
            const double ofX = -ofDy * r * dgamma[k] / n;
            a[k] = static_cast<float>(ofDy);
            b[k] = static_cast<float>(ofX);
            c[k] = static_cast<float>(-ofDy * dbeta[k] / n);
        }
        applyAffine(with, {.x = input<float>(arguments, 0),
                           .centre = mean,
                           .factor = b,
                           .shift = c,
                           .other = input<float>(arguments, 4),
                           .more = a,
                           .y = output<float>(arguments, 0)});
    };
    return inOneFormat(request, channels->format, choiceOf(run, room.size(3)));
}

ChoiceOrRefusal chooseScaleGradient(const KernelRequest& request) {
    const auto channels = channelsOf(request);
    if (!channels) {
        return refuseFormats();
    }
    const auto run = [with = *channels](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        const auto* const mean = input<float>(arguments, 1);
        const auto* const variance = input<float>(arguments, 2);
        const auto* const dy = input<float>(arguments, 3);
        auto* const dgamma = output<float>(arguments, 0);
        auto* const dbeta = output<float>(arguments, 1);
        channelSums(
            with.along, with.cores, arguments.scratch,
            [=, epsilon = with.epsilon](std::int64_t k, const std::array<double, 2>& sum) {
                dgamma[k] = static_cast<float>(sum[0] / std::sqrt(variance[k] + epsilon));
                dbeta[k] = static_cast<float>(sum[1]);
            },
            [=](std::int64_t e, std::int64_t k)
                __attribute__((always_inline)) { return (x[e] - mean[k]) * dy[e]; },
            [=](std::int64_t e, std::int64_t) __attribute__((always_inline)) { return dy[e]; });
    };
    const Bytes scratch = columnSumsScratch(channels->along.n, 2, channels->cores);
    return withFormats(request, choiceOf(run, scratch),
                       {channels->format, {}, {}, channels->format}, {});
}

/// Chooses the kernel for one number per channel: the mean of term(x, the channel's second
/// operand).
template <class Term>
ChoiceOrRefusal chooseChannelMean(const KernelRequest& request, const Term& term) {
    const auto channels = channelsOf(request);
    if (!channels) {
        return refuseFormats();
    }
    const bool hasSecond = request.inputs.size() > 1;
    const auto run = [=, with = *channels](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        const float* const second = hasSecond ? input<float>(arguments, 1) : nullptr;
        auto* const y = output<float>(arguments, 0);
        channelSums(
            with.along, with.cores, arguments.scratch,
            [=, count = with.count](std::int64_t k, const std::array<double, 1>& sum) {
                y[k] = static_cast<float>(sum[0] / count);
            },
            [=](std::int64_t e, std::int64_t k)
                __attribute__((always_inline)) { return term(x[e], second, k); });
    };
    const Bytes scratch = columnSumsScratch(channels->along.n, 1, channels->cores);
    return withFormats(request, choiceOf(run, scratch), {channels->format}, {});
}

ChoiceOrRefusal chooseMean(const KernelRequest& request) {
    return chooseChannelMean(
        request,
        [](float x, const float*, std::int64_t) __attribute__((always_inline)) { return x; });
}
ChoiceOrRefusal chooseVariance(const KernelRequest& request) {
    return chooseChannelMean(
        request, [](float x, const float* mean, std::int64_t k)
                     __attribute__((always_inline)) { return (x - mean[k]) * (x - mean[k]); });
}

ChoiceOrRefusal chooseRunning(const KernelRequest& request) {
    const double momentum = request.attributes.real("momentum");
    const auto ofRunning = static_cast<float>(1 - momentum);
    const auto ofObserved = static_cast<float>(momentum * request.attributes.real("scale"));
    return elementwiseOf<2>(request, [=](const KernelArguments&) {
        return [=](float running, float observed) __attribute__((always_inline)) {
            return ofRunning * running + ofObserved * observed;
        };
    });
}

} // namespace

void batch_norm(KernelList& list) {
    list.add({"batch_norm", "cpu", chooseForward});
    list.add({"batch_norm_inference", "cpu", chooseInference});
    list.add({"batch_norm_dx", "cpu", chooseInputGradient});
    list.add({"batch_norm_dgamma", "cpu", chooseScaleGradient});
    list.add({"channel_mean", "cpu", chooseMean});
    list.add({"channel_variance", "cpu", chooseVariance});
    list.add({"running_statistics", "cpu", chooseRunning});
}

} // namespace weft::cpu
