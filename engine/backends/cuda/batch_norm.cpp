// SPDX-License-Identifier: Apache-2.0
// y = gamma (x - mean) inverse + beta with mean and variance of each channel, inverse =
// 1 / sqrt(variance + epsilon); its gradients, and what a running mean is made of.
#include "backends/cuda/batch_norm.h"

#include "backends/cuda/channel_sums.h"
#include "backends/cuda/request.h"
#include "device/rows.h"

namespace weft::cuda {

void batch_norm(KernelList& list);

namespace {

/// Channels of the first operand, in the order of dims in which maps are offered.
struct ChannelsOf {
    explicit ChannelsOf(const KernelRequest& request) {
        const TensorPart& x = request.inputs[0];
        const auto offered = formatForAll(request, x.shape);
        format = offered && isOrder(*offered) ? *offered : Format{};
        along = alongDim(x.shape, format, 1);
        count = static_cast<double>(elementsOf(x.whole)) / static_cast<double>(x.whole[1]);
        epsilon = request.attributes.has("epsilon")
                      ? static_cast<float>(request.attributes.real("epsilon"))
                      : 0;
    }

    Format format;
    Along along;
    double count = 1; ///< numbers per channel in the whole
    float epsilon = 0;

    /// All of x's shape in that format, the others plain.
    [[nodiscard]] ChoiceOrRefusal chosen(const KernelRequest& request, KernelChoice choice) const {
        const auto formats = [&](const std::vector<TensorPart>& parts) {
            std::vector<Format> list;
            list.reserve(parts.size());
            for (const TensorPart& part : parts) {
                list.push_back(part.shape == request.inputs[0].shape ? format : Format{});
            }
            return list;
        };
        return withFormats(request, std::move(choice), formats(request.inputs),
                           formats(request.outputs));
    }
    template <class Kept>
    [[nodiscard]] ChannelSum<Kept> mean(const Kept* x) const {
        return {.along = along, .divisor = count, .x = x};
    }
    template <class Kept>
    [[nodiscard]] ChannelSum<Kept> variance(const Kept* x, const float* of) const {
        return {
            .term = ChannelTerm::deviation, .along = along, .divisor = count, .x = x, .mean = of};
    }
    [[nodiscard]] Bytes scratch() const { return {channelSumScratch(along)}; }
};

ChoiceOrRefusal chooseBatchNorm(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        auto* const mean = output<float>(at, 1);
        auto* const variance = output<float>(at, 2);
        asKept(of.format, [&]<class Kept>(Kept) {
            const auto* const x = input<Kept>(at, 0);
            launchChannelSums(of.mean(x), at.scratch, mean, streamOf(at));
            launchChannelSums(of.variance(x, mean), at.scratch, variance, streamOf(at));
            launchNormaliseChannels(of.along, {mean, variance, input<float>(at, 1), of.epsilon}, x,
                                    input<float>(at, 2), output<Kept>(at, 0), streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run, of.scratch()));
}

ChoiceOrRefusal chooseBatchNormInput(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchBatchNormInput(
                of.along,
                {input<float>(at, 1), input<float>(at, 2), input<float>(at, 3), of.epsilon},
                static_cast<float>(of.count), input<Kept>(at, 0), input<Kept>(at, 4),
                input<float>(at, 5), input<float>(at, 6), output<Kept>(at, 0), streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run));
}

ChoiceOrRefusal chooseBatchNormScale(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchChannelSums(ChannelSum<Kept>{.term = ChannelTerm::covariance,
                                               .along = of.along,
                                               .x = input<Kept>(at, 0),
                                               .mean = input<float>(at, 1),
                                               .dy = input<Kept>(at, 3),
                                               .variance = input<float>(at, 2),
                                               .epsilon = of.epsilon},
                              at.scratch, output<float>(at, 0), streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run, of.scratch()));
}

ChoiceOrRefusal chooseInference(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchNormaliseChannels(
                of.along,
                {input<float>(at, 1), input<float>(at, 2), input<float>(at, 3), of.epsilon},
                input<Kept>(at, 0), input<float>(at, 4), output<Kept>(at, 0), streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run));
}

ChoiceOrRefusal chooseChannelMean(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchChannelSums(of.mean(input<Kept>(at, 0)), at.scratch, output<float>(at, 0),
                              streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run, of.scratch()));
}

ChoiceOrRefusal chooseChannelVariance(const KernelRequest& request) {
    const ChannelsOf of(request);
    const auto run = [=](const KernelArguments& at) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchChannelSums(of.variance(input<Kept>(at, 0), input<float>(at, 1)), at.scratch,
                              output<float>(at, 0), streamOf(at));
        });
    };
    return of.chosen(request, choiceOf(run, of.scratch()));
}

ChoiceOrRefusal chooseRunning(const KernelRequest& request) {
    const double momentum = request.attributes.real("momentum");
    const auto keep = static_cast<float>(1 - momentum);
    const auto take = static_cast<float>(momentum * request.attributes.real("scale"));
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchRunning(keep, take, input<float>(at, 0), input<float>(at, 1),
                                      output<float>(at, 0), n, streamOf(at));
                    }));
}

} // namespace

void batch_norm(KernelList& list) {
    list.add(takingHalves("batch_norm", chooseBatchNorm));
    list.add(takingHalves("batch_norm_dx", chooseBatchNormInput));
    list.add(takingHalves("batch_norm_dgamma", chooseBatchNormScale));
    list.add(takingHalves("batch_norm_inference", chooseInference));
    list.add(takingHalves("channel_mean", chooseChannelMean));
    list.add(takingHalves("channel_variance", chooseChannelVariance));
    list.add({"running_statistics", "cuda", chooseRunning});
}

} // namespace weft::cuda
