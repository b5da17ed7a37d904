// SPDX-License-Identifier: Apache-2.0
// Every layer kind of the catalogue, with every sample in every mode, lowered alone: the ops it
// names exist and take its values, what its face promises is what comes out.

#include "contract/layers/lowered_alone.h"
#include "support/test_main.h"
#include "transform/differentiate.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace weft;
using namespace weft::test;

Q_DECLARE_METATYPE(const LayerKind*)

namespace {

const char* const modeNames[] = {"train", "evaluate", "infer"};

} // namespace

class TestLayers : public QObject {
    Q_OBJECT

private:
    const Lowerings lowerings_;

    void addKinds() const {
        QTest::addColumn<const LayerKind*>("kind");
        for (const LayerKind* kind : lowerings_.layers().all()) {
            QTest::newRow(kind->info.kind.c_str()) << kind;
        }
    }

    void addSamples() const {
        QTest::addColumn<const LayerKind*>("kind");
        QTest::addColumn<int>("sample");
        QTest::addColumn<int>("mode");
        for (const LayerKind* kind : lowerings_.layers().all()) {
            for (std::size_t sample = 0; sample < kind->samples.size(); ++sample) {
                for (int mode = 0; mode < 3; ++mode) {
                    QTest::addRow("%s %zu %s", kind->info.kind.c_str(), sample, modeNames[mode])
                        << kind << static_cast<int>(sample) << mode;
                }
            }
        }
    }

    [[nodiscard]] Alone lowerRow() const {
        QFETCH(const LayerKind*, kind);
        QFETCH(int, sample);
        QFETCH(int, mode);
        return lowerings_.lower(*kind, kind->samples[static_cast<std::size_t>(sample)],
                                static_cast<Mode>(mode));
    }

    /// The sample of the kind with these attributes and inputs, in training.
    [[nodiscard]] Alone lowerOf(const char* kind, std::vector<Shape> inputs,
                                Attributes attributes) const {
        return lowerings_.lower(*lowerings_.layers().find(kind),
                                {.inputs = std::move(inputs), .attributes = std::move(attributes)},
                                Mode::train);
    }

private Q_SLOTS:
    void explainsItself_data() { addKinds(); }
    void explainsItself() {
        QFETCH(const LayerKind*, kind);
        const LayerKindInfo& info = kind->info;
        QVERIFY(!info.title.empty());
        QVERIFY(!info.category.empty());
        QVERIFY2(info.help.size() > 40 && info.help.ends_with("."), info.help.c_str());
        QVERIFY(!info.outputs.empty());
        QVERIFY(!kind->samples.empty());
        for (const auto* ports : {&info.inputs, &info.outputs}) {
            for (const PortInfo& port : *ports) {
                QVERIFY2(!port.help.empty(), port.name.c_str());
            }
        }
        for (const ParameterInfo& parameter : info.parameters) {
            QVERIFY2(!parameter.help.empty(), parameter.name.c_str());
        }
    }

    void explainsItsAttributes_data() { addKinds(); }
    void explainsItsAttributes() {
        QFETCH(const LayerKind*, kind);
        std::set<std::string> names;
        for (const AttributeSpec& spec : kind->info.attributes) {
            QVERIFY2(names.insert(spec.name).second, spec.name.c_str());
            QVERIFY2(!spec.help.empty() && spec.help.ends_with("."), spec.name.c_str());
            if (!spec.choices.empty()) {
                QCOMPARE(typeOf(spec.defaultValue), AttributeType::text);
                const auto& chosen = std::get<std::string>(spec.defaultValue);
                QVERIFY2(std::ranges::find(spec.choices, chosen) != spec.choices.end(),
                         spec.name.c_str());
            }
        }
    }

    void hasSamplesOfItsOwnPortsAndAttributes_data() { addKinds(); }
    void hasSamplesOfItsOwnPortsAndAttributes() {
        QFETCH(const LayerKind*, kind);
        const std::vector<PortInfo>& ports = kind->info.inputs;
        for (const LayerSample& sample : kind->samples) {
            QVERIFY(sample.dtypes.empty() || sample.dtypes.size() == sample.inputs.size());
            QVERIFY(sample.inputs.size() <= ports.size() || ports.front().variadic);
            for (const auto& [name, value] : sample.attributes.entries()) {
                const auto spec =
                    std::ranges::find(kind->info.attributes, name, &AttributeSpec::name);
                QVERIFY2(spec != kind->info.attributes.end(), name.c_str());
            }
        }
    }

