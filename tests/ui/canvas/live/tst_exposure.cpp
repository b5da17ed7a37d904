// SPDX-License-Identifier: Apache-2.0
// The exposed share of a collective: found for each badge in the step's timeline, drawn as that
// share of its bar, and not drawn if unknown.
#include "runs/step_analysis.h"
#include "support/test_main.h"
#include "ui/canvas/canvas_fixture.h"

using namespace weft;
using namespace weft::ui;

class TestExposure : public QObject {
    Q_OBJECT

    struct Fixture : test::CanvasFixture {
        bool openWithBadges() {
            if (!openSample()) {
                return false;
            }
            document.edit("Assign", [&](Design& design) {
                return assign(design, {}, {named("fc1")},
                              Assignment{.words = {AxisWord::modelStack}});
            });
            return waitForCheck() && !view.list().badges.empty();
        }
        /// How many pixels of the bar beside a badge are ink.
        [[nodiscard]] int ink(const BadgeView& badge) {
            const QImage picture = view.grab().toImage();
            const QPoint corner = at(badge.at) + QPoint(24, 15);
            int count = 0;
            for (int x = 0; x < 74; ++x) {
                count += picture.pixelColor(corner + QPoint(x, 2)) == view.theme().accent.ink;
            }
            return count;
        }
    };

private Q_SLOTS:
    void everyBadgeIsNamedAsTheStepNamesIt() {
        Fixture fixture;
        QVERIFY(fixture.openWithBadges());
        const auto rows = collectivesOf(*fixture.check.answer()->withStep->step->timeline, {});
        for (const BadgeView& badge : fixture.view.list().badges) {
            const auto row = std::ranges::find(rows, badge.name, &CollectiveRow::where);
            QVERIFY2(badge.isFree || row != rows.end(), badge.name.c_str());
            QVERIFY(badge.isFree || row->kind == badge.kind.toStdString());
        }
    }

    void theShareIsInkAndTheUnknownIsNothing() {
        Fixture fixture;
        QVERIFY(fixture.openWithBadges());
        fixture.view.resize(1200, 900);
        const auto isShown = [](const BadgeView& badge) { return !badge.isFree; };
        const auto shown = std::ranges::find_if(fixture.view.list().badges, isShown);
        QVERIFY(shown != fixture.view.list().badges.end());
        const BadgeView& badge = *shown;
        fixture.view.camera().zoomTo(1, {});
        fixture.view.camera().centreOn(badge.at);
        QCOMPARE(fixture.ink(badge), 0);
        CanvasState::Exposure known{
            .kind = badge.kind.toStdString(), .share = 0.5, .seconds = 1e-3};
        fixture.view.setExposures({{badge.name, known}});
        QCOMPARE(fixture.ink(badge), 37);
        known.share = 1;
        fixture.view.setExposures({{badge.name, known}});
        QCOMPARE(fixture.ink(badge), 74);
        // Nothing is known of a collective of another kind.
        known.kind = "halo";
        fixture.view.setExposures({{badge.name, known}});
        QCOMPARE(fixture.ink(badge), 0);
    }
};

std::unique_ptr<QObject> makeTestExposure() { return std::make_unique<TestExposure>(); }

#include "tst_exposure.moc"
