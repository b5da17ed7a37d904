// SPDX-License-Identifier: Apache-2.0
// Walks the list of optimizers: each one trains a small network, on one device and spread.
#include "base/check_attributes.h"
#include "place/place.h"
#include "support/small_network.h"

#include <QTest>
#include <memory>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

std::unique_ptr<SmallNetwork> trainedBy(const std::string& optimizer,
                                        const Attributes& attributes) {
    auto network = std::make_unique<SmallNetwork>();
    const ValueId x = network->input("x", {10, 6});
    const ValueId target = network->input("target", {10}, DType::i64);
    const ValueId hidden = network->op("tanh1", "tanh", {network->dense("fc1", x, 7)});
    TrainingSettings training;
    training.optimizer = optimizer;
    training.optimizerAttributes = attributes;
    network->train(network->loss("loss", network->dense("fc2", hidden, 5), target), training);
    return network;
}

/// The node that computes the next value of "fc1.weight".
const Node& updateOf(const SmallNetwork& network) {
    const Graph& graph = network.graph();
    const ValueId next = graph.at(graph.slotNamed("fc1.weight")).next;
    return graph.at(graph.at(next).producer);
}

std::set<std::string> statesOf(const SmallNetwork& network) {
    const std::string parameter = "fc1.weight/";
    std::set<std::string> names;
    const Graph& graph = network.graph();
    for (const Slot& slot : graph.slots) {
        if (slot.name.starts_with(parameter)) {
            names.insert(slot.name.substr(parameter.size()));
        }
    }
    return names;
}

} // namespace

class TestOptimizers : public QObject {
    Q_OBJECT

private:
    const OptimizerList optimizers_ = allOptimizers();

    void samples(const std::vector<std::string>& assignments) const {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("sample");
        QTest::addColumn<QString>("assignment");
        for (const Optimizer& optimizer : optimizers_.all()) {
            for (std::size_t k = 0; k < optimizer.samples.size(); ++k) {
                for (const std::string& assignment : assignments) {
                    const std::string& name = optimizer.info.name;
                    QTest::addRow("%s %d %s", name.c_str(), static_cast<int>(k + 1),
                                  assignment.c_str())
                        << QString::fromStdString(name) << static_cast<int>(k)
                        << QString::fromStdString(assignment);
                }
            }
        }
    }

    [[nodiscard]] std::unique_ptr<SmallNetwork> trained() const {
        const QString name = *static_cast<QString*>(QTest::qData("name", qMetaTypeId<QString>()));
        const int sample = *static_cast<int*>(QTest::qData("sample", qMetaTypeId<int>()));
        const Optimizer* optimizer = optimizers_.find(name.toStdString());
        return trainedBy(name.toStdString(), optimizer->samples[static_cast<std::size_t>(sample)]);
    }

private Q_SLOTS:
    void giveTheSameNumbersOnSeveralDevices_data() {
        samples({"data", "model.stack", "model.add"});
    }
    void giveTheSameNumbersOnSeveralDevices() {
        QFETCH(const QString, assignment);
        const auto network = trained();
        const PlacementResult placing =
            place(network->graph(), network->ops(),
                  network->request(3, {{"", "data"}, {"fc1", assignment.toStdString()}}));
        QVERIFY(placing.problems.empty());
        const double difference = differenceOf(*network, placing.plan);
        QVERIFY2(difference < 1e-9, qPrintable(QString::number(difference)));
    }

    void setEveryParameterAndEveryState_data() { samples({""}); }
    void setEveryParameterAndEveryState() {
        const auto network = trained();
        const Graph& graph = network->graph();
        int parameters = 0;
        for (const Slot& slot : graph.slots) {
            QVERIFY2(!slot.next.isNone(), slot.name.c_str());
            if (slot.kind == SlotKind::parameter) {
                ++parameters;
            } else {
                QCOMPARE(slot.kind, SlotKind::optimizerState);
                QCOMPARE(graph.at(slot.of).kind, SlotKind::parameter);
                QCOMPARE(slot.shape, graph.at(slot.of).shape);
            }
        }
        QCOMPARE(parameters, 4);
    }

    void declareHelpAndValidDefaults() {
        for (const Optimizer& optimizer : optimizers_.all()) {
            QVERIFY2(optimizer.info.help.ends_with('.'), optimizer.info.name.c_str());
            QVERIFY(!optimizer.samples.empty());
            std::vector<Attributes> given = optimizer.samples;
            given.push_back(completed({}, optimizer.info.attributes));
            for (const Attributes& attributes : given) {
                QStringList problems;
                (void)checkedAttributes(attributes, optimizer.info.attributes,
                                        {.name = optimizer.info.name},
                                        [&](const Diagnostic& problem) {
                                            problems << QString::fromStdString(problem.text);
                                        });
                QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
            }
            for (const AttributeSpec& spec : optimizer.info.attributes) {
                QVERIFY2(spec.help.ends_with('.'), spec.name.c_str());
            }
        }
    }

    /// Recorded runs and checkpoints depend on these ops and on these names of states.
    void lowerToOneFusedOp_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<bool>("hasMomentum");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QStringList>("states");
        QTest::newRow("sgd") << "sgd" << false << "sgd" << QStringList{};
        QTest::newRow("momentum") << "sgd" << true << "sgd_momentum" << QStringList{"momentum"};
        QTest::newRow("adam") << "adam" << false << "adam" << QStringList{"mean", "square"};
        QTest::newRow("adamw") << "adamw" << false << "adam" << QStringList{"mean", "square"};
        QTest::newRow("rmsprop") << "rmsprop" << false << "rmsprop" << QStringList{"square"};
        QTest::newRow("rmsprop with momentum")
            << "rmsprop" << true << "rmsprop_momentum" << QStringList{"momentum", "square"};
    }
    void lowerToOneFusedOp() {
        QFETCH(const QString, optimizer);
        QFETCH(const bool, hasMomentum);
        QFETCH(const QString, op);
        QFETCH(const QStringList, states);
        Attributes with = {{"weight_decay", 0.25}};
        if (hasMomentum) {
            with.set("momentum", 0.5);
        }
        const auto network = trainedBy(optimizer.toStdString(), with);
        const Node& update = updateOf(*network);
        QCOMPARE(QString::fromStdString(update.op->name), op);
        QCOMPARE(update.attributes.real("weight_decay"), 0.25);
        QCOMPARE(update.attributes.real("rate_scale"), 1.0);
        QCOMPARE(update.attributes.has("momentum"), hasMomentum);
        if (op == "adam") {
            QCOMPARE(update.attributes.boolean("decoupled"), optimizer == "adamw");
        }
        QStringList found;
        for (const std::string& name : statesOf(*network)) {
            found << QString::fromStdString(name);
        }
        QCOMPARE(found, states);
    }
};

std::unique_ptr<QObject> makeTestOptimizers() { return std::make_unique<TestOptimizers>(); }

#include "tst_optimizers.moc"
