// SPDX-License-Identifier: Apache-2.0
// y = gamma (x - mean) inverse + beta with mean and variance per channel, inverse = 1 /
// sqrt(variance + epsilon); its gradients, and running means. An addition and a ReLU after the norm
// are fused, and the ReLU's gradient is fused with the sums of dgamma and dbeta.
#include "backends/cuda/norms/batch_norm.h"

#include "backends/cuda/kernels/channel_sums.h"
#include "backends/cuda/request.h"
#include "device/op_row.h"
#include "device/rows.h"

#include <algorithm>
#include <optional>

namespace weft::cuda {

void batch_norm(KernelList& list);

namespace {

/// The channels of operand x, in the order of dims in which maps are offered.
class Channels {
public:
    Channels(const KernelRequest& request, std::size_t x, const Attributes& attributes) {
        const TensorPart& part = request.inputs[x];
        const auto offered = formatForAll(request, part.shape);
        shape_ = part.shape;
        format = offered && isOrder(*offered) ? *offered : Format{};
        along = alongDim(part.shape, format, 1);
        count = static_cast<double>(elementsOf(part.whole)) / static_cast<double>(part.whole[1]);
        epsilon = attributes.has("epsilon") ? static_cast<float>(attributes.real("epsilon")) : 0;
    }
    explicit Channels(const KernelRequest& request) : Channels(request, 0, request.attributes) {}

    Format format;
    Along along;
    double count = 1; ///< numbers per channel in the whole
    float epsilon = 0;

    /// Returns the choice with all maps of x's shape in that format, the others plain.
    [[nodiscard]] ChoiceOrRefusal chosen(const KernelRequest& request, KernelChoice choice) const {
        const auto formats = [&](const std::vector<TensorPart>& parts) {
            std::vector<Format> list;
            list.reserve(parts.size());
            for (const TensorPart& part : parts) {
                list.push_back(part.shape == shape_ ? format : Format{});
            }
            return list;
        };
        return withFormats(request, std::move(choice), formats(request.inputs),
                           formats(request.outputs));
    }
    [[nodiscard]] Bytes scratch(int sums) const { return {channelSumScratch(along, sums)}; }

private:
    Shape shape_;
};

/// Operands of the ops fused after a norm, and the results; those before the last belong to the
/// norm.
struct NormChain {
    std::optional<std::size_t> addend = {};
    bool hasRelu = false;
    std::size_t y = 0;
    std::size_t mean = 1, variance = 2; ///< results of a norm that computes statistics

    template <class Kept>
    [[nodiscard]] NormEnding<Kept> ending(const KernelArguments& arguments) const {
        return {.addend = addend ? input<Kept>(arguments, *addend) : nullptr, .hasRelu = hasRelu};
    }
};

/// Refuses chains whose intermediate results are read by others, and chains with several additions.
tl::expected<NormChain, Refusal> normChainOf(const KernelRequest& request) {
    NormChain chain;
    if (!request.body) {
        return chain;
    }
    const GroupBody& body = *request.body;
    for (std::size_t m = 0; m < body.members.size(); ++m) {
        if (m + 1 < body.members.size() && body.writes[m][0] >= 0) {
            return refuse("another op reads the intermediate value too");
        }
        if (body.members[m].op == "add") {
            if (body.reads[m].size() != 2) {
                return refuse("adds more than one value");
            }
            chain.addend = static_cast<std::size_t>(std::max(body.reads[m][0], body.reads[m][1]));
        }
        chain.hasRelu = chain.hasRelu || body.members[m].op == "relu";
    }
    chain.y = static_cast<std::size_t>(body.writes.back()[0]);
    if (body.writes[0].size() > 1) {
        chain.mean = static_cast<std::size_t>(body.writes[0][1]);
        chain.variance = static_cast<std::size_t>(body.writes[0][2]);
    }
    return chain;
}

ChoiceOrRefusal chooseBatchNorm(const KernelRequest& request) {
    const auto chain = normChainOf(request);
    if (!chain) {
        return tl::unexpected(chain.error());
    }
    const Channels of(request);
    const auto run = [=, with = *chain](const KernelArguments& arguments) {
        auto* const mean = output<float>(arguments, with.mean);
        auto* const variance = output<float>(arguments, with.variance);
        asKept(of.format, [&]<class Kept>(Kept) {
            const auto* const x = input<Kept>(arguments, 0);
            launchChannelMoments(of.along, of.count, x, arguments.scratch, mean, variance,
                                 streamOf(arguments));
            launchNormaliseChannels(of.along,
                                    {mean, variance, input<float>(arguments, 1), of.epsilon}, x,
                                    input<float>(arguments, 2), with.ending<Kept>(arguments),
                                    output<Kept>(arguments, with.y), streamOf(arguments));
        });
    };
    KernelChoice choice = choiceOf(run, of.scratch(2));
    choice.launches = 3;
    return of.chosen(request, std::move(choice));
}

ChoiceOrRefusal chooseInference(const KernelRequest& request) {
    const auto chain = normChainOf(request);
    if (!chain) {
        return tl::unexpected(chain.error());
    }
    const Channels of(request);
    const auto run = [=, with = *chain](const KernelArguments& arguments) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchNormaliseChannels(of.along,
                                    {input<float>(arguments, 1), input<float>(arguments, 2),
                                     input<float>(arguments, 3), of.epsilon},
                                    input<Kept>(arguments, 0), input<float>(arguments, 4),
                                    with.ending<Kept>(arguments), output<Kept>(arguments, with.y),
                                    streamOf(arguments));
        });
    };
    return of.chosen(request, choiceOf(run));
}

