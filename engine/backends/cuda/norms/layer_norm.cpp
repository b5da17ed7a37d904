// SPDX-License-Identifier: Apache-2.0
// y = gamma (x - mean) r + beta, r = 1 / sqrt(variance + epsilon), with its gradients; and the
// partial ops for rows that are split over devices.
#include "backends/cuda/norms/layer_norm.h"

#include "backends/cuda/kernels/channel_sums.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void layer_norm(KernelList& list);

namespace {

FeatureRows featureRows(const TensorPart& x) {
    const std::int64_t d = x.shape.back();
    return {.rows = x.elements() / d, .d = d, .whole = static_cast<float>(x.whole.back())};
}

ChoiceOrRefusal chooseLayerNorm(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    const auto epsilon = static_cast<float>(request.attributes.real("epsilon"));
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchLayerNorm(rows, epsilon, input<float>(arguments, 0),
                                        input<float>(arguments, 1), input<float>(arguments, 2),
                                        output<float>(arguments, 0), output<float>(arguments, 1),
                                        output<float>(arguments, 2), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseLayerNormInput(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchLayerNormInputGradient(
                            rows, input<float>(arguments, 0), input<float>(arguments, 1),
                            input<float>(arguments, 2), input<float>(arguments, 3),
                            input<float>(arguments, 4), output<float>(arguments, 0),
                            streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseLayerNormScale(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    const Along along{.outer = rows.rows, .n = rows.d, .inner = 1};
    const auto run = [=](const KernelArguments& arguments) {
        launchChannelSums({.term = ChannelTerm::rowCovariance,
                           .along = along,
                           .x = input<float>(arguments, 0),
                           .mean = input<float>(arguments, 1),
                           .r = input<float>(arguments, 2),
                           .dy = input<float>(arguments, 3)},
                          arguments.scratch, output<float>(arguments, 0), streamOf(arguments));
    };
    return allPlain(request, choiceOf(run, {channelSumScratch(along)}));
}

ChoiceOrRefusal chooseNormaliseRows(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchNormaliseRows(rows, input<float>(arguments, 0),
                                            input<float>(arguments, 1), input<float>(arguments, 2),
                                            input<float>(arguments, 3), input<float>(arguments, 4),
                                            output<float>(arguments, 0), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseInputOfMeans(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchLayerNormInputGradientFromSums(
                            rows, input<float>(arguments, 0), input<float>(arguments, 1),
                            input<float>(arguments, 2), input<float>(arguments, 3),
                            input<float>(arguments, 4), input<float>(arguments, 5),
                            input<float>(arguments, 6), output<float>(arguments, 0),
                            streamOf(arguments));
                    }));
}

/// The mean of a term of operand `x` over the features of the whole row.
template <class Put>
void addRowMean(KernelList& list, const std::string& op, RowTerm term, std::size_t x, Put put) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  const auto whole = static_cast<double>(request.inputs[x].whole.back());
                  return rowSumsOf(request, {.term = term, .divisor = whole}, x, put);
              }});
}

void addRowMeans(KernelList& list) {
    addRowMean(
        list, "row_mean", RowTerm::plain, 0,
        [](RowSum& of, const KernelArguments& arguments) { of.x = input<float>(arguments, 0); });
    addRowMean(list, "row_variance", RowTerm::deviation, 0,
               [](RowSum& of, const KernelArguments& arguments) {
                   of.x = input<float>(arguments, 0);
                   of.mean = input<float>(arguments, 1);
               });
    addRowMean(list, "weighted_row_mean", RowTerm::weighted, 1,
               [](RowSum& of, const KernelArguments& arguments) {
                   of.w = input<float>(arguments, 0);
                   of.dy = input<float>(arguments, 1);
               });
    addRowMean(list, "normalised_row_mean", RowTerm::normalised, 0,
               [](RowSum& of, const KernelArguments& arguments) {
                   of.x = input<float>(arguments, 0);
                   of.mean = input<float>(arguments, 1);
                   of.r = input<float>(arguments, 2);
                   of.w = input<float>(arguments, 3);
                   of.dy = input<float>(arguments, 4);
               });
}

} // namespace

void layer_norm(KernelList& list) {
    list.add({"layer_norm", "cuda", chooseLayerNorm});
    list.add({"layer_norm_dx", "cuda", chooseLayerNormInput});
    list.add({"layer_norm_dgamma", "cuda", chooseLayerNormScale});
    list.add({"normalise_rows", "cuda", chooseNormaliseRows});
    list.add({"layer_norm_dx_from_means", "cuda", chooseInputOfMeans});
    addRowMeans(list);
}

} // namespace weft::cuda
