// SPDX-License-Identifier: Apache-2.0
// Against attention written out position by position.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

/// rows of x [n, i] through w [o, i] and b [o]
std::vector<std::vector<double>> projected(const std::vector<std::vector<double>>& x,
                                           const Tensor& w, const Tensor& b) {
    std::vector<std::vector<double>> y;
    y.reserve(x.size());
    for (const auto& one : x) {
        y.emplace_back();
        for (std::int64_t o = 0; o < w.shape[0]; ++o) {
            double sum = b.at(o);
            for (std::int64_t i = 0; i < w.shape[1]; ++i) {
                sum += w.at(o * w.shape[1] + i) * one[static_cast<std::size_t>(i)];
            }
            y.back().push_back(sum);
        }
    }
    return y;
}

std::vector<std::vector<double>> rowsOf(const Tensor& x, std::int64_t example) {
    std::vector<std::vector<double>> rows;
    for (std::int64_t t = 0; t < x.shape[1]; ++t) {
        rows.emplace_back();
        for (std::int64_t e = 0; e < x.shape[2]; ++e) {
            rows.back().push_back(x.at((example * x.shape[1] + t) * x.shape[2] + e));
        }
    }
    return rows;
}

/// One head takes features [first, first + size) of queries, keys and values.
std::vector<std::vector<double>> attended(const std::vector<std::vector<double>>& q,
                                          const std::vector<std::vector<double>>& k,
                                          const std::vector<std::vector<double>>& v,
                                          std::size_t heads, bool causal) {
    const std::size_t size = q[0].size() / heads;
    std::vector<std::vector<double>> o(q.size(), std::vector<double>(q[0].size(), 0));
    for (std::size_t t = 0; t < q.size(); ++t) {
        for (std::size_t first = 0; first < q[0].size(); first += size) {
            const std::size_t seen = causal ? t + 1 : k.size();
            std::vector<double> weights;
            double sum = 0;
            for (std::size_t s = 0; s < seen; ++s) {
                double product = 0;
                for (std::size_t e = first; e < first + size; ++e) {
                    product += q[t][e] * k[s][e];
                }
                weights.push_back(std::exp(product / std::sqrt(static_cast<double>(size))));
                sum += weights.back();
            }
            for (std::size_t s = 0; s < seen; ++s) {
                for (std::size_t e = first; e < first + size; ++e) {
                    o[t][e] += weights[s] / sum * v[s][e];
                }
            }
        }
    }
    return o;
}

double distanceFromWrittenOut(LayerRun& run, const Tensor& x, const Tensor& context,
                              std::size_t heads, bool causal) {
    const Tensor y = run.output();
    double largest = 0;
    for (std::int64_t b = 0; b < x.shape[0]; ++b) {
        const auto project = [&](const char* name, const Tensor& from) {
            const std::string which(name);
            return projected(rowsOf(from, b), run.held(which + "_proj_weight"),
                             run.held(which + "_proj_bias"));
        };
        const auto o =
            attended(project("q", x), project("k", context), project("v", context), heads, causal);
        const auto expected = projected(o, run.held("out_proj.weight"), run.held("out_proj.bias"));
        const auto found = rowsOf(y, b);
        for (std::size_t t = 0; t < expected.size(); ++t) {
            for (std::size_t e = 0; e < expected[t].size(); ++e) {
                largest = std::max(largest, std::abs(found[t][e] - expected[t][e]));
            }
        }
    }
    return largest;
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void looksAtEveryPosition() {
        const Tensor x = drawn({2, 5, 6}, "x");
        LayerRun run("attention", {{"heads", std::int64_t{3}}}, {x});
        QVERIFY(distanceFromWrittenOut(run, x, x, 3, false) < 1e-12);
    }

    void looksBackAloneWhenCausal() {
        const Tensor x = drawn({2, 5, 6}, "x");
        LayerRun run("attention", {{"heads", std::int64_t{2}}, {"causal", true}}, {x});
        QVERIFY(distanceFromWrittenOut(run, x, x, 2, true) < 1e-12);
    }

    void looksAtAContextOfOtherFeatures() {
        const Tensor x = drawn({2, 3, 4}, "x");
        const Tensor context = drawn({2, 5, 6}, "context");
        LayerRun run("attention", {{"heads", std::int64_t{2}}}, {x, context});
        QVERIFY(distanceFromWrittenOut(run, x, context, 2, false) < 1e-12);
        QVERIFY(run.slot("k_proj_weight").storedAs.empty());
        QCOMPARE(QString::fromStdString(run.slot("k_proj_bias").storedAs),
                 QString("it.in_proj_bias"));
    }

    void splitsByHeadsUnderModelStack() {
        const LayerRun run("attention", {{"heads", std::int64_t{3}}}, {drawn({2, 5, 6}, "x")});
        std::vector<std::string> letters;
        for (const Node& node : run.graph().nodes) {
            if (!node.letters.empty()) {
                letters.push_back(node.letters.front().letter +
                                  std::to_string(node.letters.front().grain));
            }
        }
        const std::vector<std::string> projection = {"o2", "o2", "h1"};
        std::vector<std::string> expected;
        for (int k = 0; k < 3; ++k) {
            expected.insert(expected.end(), projection.begin(), projection.end());
        }
        expected.insert(expected.end(), {"h1", "h1", "i2", "1"});
        QCOMPARE(letters, expected);
    }
};

std::unique_ptr<QObject> makeTestAttention() { return std::make_unique<TestAttention>(); }

#include "tst_attention.moc"