ChoiceOrRefusal chooseBatchNormInput(const KernelRequest& request) {
    const Channels of(request);
    const auto run = [=](const KernelArguments& arguments) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchBatchNormInputGradient(of.along,
                                         {input<float>(arguments, 1), input<float>(arguments, 2),
                                          input<float>(arguments, 3), of.epsilon},
                                         static_cast<float>(of.count), input<Kept>(arguments, 0),
                                         input<Kept>(arguments, 4), input<float>(arguments, 5),
                                         input<float>(arguments, 6), output<Kept>(arguments, 0),
                                         streamOf(arguments));
        });
    };
    return of.chosen(request, choiceOf(run));
}

/// Operands and results of batch_norm_dgamma, whose dy may pass through a ReLU and an addition.
struct GradientChain {
    std::size_t x = 0, mean = 1, variance = 2, dy = 3;
    std::optional<std::size_t> addend = {};
    std::optional<std::size_t> relu = {}; ///< result of the ReLU
    std::optional<std::size_t> d = {};    ///< output of the ReLU's gradient for others
    std::size_t dgamma = 0, dbeta = 1;
};

/// Refuses chains that feed another operand than dy, or whose sum is read elsewhere.
tl::expected<GradientChain, Refusal> gradientChainOf(const KernelRequest& request) {
    GradientChain chain;
    if (!request.body) {
        return chain;
    }
    const GroupBody& body = *request.body;
    const auto place = [](int read) { return static_cast<std::size_t>(read); };
    for (std::size_t m = 0; m < body.members.size(); ++m) {
        const std::vector<int>& reads = body.reads[m];
        const std::vector<int>& writes = body.writes[m];
        const std::string& op = body.members[m].op;
        if (op == "add") {
            if (reads.size() != 2 || writes[0] >= 0) {
                return refuse("another op reads the sum, or it has more than two terms");
            }
            chain.dy = place(reads[0]);
            chain.addend = place(reads[1]);
        } else if (op == "relu_gradient") {
            if ((m > 0 && reads[1] >= 0) || reads[0] < 0) {
                return refuse("the sum is not the gradient of the ReLU's result");
            }
            chain.relu = place(reads[0]);
            chain.dy = m > 0 ? chain.dy : place(reads[1]);
            if (writes[0] >= 0) {
                chain.d = place(writes[0]);
            }
        } else {
            if (reads[3] >= 0) {
                return refuse("the chain continues as an operand other than dy");
            }
            chain.x = place(reads[0]);
            chain.mean = place(reads[1]);
            chain.variance = place(reads[2]);
            chain.dgamma = place(writes[0]);
            chain.dbeta = place(writes[1]);
        }
    }
    return chain;
}

