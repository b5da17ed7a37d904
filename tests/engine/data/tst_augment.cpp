// SPDX-License-Identifier: Apache-2.0
#include "data/augment.h"
#include "data/films/frame_augmentation.h"
#include "data/open.h"
#include "engine/data/made_source.h"
#include "engine/data/raises.h"

#include <QTest>
#include <algorithm>
#include <memory>
#include <set>

namespace weft {

using test::errorOf;
using test::fieldOf;
using test::MadeSource;
using Floats = std::vector<float>;

class TestAugment : public QObject {
    Q_OBJECT

    const SourceKind kind_{
        .name = "made", .title = {}, .help = {}, .attributes = augmentationAttributes()};

    [[nodiscard]] Data made(const Shape& shape, Attributes attributes) const {
        attributes = completed(std::move(attributes), kind_.attributes);
        const DataFolders folders;
        Data data;
        data.training = std::make_shared<MadeSource>(40, shape);
        data.test = data.training;
        return augmented(std::move(data), {0},
                         {.kind = kind_, .attributes = attributes, .folders = folders});
    }
    static Floats seenIn(const Source& source, std::int64_t epoch, std::int64_t example) {
        Floats x(static_cast<std::size_t>(elementsOf(source.fields()[0].shape)));
        source.readIn(epoch, {&example, 1}, 0, std::as_writable_bytes(std::span(x)));
        return x;
    }

private Q_SLOTS:
    void leavesExamplesAloneUnlessAsked() {
        const Data data = made({1, 2, 2}, {});
        QCOMPARE(data.training, data.test);
    }

    /// Every view is a shift, then a flip, of the whole picture; zeros come from outside.
    void showsShiftsAndFlipsOfThePicture() {
        const Data data =
            made({2, 3, 2}, {{"jitter", std::int64_t{1}}, {"flip", std::string("both")}});
        std::set<Floats> views;
        for (std::int64_t epoch = 0; epoch < 40; ++epoch) {
            views.insert(seenIn(*data.training, epoch, 4));
        }
        std::set<Floats> possible;
        const Floats picture = fieldOf<float>(*data.training, "x", {4});
        for (int turn = 0; turn < 36; ++turn) {
            const int down = turn % 3 - 1;
            const int right = turn / 3 % 3 - 1;
            Floats view(12);
            for (int at = 0; at < 12; ++at) {
                const int row = at / 2 % 3;
                const int column = at % 2;
                const int fromRow = (turn / 9 % 2 == 0 ? row : 2 - row) + down;
                const int fromColumn = (turn / 18 == 0 ? column : 1 - column) + right;
                const bool isInside =
                    fromRow >= 0 && fromRow < 3 && fromColumn >= 0 && fromColumn < 2;
                view[static_cast<std::size_t>(at)] =
                    isInside
                        ? picture[static_cast<std::size_t>(at / 6 * 6 + fromRow * 2 + fromColumn)]
                        : 0;
            }
            possible.insert(view);
        }
        QVERIFY(views.size() > 12);
        QVERIFY(std::ranges::includes(possible, views));
    }

    void drawsTheSameAgainAndOnlyForTraining() {
        const Attributes asked{{"jitter", std::int64_t{1}}, {"flip", std::string("horizontal")}};
        const Data data = made({1, 3, 3}, asked);
        const Data again = made({1, 3, 3}, asked);
        std::set<Floats> views;
        for (std::int64_t epoch = 0; epoch < 5; ++epoch) {
            for (std::int64_t example = 0; example < 5; ++example) {
                QCOMPARE(seenIn(*data.training, epoch, example),
                         seenIn(*again.training, epoch, example));
                QCOMPARE(seenIn(*data.test, epoch, example),
                         fieldOf<float>(*data.test, "x", {example}));
            }
            views.insert(seenIn(*data.training, epoch, 0));
        }
        QVERIFY(views.size() > 1);
        QCOMPARE(fieldOf<float>(*data.training, "x", {3}), fieldOf<float>(*data.test, "x", {3}));
    }

    void refusesWhatIsNoPicture() {
        const auto error = errorOf([&] { (void)made({4}, {{"flip", std::string("horizontal")}}); });
        QVERIFY(error && error->code() == ErrorCode::design);
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestAugment() { return std::make_unique<weft::TestAugment>(); }
#include "tst_augment.moc"
