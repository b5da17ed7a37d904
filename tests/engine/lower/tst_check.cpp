// SPDX-License-Identifier: Apache-2.0
#include "lower/check_settings.h"
#include "lower/expand.h"
#include "some_kinds.h"
#include "support/test_main.h"
#include <weft/edits.h>

#include <QTest>

using namespace weft;

namespace {

constexpr const char* input = "{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}}";

std::vector<Diagnostic> problemsOf(const std::string& text) {
    return expand(test::designOf(text), test::someKinds()).problems;
}

QString edits(const Diagnostic& problem) {
    QStringList list;
    for (const FixEdit& edit : problem.fix.edits) {
        QStringList words{QString::fromStdString(edit.verb)};
        for (const std::string& argument : edit.arguments) {
            words << QString::fromStdString(argument);
        }
        list << words.join(" ");
    }
    return list.join("; ");
}

void addSettingRows(const auto& row) {
    row("as usual", "'training': {}", "", "");
    row("rate of 0", "'training': {'learning_rate': 0}",
        "E064 training.learning_rate: learning_rate is 0.0; training needs a value above 0 to "
        "1e+38: "
        "set it "
        "back to 0.01",
        "training learning_rate null");
    row("epochs below 0", "'training': {'epochs': -1}",
        "E066 training.epochs: epochs is -1.0; training needs a value from 0 to 1000000000: set it "
        "to 0",
        "training epochs 0");
    row("steps below 0", "'training': {'steps': -5}",
        "E066 training.steps: steps is -5; training needs a value from 0 on: set it to 0",
        "training steps 0");
    row("any seed", "'training': {'seed': -9223372036854775807}", "", "");
    row("order mistyped", "'training': {'order': 'dataflo'}",
        "E063 training.order: order is \"dataflo\"; the choices of training are sequential, depth, "
        "dataflow: "
        "write dataflow",
        "training order dataflow");
    row("batch below 1", "'data': {'source': 'digits', 'batch': -1}",
        "E504 data.batch: batch is -1; data needs a value from 1 on: set it to 1", "data batch 1");
    row("all held out", "'data': {'source': 'digits', 'validation': 1}",
        "E505 data.validation: validation is 1.0; data needs a value from 0 to below 1: set it "
        "back "
        "to 0.0",
        "data validation null");
    row("last batch mistyped", "'data': {'source': 'digits', 'last_batch': 'drops'}",
        "E507 data.last_batch: last_batch is \"drops\"; the choices of data are keep, drop, wrap: "
        "write drop",
        "data last_batch drop");
}

void addKindRows(const auto& row) {
    row("optimizer mistyped", "'training': {'optimizer': 'adma'}",
        "E061 training.optimizer: there is no optimizer 'adma': write adam",
        "training optimizer adam");
    row("optimizer from nowhere", "'training': {'optimizer': 'lion'}",
        "E061 training.optimizer: there is no optimizer 'lion': choose one of sgd, adam, adamw, "
        "rmsprop",
        "");
    row("attribute of no optimizer",
        "'training': {'optimizer': {'kind': 'rmsprop', 'with': {'centered': true}}}",
        "E002 training.centered: optimizer rmsprop has no attribute centered: remove it; "
        "optimizer rmsprop has alpha, epsilon, momentum, weight_decay",
        "training optimizer.with.centered null");
    row("schedule mistyped", "'training': {'schedule': {'kind': 'cosin'}}",
        "E062 training.schedule: there is no schedule 'cosin': write cosine",
        "training schedule cosine");
    row("source from nowhere", "'data': {'source': 'imagenet'}",
        "E501 data.source: there is no source 'imagenet': choose one of idx, cifar, npy, npz, "
        "pictures, csv, text, "
        "frames, digits, random, solids, textures",
        "");
    row("momentum in words",
        "'training': {'optimizer': {'kind': 'sgd', 'with': {'momentum': 'high'}}}",
        "E003 training.momentum: momentum is \"high\"; optimizer sgd needs a number: set it "
        "back to 0.0",
        "training optimizer.with.momentum null");
    row("momentum as a list",
        "'training': {'optimizer': {'kind': 'sgd', 'with': {'momentum': [1, 2]}}}",
        "E003 training.momentum: momentum is [1, 2]; optimizer sgd needs a number: set it "
        "back to 0.0",
        "training optimizer.with.momentum null");
    row("momentum beyond 1",
        "'training': {'optimizer': {'kind': 'sgd', 'with': {'momentum': 1.5}}}",
        "E004 training.momentum: momentum is 1.5; optimizer sgd needs a value from 0 to below 1: "
        "set it back to 0.0",
        "training optimizer.with.momentum null");
    row("momentum mistyped",
        "'training': {'optimizer': {'kind': 'sgd', 'with': {'momentumm': 0.9}}}",
        "E002 training.momentumm: optimizer sgd has no attribute momentumm: write momentum",
        "training optimizer.with.momentum 0.9; training optimizer.with.momentumm null");
    row("attribute of another optimizer",
        "'training': {'optimizer': {'kind': 'adam', 'with': {'nesterov': true}}}",
        "E002 training.nesterov: optimizer adam has no attribute nesterov: remove it; optimizer "
        "adam has beta1, beta2, epsilon, weight_decay",
        "training optimizer.with.nesterov null");
    row("warm-up in words",
        "'training': {'schedule': {'kind': 'cosine', 'with': {'warmup_steps': 'five'}}}",
        "E003 training.warmup_steps: warmup_steps is \"five\"; schedule cosine needs a whole "
        "number: set it back to 0",
        "training schedule.with.warmup_steps null");
    row("warm-up mistyped",
        "'training': {'schedule': {'kind': 'cosine', 'with': {'warmup_step': 5}}}",
        "E002 training.warmup_step: schedule cosine has no attribute warmup_step: write "
        "warmup_steps",
        "training schedule.with.warmup_steps 5; training schedule.with.warmup_step null");
    row("attribute of a source", "'data': {'source': {'kind': 'digits', 'with': {'cont': 5}}}",
        "E002 data.cont: source digits has no attribute cont: write count",
        "data source.with.count 5; data source.with.cont null");
    row("file that has to be said", "'data': {'source': 'text'}",
        "E006 data.file: source text needs file: Text file, relative to the design: choose the "
        "file",
        "");
}

QString layer(const char* content) {
    return QString("'layers': [%1, {'name': 'l', %2}], 'wires': ['a.y -> l.x']")
        .arg(input, content);
}

void addAttributeRows() {
    QTest::newRow("kind mistyped")
        << layer("'kind': 'dens'") << "E001 l: there is no layer kind dens: write dense"
        << "kind l dense";
    QTest::newRow("kind by another name")
        << layer("'kind': 'linear'") << "E001 l: there is no layer kind linear: write dense"
        << "kind l dense";
    QTest::newRow("kind from nowhere")
        << layer("'kind': 'wormhole'")
        << "E001 l: there is no layer kind wormhole: use a kind that `weft layers` lists"
        << "";
    QTest::newRow("attribute mistyped")
        << layer("'kind': 'dense', 'with': {'units': 3, 'bais': true}")
        << "E002 l.bais: dense has no attribute bais: write bias"
        << "rename_attribute l bais bias";
    QTest::newRow("attribute of another kind")
        << layer("'kind': 'relu', 'with': {'kernel': 3}")
        << "E002 l.kernel: relu has no attribute kernel: remove it; relu has no attributes"
        << "reset l kernel";
    QTest::newRow("text for a number")
        << layer("'kind': 'dense', 'with': {'units': 'many'}")
        << "E003 l.units: units is \"many\"; dense needs a whole number: set units to 1"
        << "set l units 1";
    QTest::newRow("fraction for a whole number")
        << layer("'kind': 'dense', 'with': {'units': 2.5}")
        << "E003 l.units: units is 2.5; dense needs a whole number: set units to 1"
        << "set l units 1";
    QTest::newRow("three numbers for two")
        << layer("'kind': 'dense', 'with': {'units': 2, 'stride': [1, 2, 3]}")
        << "E003 l.stride: stride is [1, 2, 3]; dense needs 2 numbers: set it back to "
           "[1, 1]"
        << "reset l stride";
    QTest::newRow("below the range")
        << layer("'kind': 'dense', 'with': {'units': 0}")
        << "E004 l.units: units is 0; dense needs a value from 1 on: set it to 1"
        << "set l units 1";
    QTest::newRow("above the range")
        << layer("'kind': 'dense', 'with': {'units': 1, 'rate': 1.5}")
        << "E004 l.rate: rate is 1.5; dense needs a value from 0 to 1: set it to 1"
        << "set l rate 1";
    QTest::newRow("above what a shape is computed with")
        << layer("'kind': 'dense', 'with': {'units': 4611686018427387904}")
        << "E004 l.units: units is 4611686018427387904; dense needs a value from 1 to 2147483647"
           ": set units to 1"
        << "set l units 1";
    QTest::newRow("no such choice")
        << layer("'kind': 'dense', 'with': {'units': 1, 'pad': 'sane'}")
        << "E005 l.pad: pad is \"sane\"; the choices of dense are explicit, same: write same"
        << "set l pad same";
    QTest::newRow("required missing")
        << layer("'kind': 'dense'")
        << "E006 l.units: dense needs units: a whole number: set units to 1"
        << "set l units 1";
    QTest::newRow("of learning and frozen")
        << layer("'kind': 'dense', 'with': {'units': 1, 'decay': 0.5, 'frozen': true}")
        << "W072 l.decay: decay has no effect with frozen true: remove it, or set frozen to false"
        << "reset l decay";
}

void addWireRows() {
    QTest::newRow("output mistyped")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'relu'}], 'wires': ['a.z -> l.x']")
               .arg(input)
        << "E008 a.z: wire a.z -> l.x: input has no output z: write y"
        << "rename_port a.z output y";
    QTest::newRow("output beyond the elements of an attribute")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'split', 'with': {'sizes': [1, 2, 3]}}, "
                   "{'name': 'r', 'kind': 'add'}], 'wires': ['a.y -> l.x', 'l.y2 -> r.x0', "
                   "'l.y3 -> r.x1']")
               .arg(input)
        << "E008 l.y3: wire l.y3 -> r.x1: split has no output y3: write y0"
        << "rename_port l.y3 output y0";
    QTest::newRow("input mistyped")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'mask'}], 'wires': ['a.y -> l.x', "
                   "'a.y -> l.msk']")
               .arg(input)
        << "E008 l.msk: wire a.y -> l.msk: mask has no input msk: write mask"
        << "rename_port l.msk input mask";
    QTest::newRow("which input")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'loss'}], 'wires': ['a -> l', 'a.y -> "
                   "l.x', 'a.y -> l.target']")
               .arg(input)
        << "E008 l: wire a.y -> l does not name one of the inputs of loss: x, target: use "
           "one of: x, target"
        << "";
    QTest::newRow("input without wire")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'loss'}], 'wires': ['a.y -> l.x']")
               .arg(input)
        << "E009 l.target: no wire ends at input target: add an input layer for l.target"
        << "add_input l.target f32";
    QTest::newRow("input above and below")
        << QString("'layers': [{'name': 'd', 'kind': 'dense', 'with': {'units': 2}, 'at': [0, "
                   "300]}, {'name': 'b', 'kind': 'input', 'with': {'shape': [4]}, 'at': [0, 400]}, "
                   "{'name': 'a', 'kind': 'input', 'with': {'shape': [4]}, 'at': [0, 0]}, {'name': "
                   "'e', 'kind': 'relu', 'at': [0, 350]}, {'name': 's', 'kind': 'add'}], 'wires': "
                   "['d.y -> e.x', 'a.y -> s.x0', 'b.y -> s.x1', 'e.y -> s.x2']")
        << "E009 d.x: no wire ends at input x: connect a.y to d.x"
        << "connect a.y -> d.x";
    QTest::newRow("input with an output that fits")
        << QString("'layers': [%1, {'name': 'r', 'kind': 'relu'}, {'name': 'd', 'kind': 'dense', "
                   "'with': {'units': 2}}, {'name': 'e', 'kind': 'relu'}], 'wires': ['a.y -> r.x', "
                   "'d.y -> e.x']")
               .arg(input)
        << "E009 d.x: no wire ends at input x: connect r.y to d.x"
        << "connect r.y -> d.x";
    QTest::newRow("sum of nothing")
        << QString("'layers': [%1, {'name': 'r', 'kind': 'relu'}, {'name': 'l', 'kind': "
                   "'add'}], 'wires': ['a.y -> r.x', 'l.y -> l.x0']")
               .arg(input)
        << "E011 l: cycle: l -> l: remove the wire l.y -> l.x0"
        << "disconnect l.y -> l.x0";
    QTest::newRow("shares with nobody")
        << layer("'kind': 'dense', 'with': {'units': 1, 'share': 'fc'}")
        << "E014 l.share: the layer shares the weights of fc, which does not exist: give the layer "
           "its own weights"
        << "reset l share";
    QTest::newRow("shares with itself")
        << layer("'kind': 'dense', 'with': {'units': 1, 'share': 'l'}")
        << "E014 l.share: the layer shares the weights of l, which is the layer itself: give the "
           "layer its own weights"
        << "reset l share";
    QTest::newRow("shares what is shared")
        << QString("'layers': [%1, {'name': 'l', 'kind': 'dense', 'with': {'units': 4}}, "
                   "{'name': 'm', 'kind': 'dense', 'with': {'units': 4, 'share': 'l'}}, "
                   "{'name': 'n', 'kind': 'dense', 'with': {'units': 4, 'share': 'm'}}], "
                   "'wires': ['a.y -> l.x', 'l.y -> m.x', 'm.y -> n.x']")
               .arg(input)
        << "E014 n.share: the layer shares the weights of m, which shares those "
           "of l: give the layer its own weights"
        << "reset n share";
}

