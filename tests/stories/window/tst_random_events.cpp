// SPDX-License-Identifier: Apache-2.0
// Whatever is done in whichever order, the window goes on: runs opened, closed, grown and switched
// while views are zoomed, scrolled and selected, and random events in both workspaces.
#include "monitor/monitor_view.h"
#include "random_hand.h"
#include "shell/docks/docks.h"
#include "shell/files.h"
#include "stories/window_story.h"
#include "support/test_main.h"
#include "ui/runs/run_writer.h"

#include <QDir>
#include <QFile>

using namespace weft;
using namespace weft::test;

class TestRandomEvents : public QObject {
    Q_OBJECT

    static constexpr int eventsPerWorkspace = 300;
    static constexpr int eventsPerChange = 6;

    /// Runs of the story's design: one lives and grows, the others have ended.
    class Runs {
    public:
        explicit Runs(WindowStory& story) : folder_(story.folder() + QStringLiteral("/runs/")) {
            for (const int steps : {3, 400}) {
                auto ended = write("ended-" + std::to_string(steps), story.design(), steps);
                ended->finish(steps);
            }
            auto failed = write("failed", story.design(), 12);
            failed->fail(
                Error(ErrorCode::file, {.layer = "conv1"}, "No space left on device", "make room"),
                12);
            failed.reset();
            living_ = write("living", story.design(), 40);
        }
        [[nodiscard]] QString path(int number) const {
            return folder_ + QString::fromStdString(names_[static_cast<std::size_t>(number)]);
        }
        [[nodiscard]] int count() const { return static_cast<int>(names_.size()); }
        void grow() {
            put(*living_, ++last_);
            living_->flush();
        }

    private:
        static void put(RunWriter& writer, int step) {
            writer.step(step, {{"loss", 2.0 / step},
                               {"accuracy", 1 - 1.0 / step},
                               {"throughput", 1000},
                               {"learning_rate", step < 20 ? 0.1 : 0.01}});
            if (step % 4 == 0) {
                writer.spans(sampleStep(step, std::int64_t{100'000} * step, 2, 5));
                writer.message("step " + std::to_string(step));
                writer.evaluate(step, {{"loss", 2.5 / step}});
            }
            if (step % 16 == 0) {
                writer.checkpoint(step, "checkpoints/step-" + std::to_string(step));
            }
        }
        std::unique_ptr<RunWriter> write(const std::string& name, const Design& design, int steps) {
            names_.push_back(name);
            auto writer = std::make_unique<RunWriter>((folder_.toStdString() + name), 1, design);
            for (int step = 1; step <= steps; ++step) {
                put(*writer, step);
            }
            writer->flush();
            last_ = steps;
            return writer;
        }

        QString folder_;
        std::vector<std::string> names_;
        std::unique_ptr<RunWriter> living_;
        int last_ = 0;
    };

    /// Nothing that is started from here trains, and no other host is asked.
    static void placeStubs(const WindowStory& story) {
        for (const char* name : {"weft", "ssh", "mpirun"}) {
            QFile file(story.folder() + QStringLiteral("/bin/") + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write("#!/bin/sh\necho 'nothing is run here' >&2\nexit 1\n");
            QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        }
    }
    /// Changes runs while random events are sent.
    static void change(WindowStory& story, Runs& runs, RandomHand& hand) {
        ui::WindowContext& context = story.window().context();
        switch (hand.below(6)) {
        case 0:
        case 1: context.hub.open(runs.path(hand.below(runs.count()))); break;
        case 2: context.hub.close(); break;
        case 3:
            Q_EMIT context.curvesWanted({runs.path(0), runs.path(hand.below(runs.count()))});
            break;
        case 4: Q_EMIT context.attachWanted(runs.path(hand.below(runs.count()))); break;
        default: runs.grow(); break;
        }
        context.hub.beat();
    }
    static void makeSure(WindowStory& story, const QString& file) {
        if (story.window().page() == nullptr) {
            story.window().files().open(file); // it was closed, or left for the start page
        }
    }

    static int seeds() {
        bool isSet = false;
        const int wanted = qEnvironmentVariableIntValue("WEFT_RANDOM_SEEDS", &isSet);
        return isSet ? wanted : 10;
    }

private Q_SLOTS:
    void nothingThatIsDoneEndsTheWindow_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= seeds(); ++seed) {
            QTest::addRow("seed %d", seed) << seed;
        }
    }
    void nothingThatIsDoneEndsTheWindow() {
        QFETCH(const int, seed);
        qInfo("seed %d", seed);
        WindowStory story({1100, 720});
        placeStubs(story);
        story.openSample(QStringLiteral("quickstart-digits"));
        const QString file = story.page().design().document().file();
        Runs runs(story);
        RandomHand hand(story.window(), static_cast<unsigned>(seed));
        for (const ui::Workspace workspace : {ui::Workspace::design, ui::Workspace::run}) {
            makeSure(story, file);
            story.window().docks().setWorkspace(workspace);
            for (int i = 0; i < eventsPerWorkspace; ++i) {
                hand.act();
                makeSure(story, file);
                if (i % eventsPerChange == 0) {
                    change(story, runs, hand);
                }
            }
        }
        QVERIFY(story.window().page() != nullptr);
        QVERIFY(!story.window().grab().isNull());
    }
};

std::unique_ptr<QObject> makeTestRandomEvents() { return std::make_unique<TestRandomEvents>(); }

#include "tst_random_events.moc"
