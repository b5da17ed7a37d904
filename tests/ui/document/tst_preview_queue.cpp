// SPDX-License-Identifier: Apache-2.0
// Who is answered, when and with what: by work that the test holds in its hands, part by part.
#include "document/preview_queue.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QTest>
#include <mutex>
#include <semaphore>

using namespace weft;
using namespace weft::ui;

namespace {

constexpr int parts = 3;

/// Makes of a design with the batch 7 previews that send 70, 71 and 72 bytes.
class HeldWork {
public:
    std::counting_semaphore<64> further{0}; ///< one for each part

    std::shared_ptr<const Preview> make(const Design& design, const PreviewRequest& request) {
        {
            const std::scoped_lock lock(mutex_);
            begun_.push_back(design.data.batch);
        }
        std::shared_ptr<const Preview> made = std::make_shared<const Preview>();
        for (int part = 0; part < parts; ++part) {
            further.acquire();
            if (!request.isWanted()) {
                break;
            }
            if (design.data.batch == 13) {
                throw std::runtime_error("thirteen");
            }
            made =
                std::make_shared<const Preview>(Preview{.sent = {10 * design.data.batch + part}});
            request.deliver(made);
        }
        return made;
    }
    /// Batches, in the order in which they were begun.
    std::vector<std::int64_t> begun() {
        const std::scoped_lock lock(mutex_);
        return begun_;
    }

private:
    std::mutex mutex_;
    std::vector<std::int64_t> begun_;
};

} // namespace

class TestPreviewQueue : public QObject {
    Q_OBJECT

    using Numbers = std::vector<std::int64_t>;

    struct Scene {
        HeldWork work;
        PreviewQueue previewQueue{
            [this](const Design& design, PreviewCache&, const PreviewRequest& request) {
                return work.make(design, request);
            }};
        std::map<char, Numbers> heard; ///< bytes sent, by asker; a last one once more
        QString failure;

        ~Scene() { work.further.release(2 * parts); }
        void ask(char asker, std::int64_t batch,
                 PreviewQueue::Urgency urgency = PreviewQueue::Urgency::check) {
            Design design;
            design.data.batch = batch;
            previewQueue.ask(
                &heard[asker], urgency, design, {}, [this, asker](const PreviewAnswer& answer) {
                    failure += answer.failure;
                    heard[asker].push_back(answer.preview ? answer.preview->sent.count : -1);
                });
        }
    };

private Q_SLOTS:
    void partsComeInTheirOrder() {
        Scene scene;
        scene.ask('a', 7);
        scene.work.further.release(1);
        QTRY_COMPARE(scene.heard['a'], (Numbers{70}));
        scene.work.further.release(2);
        QTRY_COMPARE(scene.heard['a'], (Numbers{70, 71, 72, 72}));
    }

    void ofOneAskerTheNewestQuestionCountsAlone() {
        Scene scene;
        scene.ask('a', 1);
        QTRY_COMPARE(scene.work.begun(), (Numbers{1}));
        scene.ask('a', 2);
        scene.ask('a', 3);
        scene.work.further.release(1 + parts);
        QTRY_COMPARE(scene.heard['a'], (Numbers{30, 31, 32, 32}));
        QCOMPARE(scene.work.begun(), (Numbers{1, 3}));
    }

    void theMostUrgentComesFirst() {
        Scene scene;
        scene.ask('a', 1);
        QTRY_COMPARE(scene.work.begun(), (Numbers{1}));
        scene.ask('p', 2, PreviewQueue::Urgency::prediction);
        scene.ask('c', 3, PreviewQueue::Urgency::choice);
        scene.ask('b', 4);
        scene.work.further.release(4 * parts);
        QTRY_COMPARE(scene.heard['p'].size(), std::size_t{parts + 1});
        QCOMPARE(scene.work.begun(), (Numbers{1, 4, 3, 2}));
        QCOMPARE(scene.heard['a'].size(), std::size_t{parts + 1}); // as urgent: not interrupted
    }

    void whatIsInterruptedIsAnsweredLater() {
        Scene scene;
        scene.ask('p', 5, PreviewQueue::Urgency::prediction);
        scene.work.further.release(1);
        QTRY_COMPARE(scene.heard['p'], (Numbers{50}));
        scene.ask('a', 6);
        scene.work.further.release(1 + parts); // at the first it sees that it is to give way
        QTRY_COMPARE(scene.heard['a'], (Numbers{60, 61, 62, 62}));
        QCOMPARE(scene.heard['p'], (Numbers{50}));
        scene.work.further.release(parts);
        QTRY_COMPARE(scene.heard['p'], (Numbers{50, 50, 51, 52, 52}));
        QCOMPARE(scene.work.begun(), (Numbers{5, 6, 5}));
    }

    void whoIsForgottenHearsNothing() {
        Scene scene;
        scene.ask('a', 1);
        QTRY_COMPARE(scene.work.begun(), (Numbers{1}));
        scene.ask('b', 2);
        scene.previewQueue.forget(&scene.heard['a']);
        scene.previewQueue.forget(&scene.heard['b']);
        scene.ask('c', 3);
        scene.work.further.release(1 + parts);
        QTRY_COMPARE(scene.heard['c'].size(), std::size_t{parts + 1});
        QVERIFY(scene.heard['a'].empty() && scene.heard['b'].empty());
        QCOMPARE(scene.work.begun(), (Numbers{1, 3}));
    }

    void whatFailsIsToldAndTheNextIsAnswered() {
        Scene scene;
        scene.ask('a', 13);
        scene.ask('b', 2);
        scene.work.further.release(1 + parts);
        QTRY_COMPARE(scene.heard['b'].size(), std::size_t{parts + 1});
        QCOMPARE(scene.heard['a'], (Numbers{-1}));
        QCOMPARE(scene.failure, QStringLiteral("thirteen"));
    }

    void aRealAnswerComesInParts() {
        PreviewQueue previewQueue;
        std::vector<std::shared_ptr<const Preview>> heard;
        bool isLast = false;
        previewQueue.ask(this, PreviewQueue::Urgency::check, sample(), {.until = PreviewPart::run},
                         [&](const PreviewAnswer& answer) {
                             heard.push_back(answer.preview);
                             isLast = answer.isLast;
                         });
        QTRY_VERIFY_WITH_TIMEOUT(isLast, 120'000);
        QVERIFY(!heard.front()->step && !heard.front()->layers.empty());
        QVERIFY(heard[1]->step && !heard[1]->run);
        QVERIFY(heard[2]->step && heard[2]->run);
        QCOMPARE(heard.back(), heard[2]);
    }

    void endsWhileItWorks() {
        for (int i = 0; i < 20; ++i) {
            PreviewQueue previewQueue;
            previewQueue.ask(this, PreviewQueue::Urgency::check, sample(),
                             {.until = PreviewPart::run},
                             [](const PreviewAnswer&) { QFAIL("it has ended"); });
        }
        QCoreApplication::processEvents();
    }

private:
    static Design sample() {
        return loadDesign(test::sourceFolder() / "projects/quickstart-digits/design.weft",
                          catalogue())
            .design;
    }
};

std::unique_ptr<QObject> makeTestPreviewQueue() { return std::make_unique<TestPreviewQueue>(); }

#include "tst_preview_queue.moc"