void addGroupRows() {
    QTest::newRow("expression")
        << layer("'kind': 'dense', 'with': {'units': {'as': '2*w', 'value': 3}}")
        << "E020 l.units: units = 2*w: there is no parameter 'w': write a number, or an "
           "expression of "
           "numbers and parameters of the group"
        << "";
    QTest::newRow("expression of what has to be said")
        << layer("'kind': 'dense', 'with': {'units': {'as': '2*w'}}")
        << "E020 l.units: units = 2*w: there is no parameter 'w': write a number, or an "
           "expression of numbers and parameters of the group"
        << "";
    QTest::newRow("group mistyped")
        << QString("'groups': [{'name': 'block', 'inputs': {'x': []}}], 'layers': [%1, "
                   "{'name': 'l', 'group': 'blok'}], 'wires': ['a.y -> l.x']")
               .arg(input)
        << "E021 l.group: there is no group blok: write block"
        << "group l block";
    QTest::newRow("repeat without a way through")
        << QString("'groups': [{'name': 'g', 'inputs': {'x': 'r.x'}, 'layers': [{'name': 'r', "
                   "'kind': 'relu'}]}],"
                   "'layers': [%1, {'name': 'l', 'group': 'g', 'repeat': 2}], 'wires': ['a.y "
                   "-> l.x']")
               .arg(input)
        << "E023 l.repeat: group g has 1 inputs and 0 outputs, so that a copy cannot feed the next "
           "one: "
           "set repeat to 1, "
           "or give the group one input for each output"
        << "repeat l 1";
    QTest::newRow("group output of nothing")
        << QString("'groups': [{'name': 'g', 'inputs': {'x': 'r.x'}, 'outputs': {'y': []}, "
                   "'layers': [{'name': 'r', 'kind': 'relu'}]}],"
                   "'layers': [%1, {'name': 'l', 'group': 'g'}], 'wires': ['a.y -> l.x']")
               .arg(input)
        << "E024 y: port y of group g maps to no output of a layer: choose the port "
           "of an inner layer that it maps to"
        << "";
    QTest::newRow("parameter mistyped")
        << QString("'groups': [{'name': 'g', 'parameters': {'width': 2}, 'inputs': {'x': "
                   "'r.x'}, 'layers': [{'name': 'r', 'kind': 'relu'}]}],"
                   "'layers': [%1, {'name': 'l', 'group': 'g', 'with': {'widht': 3}}], "
                   "'wires': ['a.y -> l.x']")
               .arg(input)
        << "E002 l.widht: group g has no attribute widht: write width"
        << "rename_attribute l widht width";
}

