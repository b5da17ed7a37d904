// SPDX-License-Identifier: Apache-2.0
// y = gamma (x - mean) r + beta, r = 1 / sqrt(variance + epsilon), with its gradients; and the
// parts of them of which rows that are split are made.
#include "backends/cuda/layer_norm.h"

#include "backends/cuda/channel_sums.h"
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
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchLayerNorm(rows, epsilon, input<float>(at, 0), input<float>(at, 1),
                                        input<float>(at, 2), output<float>(at, 0),
                                        output<float>(at, 1), output<float>(at, 2), streamOf(at));
                    }));
}

ChoiceOrRefusal chooseLayerNormInput(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchLayerNormInput(rows, input<float>(at, 0), input<float>(at, 1),
                                             input<float>(at, 2), input<float>(at, 3),
                                             input<float>(at, 4), output<float>(at, 0),
                                             streamOf(at));
                    }));
}

ChoiceOrRefusal chooseLayerNormScale(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    const Along along{.outer = rows.rows, .n = rows.d, .inner = 1};
    const auto run = [=](const KernelArguments& at) {
        launchChannelSums({.term = ChannelTerm::rowCovariance,
                           .along = along,
                           .x = input<float>(at, 0),
                           .mean = input<float>(at, 1),
                           .r = input<float>(at, 2),
                           .dy = input<float>(at, 3)},
                          at.scratch, output<float>(at, 0), streamOf(at));
    };
    return allPlain(request, choiceOf(run, {channelSumScratch(along)}));
}

ChoiceOrRefusal chooseNormaliseRows(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchNormaliseRows(rows, input<float>(at, 0), input<float>(at, 1),
                                            input<float>(at, 2), input<float>(at, 3),
                                            input<float>(at, 4), output<float>(at, 0),
                                            streamOf(at));
                    }));
}

ChoiceOrRefusal chooseInputOfMeans(const KernelRequest& request) {
    const FeatureRows rows = featureRows(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchLayerNormInputOf(
                            rows, input<float>(at, 0), input<float>(at, 1), input<float>(at, 2),
                            input<float>(at, 3), input<float>(at, 4), input<float>(at, 5),
                            input<float>(at, 6), output<float>(at, 0), streamOf(at));
                    }));
}

/// A mean over the features of the whole row, of operand `x`.
template <class Put>
void addRowMean(KernelList& list, const std::string& op, RowTerm term, std::size_t x, Put put) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  const auto whole = static_cast<double>(request.inputs[x].whole.back());
                  return rowSumsOf(request, {.term = term, .divisor = whole}, x, put);
              }});
}

void addRowMeans(KernelList& list) {
    addRowMean(list, "row_mean", RowTerm::plain, 0,
               [](RowSum& of, const KernelArguments& at) { of.x = input<float>(at, 0); });
    addRowMean(list, "row_variance", RowTerm::deviation, 0,
               [](RowSum& of, const KernelArguments& at) {
                   of.x = input<float>(at, 0);
                   of.mean = input<float>(at, 1);
               });
    addRowMean(list, "weighted_row_mean", RowTerm::weighted, 1,
               [](RowSum& of, const KernelArguments& at) {
                   of.w = input<float>(at, 0);
                   of.dy = input<float>(at, 1);
               });
    addRowMean(list, "normalised_row_mean", RowTerm::normalised, 0,
               [](RowSum& of, const KernelArguments& at) {
                   of.x = input<float>(at, 0);
                   of.mean = input<float>(at, 1);
                   of.r = input<float>(at, 2);
                   of.w = input<float>(at, 3);
                   of.dy = input<float>(at, 4);
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
