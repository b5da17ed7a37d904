// SPDX-License-Identifier: Apache-2.0
// Words and conditions find the layers that are meant, and no others.
#include "canvas/scene/find_layers.h"
#include "support/test_main.h"
#include <weft/edits.h>

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestFindLayers : public QObject {
    Q_OBJECT

    Network network_;
    DisplayList list_;
    const std::vector<LayerKindInfo> kinds_ = catalogue();

    void add(const char* name, const char* kind, Attributes attributes, const char* shape = "") {
        Layer layer{.id = LayerId{static_cast<std::uint32_t>(network_.layers.size() + 1)},
                    .name = name,
                    .kind = kind};
        layer.attributes = std::move(attributes);
        NodeView node;
        node.id = layer.id;
        node.name = QString::fromLatin1(name);
        node.kind = QString::fromLatin1(kind);
        node.shape = QString::fromUtf8(shape);
        network_.layers.push_back(std::move(layer));
        list_.nodes.push_back(node);
    }

    [[nodiscard]] QStringList found(const char* query) const {
        QStringList names;
        for (const SearchRow& row :
             findLayers(QString::fromLatin1(query), list_, network_, kinds_, tokens().dark)) {
            names << row.text;
        }
        return names;
    }

private Q_SLOTS:
    void initTestCase() {
        add("stem", "conv2d", {{"filters", std::int64_t{32}}, {"padding", std::string("same")}},
            "32×28×28");
        add("wide", "conv2d",
            {{"filters", std::int64_t{256}}, {"kernel", std::vector<std::int64_t>{3, 3}}});
        add("wider", "conv2d",
            {{"filters", std::int64_t{512}}, {"kernel", std::vector<std::int64_t>{1, 3}}});
        add("fc6", "dense", {{"units", std::int64_t{4096}}});
        add("drop", "dropout", {});
        ProblemView mark;
        mark.text = QStringLiteral("has no input");
        list_.nodes.back().marks.push_back(mark);
    }

    void finds_data() {
        QTest::addColumn<QStringList>("names");
        const auto row = [](const char* query, const QStringList& names) {
            QTest::newRow(query) << names;
        };
        row("", {"stem", "wide", "wider", "fc6", "drop"});
        row("fc", {"fc6"});
        row("conv2d", {"stem", "wide", "wider"});
        row("28x28", {"stem"});
        row("no input", {"drop"});
        row("conv2d filters>64", {"wide", "wider"});
        row("filters>=256 filters<512", {"wide"});
        row("wide filters=512", {"wider"});
        row("kernel=3", {"stem", "wide"}); // a stem has its kind's
        row("padding=SAME", {"stem"});
        row("Units!=10", {"fc6"});
        row("filters>many", {});
        row("nothing=1", {});
        row("filters>", {});
    }

    void finds() {
        QFETCH(QStringList, names);
        QCOMPARE(found(QTest::currentDataTag()), names);
    }

    void whatIsNotWrittenIsWhatTheKindSays() {
        const LayerKindInfo* kind = findKind(kinds_, "dropout");
        const auto rate = std::ranges::find(kind->attributes, "rate", &AttributeSpec::name);
        QVERIFY(std::get<double>(rate->defaultValue) < 0.9);
        QCOMPARE(found("rate<0.9"), QStringList{"drop"});
        QCOMPARE(found("rate>0.9"), QStringList());
    }
};

std::unique_ptr<QObject> makeTestFindLayers() { return std::make_unique<TestFindLayers>(); }
#include "tst_find_layers.moc"