void addAssignmentRows() {
    QTest::newRow("device not declared")
        << layer("'kind': 'relu', 'assign': {'on': 'cuda:3'}")
        << "E030 l.assign: device cuda:3 is not declared in this design: declare it"
        << "declare cuda:3";
    QTest::newRow("device twice")
        << "'devices': ['cpu:0'], " + layer("'kind': 'relu', 'assign': {'on': ['cpu:0', 'cpu:0']}")
        << "E031 l.assign: device cpu:0 is named twice in the assignment: name each device once"
        << "";
    QTest::newRow("more words than axes")
        << "'devices': ['cpu:0', 'cpu:1'], " +
               layer("'kind': 'relu', 'assign': {'on': ['cpu:0', 'cpu:1'], "
                     "'axes': ['data', 'model.stack']}")
        << "E033 l.assign: the assignment has 2 words, but the mesh has one axis: use a mesh with "
           "one axis for each word, "
           "such as \"mesh\": [2, 2], "
           "or fewer words"
        << "";
    QTest::newRow("mesh too small")
        << "'devices': ['cpu:0', 'cpu:1', 'cpu:2'], " +
               layer(
                   "'kind': 'relu', 'assign': {'on': ['cpu:0', 'cpu:1', 'cpu:2'], 'mesh': [2, 1]}")
        << "E034 l.assign: a mesh of 2 x 1 does not match 3 devices: use extents whose "
           "product is the number of "
           "devices"
        << "";
    QTest::newRow("mesh of three axes")
        << layer("'kind': 'relu', 'assign': {'mesh': [1, 1, 1]}")
        << "E035 l.assign: the mesh has 3 axes; expected one or two: arrange the devices "
           "along one or two axes"
        << "";
    QTest::newRow("mesh beyond numbers")
        << "'devices': ['cpu:0'], " + layer("'kind': 'relu', 'assign': {'on': 'cpu:0', 'mesh': "
                                            "[9000000000000000000, 9000000000000000000]}")
        << "E034 l.assign: a mesh of 9000000000000000000 x 9000000000000000000 does not match 1 "
           "devices: use "
           "extents whose product is the number of devices"
        << "";
    QTest::newRow("device declared twice")
        << "'devices': ['cpu:0', 'cpu:0'], " + layer("'kind': 'relu'")
        << "E036 devices: device cpu:0 is declared twice: give each device a unique name"
        << "";
}

} // namespace

class TestCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsWrongAndWhatMendsIt_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("edit");
        addAttributeRows();
        addWireRows();
        addGroupRows();
        addAssignmentRows();
        QTest::newRow("feeds nobody")
            << "'data': {'feeds': {'b': 'images'}}, " + layer("'kind': 'relu'")
            << "E041 feeds: data.feeds names b, which is not an input layer: write a"
            << "rename_feed b a";
        QTest::newRow("feeds where nothing begins")
            << "'data': {'feeds': {'b': 'images'}}"
            << "E041 feeds: data.feeds names b, but the design has no input layer: add {\"name\": "
               "\"b\", "
               "\"kind\": \"input\"} to the layers, and connect it"
            << "";
        QTest::newRow("alone")
            << QString("'layers': [%1]").arg(input)
            << "W001 a: no wire begins or ends at this layer: remove the layer, or connect it"
            << "remove a";
    }
    void saysWhatIsWrongAndWhatMendsIt() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        QFETCH(QString, edit);
        const std::vector<Diagnostic> problems = problemsOf(text.toStdString());
        QStringList all;
        for (const Diagnostic& problem : problems) {
            all << QString::fromStdString(toString(problem));
        }
        QCOMPARE(all.join(" | "), says);
        QCOMPARE(edits(problems.front()), edit);
    }

    void wordsMayStandOnTheMeshOfTheInputs() {
        const std::vector<Diagnostic> problems = problemsOf(
            QString(
                "'devices': ['cpu:0', 'cpu:1', 'cpu:2', 'cpu:3'], 'assign': {'on': ['cpu:0', "
                "'cpu:1', 'cpu:2', 'cpu:3'], 'mesh': "
                "[2, 2]},"
                "'layers': [%1, {'name': 'l', 'kind': 'relu', 'assign': ['data', 'model.stack']}],"
                "'wires': ['a.y -> l.x']")
                .arg(input)
                .toStdString());
        QVERIFY(problems.empty());
    }

    void checksTheDefaultAssignment() {
        const std::vector<Diagnostic> problems = problemsOf(
            QString("'devices': ['cpu:0', 'cpu:1', 'cpu:2'], 'assign': {'mesh': [2, 2]},"
                    "'layers': [%1, {'name': 'l', 'kind': 'relu'}], 'wires': ['a.y -> l.x']")
                .arg(input)
                .toStdString());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].code, std::string("E034"));
    }

    void checksTheSettings_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("mends");
        const auto row = [](const char* name, const char* settings, const char* says,
                            const char* mends) {
            QTest::newRow(name) << QString(settings) << QString(says) << QString(mends);
        };
        addSettingRows(row);
        addKindRows(row);
    }
    void checksTheSettings() {
        QFETCH(QString, settings);
        QFETCH(QString, says);
        QFETCH(QString, mends);
        Design design =
            test::designOf(settings.toStdString() +
                           (settings.contains("source") ? "" : ", 'data': {'source': 'digits'}"));
        const std::vector<SettingInfo> known = weft::settings();
        QStringList said;
        QString mending;
        for (const Diagnostic& problem : checkSettings(design, known)) {
            said << QString::fromStdString(toString(problem));
            mending = edits(problem);
            if (!problem.fix.edits.empty()) {
                QVERIFY(applyFix(design, problem.fix).isDone());
            }
        }
        QCOMPARE(said.join(" | "), says);
        QCOMPARE(mending, mends);
        if (!mends.isEmpty()) {
            QVERIFY(checkSettings(design, known).empty());
        }
    }

    void checksTheSchemesOfWires() {
        const std::vector<Diagnostic> problems = problemsOf(
            QString("'layers': [%1, {'name': 'l', 'kind': 'relu'}], 'wires': [{'from': 'a.y', "
                    "'to': 'l.x', 'scheme': 'hole'}]")
                .arg(input)
                .toStdString());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(toString(problems[0])),
                 QString("E015 l.x: unknown scheme 'hole' of wire a.y -> l.x: write whole"));
        QCOMPARE(edits(problems[0]), QString("scheme l.x whole"));
    }

    void saysEverythingAtOnce() {
        const std::vector<Diagnostic> problems =
            problemsOf("'layers': [{'name': 'a', 'kind': 'imput'}, {'name': 'fc', 'kind': 'dense', "
                       "'with': {'units': 0, "
                       "'pad': 'x'}, 'assign': {'on': 'z'}}, {'name': 'l', 'kind': 'loss'}], "
                       "'wires': ['a.y -> fc.x', 'fc.y -> l.x']");
        QStringList codes;
        for (const Diagnostic& problem : problems) {
            codes << QString::fromStdString(problem.code);
        }
        codes.sort();
        QCOMPARE(codes.join(" "), QString("E001 E004 E005 E009 E030"));
    }

    void saysOnceWhatIsWrongInEveryCopy() {
        const std::vector<Diagnostic> problems = problemsOf(
            QString("'groups': [{'name': 'g', 'inputs': {'x': 'd.x'}, 'outputs': {'y': 'd.y'},"
                    "'layers': [{'name': 'd', 'kind': 'dense', 'with': {'units': 0}}]}],"
                    "'layers': [%1, {'name': 'l', 'group': 'g', 'repeat': 12}], 'wires': ['a.y -> "
                    "l.x']")
                .arg(input)
                .toStdString());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].layerName, std::string("l[1]/d"));
        QCOMPARE(problems[0].group, std::string("g"));
    }

    void namesThatCannotBeAreSaid() {
        Design design =
            test::designOf("'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': []}}, "
                           "{'name': 'b', 'kind': 'relu'}], 'wires': ['a.y -> b.x']");
        design.network.layers[0].name = "x/y";
        design.network.layers[1].name = "x/y";
        const std::vector<Diagnostic> problems = expand(design, test::someKinds()).problems;
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems[0].code, std::string("E007"));
        QCOMPARE(problems[1].code, std::string("E007"));
    }

    void aSecondWireIntoAPortIsSaid() {
        Design design =
            test::designOf("'layers': [{'name': 'a', 'kind': 'input', 'with': {'shape': []}}, "
                           "{'name': 'b', 'kind': 'relu'}], 'wires': ['a.y -> b.x']");
        design.network.wires.push_back(design.network.wires[0]);
        const std::vector<Diagnostic> problems = expand(design, test::someKinds()).problems;
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].code, std::string("E010"));
    }
};

std::unique_ptr<QObject> makeTestCheck() { return std::make_unique<TestCheck>(); }

#include "tst_check.moc"
