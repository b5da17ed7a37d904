// SPDX-License-Identifier: Apache-2.0
// In which order choices are priced, by work that the test holds in its hands.
#include "panels/assignment/price_choices.h"
#include "support/test_main.h"

#include <QTest>
#include <mutex>
#include <semaphore>

using namespace weft;
using namespace weft::ui;

namespace {

/// For a design with the batch size 7, the step takes 7 ns and the run 70 bytes.
class HeldWork {
public:
    std::counting_semaphore<64> further{0}; ///< one for each question

    std::shared_ptr<const Preview> make(const Design& design, const PreviewRequest& request) {
        const std::int64_t batch = design.data.batch;
        {
            const std::scoped_lock lock(mutex_);
            begun_.push_back(batch);
        }
        further.acquire();
        Preview made{.isComplete = true};
        if (request.isWanted()) {
            made.step =
                StepPreview{.time = {batch}, .timeline = std::make_shared<const Timeline>()};
            made.devices = {{.name = "cpu:0", .step = DeviceStep{}}};
        }
        if (request.until == PreviewPart::run) {
            made.devices[0].run = DeviceRun{.takes = {10 * batch}, .together = {10 * batch}};
            made.devices[0].available = {25};
        }
        return std::make_shared<const Preview>(std::move(made));
    }
    std::vector<std::int64_t> begun() {
        const std::scoped_lock lock(mutex_);
        return begun_;
    }

private:
    std::mutex mutex_;
    std::vector<std::int64_t> begun_;
};

} // namespace

class TestPriceChoices : public QObject {
    Q_OBJECT

    using Numbers = std::vector<std::int64_t>;

    struct Scene {
        HeldWork work;
        PreviewQueue previewQueue{
            [this](const Design& design, PreviewCache&, const PreviewRequest& request) {
                return work.make(design, request);
            }};
        ChoicePricer prices{previewQueue};
        std::map<int, ChoicePrice> known;

        Scene() {
            QObject::connect(
                &prices, &ChoicePricer::priced, &prices,
                [this](int choice, const ChoicePrice& price) { known[choice] = price; });
        }
        ~Scene() { work.further.release(32); }
        /// Choices that have the batches 1, 2, 3 ...
        void ask(std::int64_t choices) {
            PriceQuestion question;
            for (std::int64_t batch = 1; batch <= choices; ++batch) {
                question.choices.emplace_back([batch](Design& design) {
                    design.data.batch = batch;
                    return Edited{};
                });
            }
            prices.ask(std::move(question));
        }
    };

private Q_SLOTS:
    void theStepOfAllComesBeforeTheMemoryOfAny() {
        Scene scene;
        scene.ask(3);
        scene.work.further.release(3);
        QTRY_COMPARE(scene.known.size(), std::size_t{3});
        QCOMPARE(scene.known[1].step, 2e-9);
        QCOMPARE(scene.known[1].memory, 0.0);
        QVERIFY(scene.known[1].previewed->preview->step->timeline == nullptr);
        scene.work.further.release(3);
        QTRY_COMPARE(scene.known[2].memory, 30.0);
        QCOMPARE(scene.known[0].memory, 10.0);
        QVERIFY(scene.known[2].overflows() && !scene.known[1].overflows());
        QCOMPARE(scene.work.begun(), (Numbers{1, 2, 3, 1, 2, 3}));
    }

    void whatIsPointedAtComesFirst() {
        Scene scene;
        scene.ask(4);
        QTRY_COMPARE(scene.work.begun(), (Numbers{1}));
        scene.prices.priceFirst(2);
        scene.work.further.release(2); // the first gives way
        QTRY_COMPARE(scene.known.size(), std::size_t{1});
        QCOMPARE(scene.known[2].step, 3e-9);
        scene.work.further.release(3 + 4);
        QTRY_COMPARE(scene.known[3].memory, 40.0);
        QCOMPARE(scene.work.begun(), (Numbers{1, 3, 1, 2, 4, 3, 1, 2, 4}));
    }

    void aNewQuestionDropsTheOneBefore() {
        Scene scene;
        scene.ask(4);
        QTRY_COMPARE(scene.work.begun(), (Numbers{1}));
        scene.ask(1);
        scene.work.further.release(3);
        QTRY_COMPARE(scene.known[0].memory, 10.0);
        QCOMPARE(scene.known.size(), std::size_t{1});
        QCOMPARE(scene.work.begun(), (Numbers{1, 1, 1}));
    }

    void whatCannotBeHadHasNoPrice() {
        Scene scene;
        PriceQuestion question;
        question.choices.emplace_back([](Design&) {
            Edited refused;
            refused.refusal = Diagnostic{.text = "no"};
            return refused;
        });
        scene.prices.ask(std::move(question));
        QCOMPARE(scene.known.size(), std::size_t{1});
        QCOMPARE(scene.known[0].step, 0.0);
        QVERIFY(scene.work.begun().empty());
    }
};

std::unique_ptr<QObject> makeTestPriceChoices() { return std::make_unique<TestPriceChoices>(); }

#include "tst_price_choices.moc"
