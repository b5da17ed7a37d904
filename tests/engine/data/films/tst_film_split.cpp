// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_split.h"
#include "engine/data/raises.h"

#include <QTest>
#include <memory>

namespace weft {

using test::errorOf;
using Examples = std::vector<std::int64_t>;
using Parts = std::vector<FilmPart>;

class TestFilmSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void makesExamplesOfSuccessiveFramesOfOneFilm() {
        const FilmExamples examples({{0, 4}, {10, 3}}, 3);
        QCOMPARE(examples.size(), std::int64_t{3});
        QCOMPARE(examples.firstExamples(), (Examples{0, 2}));
        Examples frames;
        Examples films;
        for (std::int64_t example = 0; example < examples.size(); ++example) {
            frames.push_back(examples.at(example).frame);
            films.push_back(examples.at(example).film);
        }
        QCOMPARE(frames, (Examples{0, 1, 10}));
        QCOMPARE(films, (Examples{0, 0, 10}));
    }

    void holdsOutTheTailOfEachFilm() {
        const FilmSplit cut = splitFilms({10, 3, 20}, 2, 0.2, false);
        QCOMPARE(cut.training, (Parts{{0, 8}, {10, 3}, {13, 16}}));
        QCOMPARE(cut.validation, (Parts{{8, 2}, {29, 4}}));
    }

    void leavesAnExampleOnEitherSide() {
        QCOMPARE(splitFilms({6}, 3, 0.001, false).validation, (Parts{{3, 3}}));
        QCOMPARE(splitFilms({6}, 3, 0.999, false).training, (Parts{{0, 3}}));
    }

    void holdsOutWholeFilmsFromTheEnd() {
        const FilmSplit cut = splitFilms({10, 10, 5, 5}, 1, 0.3, true);
        QCOMPARE(cut.training, (Parts{{0, 10}, {10, 10}}));
        QCOMPARE(cut.validation, (Parts{{20, 5}, {25, 5}}));
        QCOMPARE(splitFilms({10, 10}, 1, 0.9, true).training, (Parts{{0, 10}}));
    }

    void holdsOutNothingUnasked() {
        QVERIFY(splitFilms({10, 10}, 1, 0, true).validation.empty());
        QCOMPARE(splitFilms({10, 10}, 1, 0, false).training.size(), std::size_t{2});
    }

    void refusesWhatCannotBeHeldOut() {
        for (const bool wholeFilms : {false, true}) {
            const auto error = errorOf([&] { (void)splitFilms({5}, 3, 0.2, wholeFilms); });
            QVERIFY(error && error->code() == ErrorCode::design && !error->remedy().empty());
        }
    }
};

} // namespace weft

std::unique_ptr<QObject> makeTestFilmSplit() { return std::make_unique<weft::TestFilmSplit>(); }
#include "tst_film_split.moc"
