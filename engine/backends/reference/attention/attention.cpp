// SPDX-License-Identifier: Apache-2.0
// Per example and head, over whole indices of queries and keys:
//   s[i, j] = scale (q_i . k_j) where j <= i or not causal, p = softmax_j s, o = p v
//   lse[i] = log sum_j exp(s[i, j]);  p[i, j] = exp(s[i, j] - lse[i])
//   dv_j = sum_i p[i, j] do_i;  ds[i, j] = p[i, j] (do_i . v_j - do_i . o_i)
//   dq_i = scale sum_j ds[i, j] k_j;  dk_j = scale sum_i ds[i, j] q_i
#include "backends/reference/reference_kernel.h"

#include <cmath>
#include <limits>

namespace weft::reference {

namespace {

struct AttentionSettings {
    bool causal;
    double scale;
};

AttentionSettings attentionSettings(const KernelRequest& request) {
    return {request.attributes.boolean("causal"), request.attributes.real("scale")};
}

template <class T>
double dot(const T* a, const T* b, std::int64_t size) {
    double sum = 0;
    for (std::int64_t k = 0; k < size; ++k) {
        sum += static_cast<double>(a[k]) * b[k];
    }
    return sum;
}

/// Queries and keys of one example and head.
template <class T>
struct Scores {
    const T* q;
    const T* k;
    std::int64_t queries, keys, features;
    std::int64_t firstQuery, firstKey;
    AttentionSettings settings;

    Scores(const Call<T>& call, const AttentionSettings& given, std::int64_t head)
        : queries(call.input(0).shape[2]),
          keys(call.input(1).shape[2]),
          features(call.input(0).shape[3]),
          firstQuery(call.input(0).begin[2]),
          firstKey(call.input(1).begin[2]),
          settings(given) {
        q = call.in(0) + head * queries * features;
        k = call.in(1) + head * keys * features;
    }
    [[nodiscard]] bool sees(std::int64_t i, std::int64_t j) const {
        return !settings.causal || firstKey + j <= firstQuery + i;
    }
    [[nodiscard]] double score(std::int64_t i, std::int64_t j) const {
        return settings.scale * dot(q + i * features, k + j * features, features);
    }
    /// log sum exp of the scores that the query attends to.
    [[nodiscard]] double logSum(std::int64_t i) const {
        double most = -std::numeric_limits<double>::infinity();
        for (std::int64_t j = 0; j < keys; ++j) {
            if (sees(i, j)) {
                most = std::max(most, score(i, j));
            }
        }
        double sum = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
            if (sees(i, j)) {
                sum += std::exp(score(i, j) - most);
            }
        }
        return most + std::log(sum);
    }
    [[nodiscard]] double probability(std::int64_t i, std::int64_t j, double lse) const {
        return sees(i, j) ? std::exp(score(i, j) - lse) : 0;
    }
};

template <class T>
std::int64_t headsOf(const Call<T>& call) {
    return call.input(0).shape[0] * call.input(0).shape[1];
}

/// target += factor * source
template <class T>
void addScaled(T* target, double factor, const T* source, std::int64_t size) {
    for (std::int64_t k = 0; k < size; ++k) {
        target[k] += static_cast<T>(factor * source[k]);
    }
}

template <class T>
void runAttentionForward(const Call<T>& call, const AttentionSettings& settings) {
    const std::int64_t width = call.input(2).shape[3];
    std::fill_n(call.out(0), call.output(0).elements(), T{0});
    for (std::int64_t head = 0; head < headsOf(call); ++head) {
        const Scores<T> at(call, settings, head);
        const T* v = call.in(2) + head * at.keys * width;
        for (std::int64_t i = 0; i < at.queries; ++i) {
            const double lse = at.logSum(i);
            call.out(1)[head * at.queries + i] = static_cast<T>(lse);
            T* o = call.out(0) + (head * at.queries + i) * width;
            for (std::int64_t j = 0; j < at.keys; ++j) {
                addScaled(o, at.probability(i, j, lse), v + j * width, width);
            }
        }
    }
}

template <class T>
void runValueGradient(const Call<T>& call, const AttentionSettings& settings) {
    const std::int64_t width = call.input(3).shape[3];
    std::fill_n(call.out(), call.output().elements(), T{0});
    for (std::int64_t head = 0; head < headsOf(call); ++head) {
        const Scores<T> at(call, settings, head);
        const T* lse = call.in(2) + head * at.queries;
        const T* dO = call.in(3) + head * at.queries * width;
        T* dv = call.out() + head * at.keys * width;
        for (std::int64_t i = 0; i < at.queries; ++i) {
            for (std::int64_t j = 0; j < at.keys; ++j) {
                addScaled(dv + j * width, at.probability(i, j, lse[i]), dO + i * width, width);
            }
        }
    }
}

/// Calls visit(scores, head, i, j, scale ds[i, j]) for every pair with a score.
template <class T, class Visit>
void eachScoreGradient(const Call<T>& call, const AttentionSettings& settings, const Visit& visit) {
    const std::int64_t width = call.input(2).shape[3];
    for (std::int64_t head = 0; head < headsOf(call); ++head) {
        const Scores<T> at(call, settings, head);
        const T* v = call.in(2) + head * at.keys * width;
        const T* o = call.in(3) + head * at.queries * width;
        const T* lse = call.in(4) + head * at.queries;
        const T* dO = call.in(5) + head * at.queries * width;
        for (std::int64_t i = 0; i < at.queries; ++i) {
            const double own = dot(dO + i * width, o + i * width, width);
            for (std::int64_t j = 0; j < at.keys; ++j) {
                const double p = at.probability(i, j, lse[i]);
                const double ds = p * (dot(dO + i * width, v + j * width, width) - own);
                visit(at, head, i, j, settings.scale * ds);
            }
        }
    }
}

} // namespace

void attention(KernelList& list) {
    addKernel(list, "attention", attentionSettings,
              [](const auto& call, const AttentionSettings& settings) {
                  runAttentionForward(call, settings);
              });
    addKernel(list, "attention_dv", attentionSettings,
              [](const auto& call, const AttentionSettings& settings) {
                  runValueGradient(call, settings);
              });
    addKernel(list, "attention_dq", attentionSettings,
              []<class T>(const Call<T>& call, const AttentionSettings& settings) {
                  std::fill_n(call.out(), call.output().elements(), T{0});
                  eachScoreGradient(call, settings,
                                    [&](const Scores<T>& at, std::int64_t head, std::int64_t i,
                                        std::int64_t j, double ds) {
                                        addScaled(call.out() +
                                                      (head * at.queries + i) * at.features,
                                                  ds, at.k + j * at.features, at.features);
                                    });
              });
    addKernel(list, "attention_dk", attentionSettings,
              []<class T>(const Call<T>& call, const AttentionSettings& settings) {
                  std::fill_n(call.out(), call.output().elements(), T{0});
                  eachScoreGradient(call, settings,
                                    [&](const Scores<T>& at, std::int64_t head, std::int64_t i,
                                        std::int64_t j, double ds) {
                                        addScaled(call.out() + (head * at.keys + j) * at.features,
                                                  ds, at.q + i * at.features, at.features);
                                    });
              });
}

} // namespace weft::reference
