// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/choices.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::ui;

/// The choices depend on the extents of the chosen mesh, not on the layers' present placement.
class TestChoices : public QObject {
    Q_OBJECT

    static LayerPreview attention(const std::string& name, std::int64_t heads) {
        LayerPreview layer;
        layer.name = name;
        layer.devices = {"cpu:0"};
        layer.mesh = {1};
        layer.legal = {
            {.word = AxisWord::data},
            {.word = AxisWord::modelStack, .groups = heads},
            {.word = AxisWord::modelAdd, .reason = "the layer does not sum over input features"},
            {.word = AxisWord::replicate}};
        return layer;
    }

    static std::vector<std::string> devices(std::size_t count) {
        std::vector<std::string> names;
        for (std::size_t k = 0; k < count; ++k) {
            names.push_back("cpu:" + std::to_string(k));
        }
        return names;
    }

    static QString reasonAgainst(const ChoiceRequest& request, const QString& title) {
        const auto choices = choicesFor(request);
        const auto found = std::ranges::find(choices, title, &AssignmentChoice::title);
        return found == choices.end() ? "it is not offered" : found->reason;
    }

private Q_SLOTS:
    void groupsAreCountedAlongTheirAxis() {
        const LayerPreview layer = attention("attention", 2);
        QCOMPARE(reasonAgainst({{&layer}, devices(2), {2}}, "model.stack"), QString());
        QVERIFY(reasonAgainst({{&layer}, devices(4), {4}}, "model.stack")
                    .contains("2 groups cannot be spread over 4 devices"));
        QCOMPARE(reasonAgainst({{&layer}, devices(4), {2, 2}}, "stack × data"), QString());
        QCOMPARE(reasonAgainst({{&layer}, devices(8), {4, 2}}, "data × stack"), QString());
        QCOMPARE(reasonAgainst({{&layer}, devices(8), {2, 4}}, "data × stack"),
                 QString("it is not offered"));
    }

    void everyChoiceSaysWhatItMeans() {
        const LayerPreview layer = attention("attention", 8);
        for (const auto& mesh : meshShapes(4)) {
            QStringList meanings;
            for (const AssignmentChoice& choice : choicesFor({{&layer}, devices(4), mesh})) {
                QVERIFY2(!choice.meaning.isEmpty(), qPrintable(choice.title));
                meanings << choice.meaning;
            }
            QCOMPARE(meanings.removeDuplicates(), 0);
        }
    }

    void batchSaysWhatItHasOverData() {
        const LayerPreview layer = attention("attention", 8);
        const auto choices = choicesFor({{&layer}, devices(4), {4}});
        const auto batch = std::ranges::find(choices, QString("batch"), &AssignmentChoice::title);
        QVERIFY(batch != choices.end());
        const auto data = std::ranges::find(choices, QString("data"), &AssignmentChoice::title);
        QCOMPARE(batch->meaning, QString("batch split, gradients summed each sync"));
        QCOMPARE(data->meaning, QString("batch split, gradients summed each update"));
        // Told apart for somebody who knows neither.
        QVERIFY(data->help.contains("no state of an example after its step") &&
                data->help.contains("batch"));
        QVERIFY(batch->help.contains("keeps its state from step to step") &&
                batch->help.contains("data"));
    }

    void ofSeveralLayersTheOneThatRefusesIsNamed() {
        const LayerPreview many = attention("many", 8);
        const LayerPreview few = attention("few", 2);
        const QString reason = reasonAgainst({{&many, &few}, devices(4), {4}}, "model.stack");
        QVERIFY2(reason.startsWith("few: 2 groups"), qPrintable(reason));
        const auto choices = choicesFor({{&many, &few}, devices(4), {4}});
        const auto refused =
            std::ranges::find(choices, QString("model.stack"), &AssignmentChoice::title);
        QCOMPARE(refused->alternative, AxisWord::data); // model.add is none either
    }
};

std::unique_ptr<QObject> makeTestChoices() { return std::make_unique<TestChoices>(); }
#include "tst_choices.moc"
