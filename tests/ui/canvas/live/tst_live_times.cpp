// SPDX-License-Identifier: Apache-2.0
// Measured times by layer of what is looked at.
#include "canvas/live/live_times.h"
#include "support/test_main.h"
#include <weft/group_edits.h>

#include <QTest>

using namespace weft;
using namespace weft::ui;

class TestLiveTimes : public QObject {
    Q_OBJECT

    static Design design() {
        Design made;
        for (const char* name : {"conv1", "conv2"}) {
            addLayer(made, {}, {.name = name, .kind = "conv2d"});
        }
        return made;
    }
    static std::map<Origin, LayerTime> sums(const std::vector<std::string>& layers) {
        std::map<Origin, LayerTime> made;
        std::uint32_t number = 0;
        for (const std::string& layer : layers) {
            made[{LayerId{++number}, number}] = {.layer = layer, .forward = {2'000'000}};
        }
        return made;
    }

private Q_SLOTS:
    void aLayerIsFoundByItsIdWhateverItIsCalledNow() {
        const Design ran = design();
        Design shown = ran;
        const LayerId conv1 = ran.network.layers[0].id;
        renameLayer(shown, {}, conv1, "first");
        moveLayers(shown, {}, {conv1}, {10, 10});
        RunLayerMap sites(ran, shown, {});
        const auto times = sites.times(sums({"conv1", "conv2"}));
        QCOMPARE(times.at(conv1), (LiveTime{0.002, false}));
    }

    void whatChangedIsOfThePast() {
        const Design ran = design();
        Design shown = ran;
        const LayerId conv1 = ran.network.layers[0].id;
        setAttribute(shown, {}, conv1, "filters", std::int64_t{3});
        RunLayerMap sites(ran, shown, {});
        const auto times = sites.times(sums({"conv1", "conv2"}));
        QVERIFY(times.at(conv1).isPast);
        QVERIFY(!times.at(ran.network.layers[1].id).isPast);
    }

    void aGroupIsAllThatIsInIt() {
        Design ran = design();
        const std::vector<LayerId> both{ran.network.layers[0].id, ran.network.layers[1].id};
        const Edited grouped = makeGroup(ran, {}, both, "block");
        QVERIFY(grouped.isDone());
        const LayerId group = grouped.layer();
        const std::string name = findLayer(ran.network, group)->name;
        const auto measured = sums({name + "/conv1", name + "/conv2"});
        RunLayerMap outside(ran, ran, {});
        QCOMPARE(outside.times(measured).at(group).seconds, 0.004);
        const std::string definition = findLayer(ran.network, group)->group;
        RunLayerMap inside(ran, ran, {definition});
        QCOMPARE(inside.times(measured).size(), std::size_t{2});
        Design shown = ran;
        const LayerId conv1 =
            findLayer(networkAt(shown, {definition}), std::string_view("conv1"))->id;
        setAttribute(shown, {definition}, conv1, "filters", std::int64_t{3});
        RunLayerMap changed(ran, shown, {});
        QVERIFY(changed.times(measured).at(group).isPast);
    }

    void whatIsGoneOrNewHasNone() {
        const Design ran = design();
        Design shown = ran;
        removeLayers(shown, {}, {ran.network.layers[0].id});
        addLayer(shown, {}, {.name = "conv1", .kind = "dense"});
        RunLayerMap sites(ran, shown, {});
        const auto times = sites.times(sums({"conv1", "conv2"}));
        QCOMPARE(times.size(), std::size_t{1});
    }
};

std::unique_ptr<QObject> makeTestLiveTimes() { return std::make_unique<TestLiveTimes>(); }

#include "tst_live_times.moc"