    void lowersToOpsThatFit_data() { addSamples(); }
    void lowersToOpsThatFit() {
        const Alone alone = lowerRow();
        QVERIFY2(alone.refusals.empty(),
                 alone.refusals.empty() ? "" : alone.refusals.front().c_str());
        verify(alone.graph);
        QVERIFY(!print(alone.graph).empty());
    }

    /// If a port declared another type than its ops take, a kernel would read past the end of a
    /// buffer.
    void takesTheTypesThatItsPortsDeclare_data() { addKinds(); }
    void takesTheTypesThatItsPortsDeclare() {
        QFETCH(const LayerKind*, kind);
        const std::vector<PortInfo>& ports = kind->info.inputs;
        for (LayerSample sample : kind->samples) {
            sample.dtypes.resize(sample.inputs.size(), DType::f32);
            for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
                const PortInfo& port = ports[std::min(k, ports.size() - 1)];
                LayerSample other = sample;
                other.dtypes[k] = port.type == PortType::whole ? DType::f32 : DType::i64;
                if (port.variadic) {
                    std::ranges::fill(other.dtypes, DType::i64);
                }
                const bool isTaken = lowerings_.lower(*kind, other, Mode::train).refusals.empty();
                QVERIFY2(isTaken == (port.type == PortType::any), port.name.c_str());
            }
        }
    }

    void setsItsOutputs_data() { addSamples(); }
    void setsItsOutputs() {
        const Alone alone = lowerRow();
        QFETCH(const LayerKind*, kind);
        QFETCH(int, sample);
        const auto& attributes = kind->samples[static_cast<std::size_t>(sample)].attributes;
        const std::vector<std::string> names = outputPorts(kind->info, attributes);
        QCOMPARE(alone.outputs.size(), names.size());
        for (std::size_t k = 0; k < names.size(); ++k) {
            QCOMPARE(alone.outputs[k].first, names[k]);
        }
    }

    void hasTheParametersItNames_data() { addSamples(); }
    void hasTheParametersItNames() {
        const Alone alone = lowerRow();
        QFETCH(const LayerKind*, kind);
        for (const Slot& slot : slotsOf(alone.graph)) {
            QVERIFY2(slot.name.starts_with("it."), slot.name.c_str());
            const std::string stored = slot.storedAs.empty() ? slot.name : slot.storedAs;
            const auto& names =
                slot.kind == SlotKind::layerState ? kind->info.states : kind->info.parameters;
            const std::string name = stored.substr(3, stored.find('/') - 3);
            const auto named = std::ranges::find(names, name, &ParameterInfo::name);
            QVERIFY2(named != names.end(), stored.c_str());
            QVERIFY(slot.next.isNone() || slot.kind != SlotKind::parameter);
        }
    }

    void writesSlotsOnlyInTraining_data() { addSamples(); }
    void writesSlotsOnlyInTraining() {
        const Alone alone = lowerRow();
        QFETCH(int, mode);
        const bool writes = std::ranges::any_of(slotsOf(alone.graph), [](const Slot& slot) {
            return !slot.next.isNone() && slot.kind != SlotKind::layerState;
        });
        QVERIFY(!writes || static_cast<Mode>(mode) == Mode::train);
    }

    void trainsEveryParameter_data() { addSamples(); }
    void trainsEveryParameter() {
        Alone alone = lowerRow();
        QFETCH(int, mode);
        if (static_cast<Mode>(mode) == Mode::train && !alone.loss.isNone()) {
            differentiate(alone.graph, lowerings_.ops(), alone.loss);
            verify(alone.graph);
        } else {
            QVERIFY(alone.refusals.empty());
            return;
        }
        for (const Slot& slot : slotsOf(alone.graph)) {
            if (slot.kind == SlotKind::parameter) {
                const auto given =
                    std::ranges::find_if(alone.graph.updates, [&](const LayerUpdate& update) {
                        return alone.graph.at(update.slot).name == slot.name;
                    });
                const ValueId gradient = given != alone.graph.updates.end()
                                             ? given->sum
                                             : alone.graph.gradientOf(slot.value);
                QVERIFY2(!gradient.isNone(), slot.name.c_str());
                QCOMPARE(toString(alone.graph.at(gradient).shape), toString(slot.shape));
            }
        }
    }

    void keepsFrozenParameters_data() { addKinds(); }
    void keepsFrozenParameters() {
        QFETCH(const LayerKind*, kind);
        LayerSample sample = kind->samples.front();
        const auto spec =
            std::ranges::find(kind->info.attributes, std::string("frozen"), &AttributeSpec::name);
        QCOMPARE(spec != kind->info.attributes.end(), !kind->info.parameters.empty());
        if (spec == kind->info.attributes.end()) {
            return;
        }
        sample.attributes.set("frozen", true);
        Alone alone = lowerings_.lower(*kind, sample, Mode::train);
        differentiate(alone.graph, lowerings_.ops(), alone.loss);
        QVERIFY(alone.graph.gradients.empty());
    }

    void hasTheLogicalShapesOfPyTorch_data() {
        using List = std::vector<std::int64_t>;
        QTest::addColumn<QString>("kind");
        QTest::addColumn<std::vector<Shape>>("inputs");
        QTest::addColumn<Attributes>("attributes");
        QTest::addColumn<QString>("shapes");
        const auto row = [](const char* kind, const std::vector<Shape>& inputs,
                            const Attributes& attributes, const char* shapes) {
            QTest::newRow(kind) << QString(kind) << inputs << attributes << QString(shapes);
        };
        row("dense", {{3, 5}}, {{"units", std::int64_t{7}}}, "it.weight[7, 5] it.bias[7]");
        row("conv2d", {{3, 6, 8, 8}},
            {{"filters", std::int64_t{4}}, {"groups", std::int64_t{2}}, {"kernel", List{3, 2}}},
            "it.weight[4, 3, 3, 2] it.bias[4]");
        QTest::newRow("conv2d with sets")
            << QString("conv2d") << std::vector<Shape>{{3, 6, 8, 7}}
            << Attributes{{"filters", std::int64_t{4}},
                          {"kernel", List{3, 2}},
                          {"per_element", true},
                          {"per_position", true}}
            << QString("it.weight[3, 6, 6, 4, 6, 3, 2] it.bias[3, 6, 6, 4]");
        QTest::newRow("dense with sets")
            << QString("dense") << std::vector<Shape>{{3, 9, 5}}
            << Attributes{{"units", std::int64_t{7}}, {"per_position", true}}
            << QString("it.weight[9, 7, 5] it.bias[9, 7]");
        row("batch_norm", {{3, 6, 8, 8}}, {},
            "it.weight[6] it.bias[6] it.running_mean[6] it.running_var[6]");
        row("layer_norm", {{3, 6, 8}}, {}, "it.weight[8] it.bias[8]");
        row("embedding", {{3, 6}}, {{"rows", std::int64_t{9}}, {"features", std::int64_t{5}}},
            "it.weight[9, 5]");
        row("position_embedding", {{3, 6, 5}}, {{"length", std::int64_t{8}}}, "it.weight[8, 5]");
        row("attention", {{3, 6, 8}}, {{"heads", std::int64_t{2}}},
            "it.q_proj_weight[8, 8] it.q_proj_bias[8] it.k_proj_weight[8, 8] it.k_proj_bias[8] "
            "it.v_proj_weight[8, 8] it.v_proj_bias[8] it.out_proj.weight[8, 8] "
            "it.out_proj.bias[8]");
    }
    void hasTheLogicalShapesOfPyTorch() {
        QFETCH(QString, kind);
        QFETCH(std::vector<Shape>, inputs);
        QFETCH(Attributes, attributes);
        QFETCH(QString, shapes);
        const Alone alone = lowerOf(kind.toUtf8().constData(), inputs, attributes);
        QCOMPARE(QString::fromStdString(slotShapes(alone.graph)), shapes);
    }

    void sharesWeightsByName() {
        Graph graph;
        Builder builder(graph, lowerings_.ops());
        const LayerKind& dense = *lowerings_.layers().find("dense");
        const ValueId x = builder.addFeed("x", FeedKind::data, DType::f32, {3, 5});
        const auto lowerNamed = [&](const char* name, const char* share, std::int64_t units) {
            Lowering lowering(
                builder, {.origin = {},
                          .name = name,
                          .attributes = completed({{"units", units}, {"share", std::string(share)}},
                                                  dense.info.attributes),
                          .inputs = {{"x", x}}});
            dense.lower(lowering);
            return lowering.refusals().size();
        };
        QCOMPARE(lowerNamed("a", "", 5), std::size_t{0});
        QCOMPARE(lowerNamed("b", "a", 5), std::size_t{0});
        QCOMPARE(QString::fromStdString(slotShapes(graph)), QString("a.weight[5, 5] a.bias[5]"));
        QVERIFY(lowerNamed("c", "a", 6) > 0);
    }

    /// Sets of three elements and of three times are of one shape.
    void sharesNoSetsOfElementsAsOthers() {
        Graph graph;
        Builder builder(graph, lowerings_.ops());
        const LayerKind& dense = *lowerings_.layers().find("dense");
        const ValueId x = builder.addFeed("x", FeedKind::data, DType::f32, {3, 3, 5});
        const auto lowerNamed = [&](const char* name, const char* share, const char* sets) {
            Lowering lowering(builder, {.origin = {},
                                        .name = name,
                                        .attributes = completed({{"units", std::int64_t{4}},
                                                                 {sets, true},
                                                                 {"share", std::string(share)}},
                                                                dense.info.attributes),
                                        .inputs = {{"x", x}}});
            dense.lower(lowering);
            return lowering.refusals().size();
        };
        QCOMPARE(lowerNamed("a", "", "per_element"), std::size_t{0});
        QCOMPARE(lowerNamed("b", "a", "per_element"), std::size_t{0});
        QVERIFY(lowerNamed("c", "a", "per_position") > 0);
    }

    /// A state dict of PyTorch holds the three input projections one behind the other.
    void storesProjectionsAsPyTorchDoes() {
        const Alone alone = lowerOf("attention", {{3, 6, 8}}, {{"heads", std::int64_t{2}}});
        std::vector<std::int64_t> first;
        for (const Slot& slot : slotsOf(alone.graph)) {
            if (slot.storedAs == "it.in_proj_weight") {
                first.push_back(slot.storedFirst);
            }
        }
        QCOMPARE(first, (std::vector<std::int64_t>{0, 8, 16}));
    }

    void refusesWhatCannotFit_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<std::vector<Shape>>("inputs");
        QTest::addColumn<Attributes>("attributes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* kind, const std::vector<Shape>& inputs,
                            const Attributes& attributes, const char* says) {
            QTest::addRow("%s: %s", kind, says)
                << QString(kind) << inputs << attributes << QString(says);
        };
        row("dense", {{32, 256, 6, 6}}, {}, "dense expects [batch, features]");
        row("dense", {{32, 6}}, {{"per_position", true}}, "which has no time steps");
        row("dense", {{2, 5}}, {{"units", std::int64_t{3}}, {"first_sets", std::string("same")}},
            "first_sets has no effect on a single set");
        row("conv2d", {{2, 1, 8, 8}}, {{"first_sets", std::string("same")}},
            "first_sets has no effect on a single set");
        row("lca", {{2, 1, 8, 8}}, {{"rest_from", std::string("weights")}},
            "wire begins, or set start to rest");
        row("lca", {{2, 1, 8, 8}}, {{"first_sets", std::string("same")}},
            "first_sets has no effect on a single set");
        row("conv2d", {{2, 5, 2, 8}}, {{"per_position", true}}, "does not fit");
        row("conv2d", {{32, 6}}, {}, "conv2d expects [batch, channels, rows, columns]");
        row("conv2d", {{2, 5, 8, 8}}, {{"groups", std::int64_t{2}}}, "do not divide into 2 groups");
        row("conv2d", {{2, 5, 8, 8}}, {{"stride", std::int64_t{2}}, {"pad", std::string("same")}},
            "pad: same requires stride 1");
        row("conv2d", {{2, 5, 2, 8}}, {}, "does not fit");
        row("batch_norm", {{1, 6}}, {}, "use a larger batch");
        row("concat", {{2, 3}, {2, 4}}, {{"dim", std::int64_t{0}}}, "dim 0 is the batch");
        row("concat", {{2, 3, 5}, {2, 4, 6}}, {}, "all other dims must be equal");
        row("position_embedding", {{3, 6, 5}}, {{"length", std::int64_t{4}}},
            "set length to at least 6");
        row("attention", {{3, 6, 8}}, {{"heads", std::int64_t{3}}}, "do not divide into 3 heads");
        row("attention", {{3, 6, 8}, {3, 5, 8}}, {{"causal", true}, {"heads", std::int64_t{2}}},
            "switch causal off");
        row("softmax_cross_entropy", {{3, 6}, {4}}, {}, "one class index for each row of logits");
        row("add", {{2, 3}, {2, 4}}, {}, "expected equal shapes");
    }
    void refusesWhatCannotFit() {
        QFETCH(QString, kind);
        QFETCH(std::vector<Shape>, inputs);
        QFETCH(Attributes, attributes);
        QFETCH(QString, says);
        const Alone alone = lowerOf(kind.toUtf8().constData(), inputs, attributes);
        QCOMPARE(alone.refusals.size(), std::size_t{1});
        QVERIFY2(alone.refusals.front().find(says.toStdString()) != std::string::npos,
                 alone.refusals.front().c_str());
    }
};

std::unique_ptr<QObject> makeTestLayers() { return std::make_unique<TestLayers>(); }

#include "tst_layers.moc"