ChoiceOrRefusal chooseBatchNormScale(const KernelRequest& request) {
    const auto chain = gradientChainOf(request);
    if (!chain) {
        return tl::unexpected(chain.error());
    }
    const Channels of(request, chain->x,
                      request.body ? request.body->members.back().attributes : request.attributes);
    const auto run = [=, with = *chain](const KernelArguments& arguments) {
        asKept(of.format, [&]<class Kept>(Kept) {
            const auto operand = [&](const std::optional<std::size_t>& k) {
                return k ? input<Kept>(arguments, *k) : nullptr;
            };
            launchChannelGradients(
                ChannelGradients<Kept>{.along = of.along,
                                       .x = input<Kept>(arguments, with.x),
                                       .mean = input<float>(arguments, with.mean),
                                       .variance = input<float>(arguments, with.variance),
                                       .epsilon = of.epsilon,
                                       .dy = input<Kept>(arguments, with.dy),
                                       .addend = operand(with.addend),
                                       .relu = operand(with.relu),
                                       .d = with.d ? output<Kept>(arguments, *with.d) : nullptr},
                arguments.scratch, output<float>(arguments, with.dgamma),
                output<float>(arguments, with.dbeta), streamOf(arguments));
        });
    };
    KernelChoice choice = choiceOf(run, of.scratch(2));
    choice.launches = 2;
    return of.chosen(request, std::move(choice));
}

/// Chooses the kernel that computes one number per channel, the mean of `term`.
ChoiceOrRefusal chooseChannelSum(const KernelRequest& request, ChannelTerm term) {
    const Channels of(request);
    const auto run = [=](const KernelArguments& arguments) {
        asKept(of.format, [&]<class Kept>(Kept) {
            launchChannelSums(ChannelSum<Kept>{.term = term,
                                               .along = of.along,
                                               .divisor = of.count,
                                               .x = input<Kept>(arguments, 0),
                                               .mean = term == ChannelTerm::deviation
                                                           ? input<float>(arguments, 1)
                                                           : nullptr},
                              arguments.scratch, output<float>(arguments, 0), streamOf(arguments));
        });
    };
    KernelChoice choice = choiceOf(run, of.scratch(1));
    choice.launches = 2;
    return of.chosen(request, std::move(choice));
}
ChoiceOrRefusal chooseChannelMean(const KernelRequest& request) {
    return chooseChannelSum(request, ChannelTerm::plain);
}
ChoiceOrRefusal chooseChannelVariance(const KernelRequest& request) {
    return chooseChannelSum(request, ChannelTerm::deviation);
}

ChoiceOrRefusal chooseRunning(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const double momentum = request.attributes.real("momentum");
    const auto keep = static_cast<float>(1 - momentum);
    const auto take = static_cast<float>(momentum * request.attributes.real("scale"));
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           constexpr auto most = static_cast<std::size_t>(RunningStatistics::most);
                           for (std::size_t first = 0; first < row.size(); first += most) {
                               RunningStatistics statistics;
                               const std::size_t count = std::min(most, row.size() - first);
                               for (std::size_t k = 0; k < count; ++k) {
                                   statistics.of[k] = {
                                       .running = row.in<float>(arguments, first + k, 0),
                                       .now = row.in<float>(arguments, first + k, 1),
                                       .y = row.out<float>(arguments, first + k, 0),
                                       .keep = keep,
                                       .take = take,
                                       .n = row.elements(first + k)};
                               }
                               statistics.count = static_cast<int>(count);
                               launchRunningStatistics(statistics, streamOf(arguments));
                           }
                       }));
}

} // namespace

void batch_norm(KernelList& list) {
    for (const char* const links : {"", "+relu", "+add", "+add+relu"}) {
        list.add(takingBf16(std::string("batch_norm") + links, chooseBatchNorm));
        list.add(takingBf16(std::string("batch_norm_inference") + links, chooseInference));
    }
    for (const char* const links : {"", "relu_gradient+", "add+relu_gradient+"}) {
        list.add(takingBf16(std::string(links) + "batch_norm_dgamma", chooseBatchNormScale));
    }
    list.add(takingBf16("batch_norm_dx", chooseBatchNormInput));
    list.add(takingBf16("channel_mean", chooseChannelMean));
    list.add(takingBf16("channel_variance", chooseChannelVariance));
    addWithRow(list, "running_statistics", "cuda", chooseRunning);
}

} // namespace weft::cuda
