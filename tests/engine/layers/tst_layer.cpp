// SPDX-License-Identifier: Apache-2.0
// The effect of the attributes common to layers on their parameters.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"
#include <weft/catalogue.h>

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

Slot weightOf(const Attributes& attributes) {
    const LayerRun run("dense", attributes, {drawn({2, 4}, "x")});
    return run.slot("weight");
}

Slot biasOf(const Attributes& attributes) {
    const LayerRun run("dense", attributes, {drawn({2, 4}, "x")});
    return run.slot("bias");
}

} // namespace

class TestLayer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beginsAsPyTorchWithoutAWord() {
        const Initialiser weight = weightOf({}).initialiser;
        QVERIFY(weight == (Initialiser{"uniform", {{"low", -0.5}, {"high", 0.5}}}));
        QVERIFY(biasOf({}).initialiser == weight);
    }

    void beginsByBothFans() {
        const Initialiser weight =
            weightOf({{"init", std::string("xavier")}, {"units", std::int64_t{6}}}).initialiser;
        QVERIFY(weight == (Initialiser{"xavier",
                                       {{"fan_in", std::int64_t{4}},
                                        {"fan_out", std::int64_t{6}},
                                        {"distribution", std::string("uniform")},
                                        {"gain", 1.0}}}));
    }

    void beginsByTheFanInOfAWindow() {
        const LayerRun run("conv2d",
                           {{"init", std::string("he")},
                            {"init_distribution", std::string("normal")},
                            {"init_scale", 0.5},
                            {"filters", std::int64_t{5}},
                            {"kernel", std::int64_t{3}}},
                           {drawn({1, 2, 6, 6}, "x")});
        QVERIFY(run.slot("weight").initialiser ==
                (Initialiser{"he",
                             {{"fan_in", std::int64_t{18}},
                              {"fan_out", std::int64_t{45}},
                              {"distribution", std::string("normal")},
                              {"gain", 0.5}}}));
    }

    void beginsWithWhatOneSays() {
        QVERIFY(weightOf({{"init", std::string("normal")}, {"init_scale", 0.02}}).initialiser ==
                (Initialiser{"normal", {{"mean", 0.0}, {"deviation", 0.02}}}));
        QVERIFY(weightOf({{"init", std::string("constant")}, {"init_scale", 3.0}}).initialiser ==
                (Initialiser{"constant", {{"value", 3.0}}}));
        QVERIFY(biasOf({{"init", std::string("normal")}, {"init_bias", 1.0}}).initialiser ==
                (Initialiser{"constant", {{"value", 1.0}}}));
    }

    void tellsTheUpdateItsScales() {
        const Slot weight = weightOf(
            {{"frozen", true}, {"learning_rate_scale", 0.1}, {"decay_scale", std::int64_t{2}}});
        QVERIFY(weight.frozen);
        QCOMPARE(weight.learningRateScale, 0.1);
        QCOMPARE(weight.decayScale, 2.0);
    }

    void saysWhichParameterIsADictionary() {
        const std::vector<LayerKindInfo> kinds = catalogue();
        const ParameterInfo* atoms = dictionaryOf(*findKind(kinds, "lca"));
        QVERIFY(atoms != nullptr && atoms->name == "weight");
        QVERIFY(dictionaryOf(*findKind(kinds, "conv2d")) == nullptr);
    }
};

std::unique_ptr<QObject> makeTestLayer() { return std::make_unique<TestLayer>(); }

#include "tst_layer.moc"
