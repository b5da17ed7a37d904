// SPDX-License-Identifier: Apache-2.0
// How long the canvas keeps a hand waiting: opening, zooming over the whole range and panning large
// networks, painted in software. Wall time of the GUI thread per frame, frames paced as a hand's
// are; a line of JSON per figure. With --load both cores are kept busy meanwhile, as a run does.
#include "../large_network.h"
#include "canvas/page/canvas_page.h"
#include "layout/arrange.h"
#include <weft/design_file.h>

#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <thread>
#include <utility>

namespace weft::ui {
namespace {

constexpr int pace = 12; ///< milliseconds between two frames

double millisecondsOf(const std::function<void()>& run) {
    QElapsedTimer clock;
    clock.start();
    run();
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void report(const std::string& row, std::vector<double> times) {
    std::ranges::sort(times);
    std::printf("{\"bench\": \"canvas\", \"row\": \"%s\", \"repetitions\": %zu, \"ms\": %.2f, "
                "\"ms_95\": %.2f, \"ms_max\": %.2f}\n",
                row.c_str(), times.size(), times[times.size() / 2],
                times[std::min(times.size() - 1, times.size() * 95 / 100)], times.back());
    std::fflush(stdout);
}

/// Both cores at work, at the priority that a run has.
class Load {
public:
    explicit Load(bool isOn) {
        for (int i = 0; isOn && i < 2; ++i) {
            threads_.emplace_back([](const std::stop_token& stop) {
                setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
                volatile double sum = 1;
                while (!stop.stop_requested()) {
                    sum = sum * 1.0000001 + 1e-9;
                }
            });
        }
    }

private:
    std::vector<std::jthread> threads_;
};

/// The longest time for which the event loop answered nobody.
class Pulse {
public:
    Pulse() {
        QObject::connect(&timer_, &QTimer::timeout, [this] { beat(); });
        clock_.start();
        timer_.start(1);
    }
    void beat() {
        longest_ = std::max(longest_, static_cast<double>(clock_.nsecsElapsed()) * 1e-6);
        clock_.start();
    }
    [[nodiscard]] double longest() const { return longest_; }

private:
    QTimer timer_;
    QElapsedTimer clock_;
    double longest_ = 0;
};

class Canvas {
public:
    Canvas(Look& look, const Kinds& kinds, QString file, QSize size)
        : context_(look, kinds), file_(std::move(file)), size_(size) {}

    /// As the window opens a file; all that it takes before the event loop turns again.
    void open() {
        auto made = std::make_unique<OpenDesign>(context_.kinds, context_.previewQueue);
        made->document().load(file_);
        OpenDesign& design = context_.designs.add(std::move(made));
        page_ = std::make_unique<CanvasPage>(context_, design);
        page_->resize(size_);
        page_->show();
        context_.designs.setCurrent(&design);
    }
    [[nodiscard]] bool isShown() { return !view().list().nodes.empty(); }
    [[nodiscard]] bool isChecked() { return page_->design().check().answer()->revision > 0; }
    void settle() {
        while (!isShown() || !isChecked()) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        }
        wait(300);
    }

    [[nodiscard]] double zoomFrame(int notches) {
        const QPointF at(view().width() * 0.45, view().height() * 0.4);
        QWheelEvent wheel(at, view().mapToGlobal(at), {}, {0, 120 * notches}, {}, {},
                          Qt::NoScrollPhase, false);
        return frame([&] { QApplication::sendEvent(&view(), &wheel); });
    }
    [[nodiscard]] double panFrame(QPointF by) {
        return frame([&] { view().camera().pan(by); });
    }
    /// From the smallest zoom to the largest and back, so many notches.
    [[nodiscard]] std::vector<double> zoomRange() {
        view().camera().frameAll();
        const Sizes::Zoom& limits = tokens().sizes.zoom;
        std::vector<double> times;
        while (view().viewport().zoom > limits.min * 1.001) {
            (void)zoomFrame(-1);
        }
        wait(300);
        while (view().viewport().zoom < limits.max * 0.999) {
            times.push_back(zoomFrame(1));
        }
        while (view().viewport().zoom > limits.min * 1.001) {
            times.push_back(zoomFrame(-1));
        }
        return times;
    }
    [[nodiscard]] std::vector<double> panRange() {
        std::vector<double> times;
        for (const double zoom : {0.2, 0.4, 0.62, 1.0}) {
            view().camera().zoomTo(zoom, QRectF(view().rect()).center());
            wait(300);
            for (int i = 0; i < 40; ++i) {
                times.push_back(panFrame({i < 20 ? 13.0 : -13.0, i % 20 < 10 ? 9.0 : -9.0}));
            }
        }
        return times;
    }
    /// From the last turn of the wheel to the crisp picture, which is the last that is painted.
    [[nodiscard]] std::vector<double> rest() {
        std::vector<double> times;
        for (const double zoom : {0.2, 0.35, 0.62, 0.8, 1.0}) {
            view().camera().zoomTo(zoom, QRectF(view().rect()).center());
            wait(300);
            for (const int notch : {1, 1, 1}) {
                (void)zoomFrame(notch);
            }
            QElapsedTimer clock;
            clock.start();
            double painted = 0;
            while (clock.elapsed() < 400) {
                if (millisecondsOf([] { QCoreApplication::processEvents(); }) > 2) {
                    painted = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            times.push_back(painted);
        }
        return times;
    }
    void wait(int milliseconds) {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < milliseconds) {
            QCoreApplication::processEvents();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    [[nodiscard]] CanvasView& view() { return page_->view(); }

private:
    [[nodiscard]] double frame(const std::function<void()>& gesture) {
        const double time = millisecondsOf([&] {
            gesture();
            QCoreApplication::processEvents();
        });
        wait(pace);
        return time;
    }

    WindowContext context_;
    QString file_;
    QSize size_;
    std::unique_ptr<CanvasPage> page_;
};

/// Until all is shown and checked, the event loop answering all the while.
double longestStall(Canvas& canvas) {
    Pulse pulse;
    QTimer::singleShot(5, [&] { canvas.open(); });
    QCoreApplication::processEvents();
    QElapsedTimer clock;
    clock.start();
    constexpr int enough = 60000;
    bool isDone = false;
    while (!isDone && clock.elapsed() < enough) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        isDone = clock.elapsed() > 20 && canvas.isShown() && canvas.isChecked();
    }
    canvas.wait(300);
    pulse.beat();
    return pulse.longest();
}

class Runner {
public:
    explicit Runner(bool isLoaded) : load_(isLoaded) { look_.choose(Look::Choice::dark); }

    void thousand() {
        const QString file = saved(142, "1000");
        std::vector<double> opening;
        for (int i = 0; i < 9; ++i) {
            Canvas canvas(look_, kinds_, file, {1600, 1000});
            opening.push_back(millisecondsOf([&] {
                canvas.open();
                while (!canvas.isShown()) {
                    QCoreApplication::processEvents();
                }
                QCoreApplication::processEvents();
            }));
            canvas.settle();
        }
        report("1000 nodes, open", opening);
        Canvas canvas(look_, kinds_, file, {1600, 1000});
        canvas.open();
        canvas.settle();
        report("1000 nodes, zoom", canvas.zoomRange());
        report("1000 nodes, pan", canvas.panRange());
        Canvas large(look_, kinds_, file, {3840, 2160});
        large.open();
        large.settle();
        report("1000 nodes at 3840x2160, zoom", large.zoomRange());
        report("1000 nodes at 3840x2160, pan", large.panRange());
        report("1000 nodes at 3840x2160, crisp after rest", large.rest());
    }
    void tenThousand() {
        const QString file = saved(1428, "10000");
        std::vector<double> stalls;
        for (int i = 0; i < 3; ++i) {
            Canvas canvas(look_, kinds_, file, {1600, 1000});
            stalls.push_back(longestStall(canvas));
        }
        report("10000 nodes, longest stall while opening", stalls);
        Canvas canvas(look_, kinds_, file, {1600, 1000});
        canvas.open();
        canvas.settle();
        report("10000 nodes, zoom", canvas.zoomRange());
        report("10000 nodes, pan", canvas.panRange());
    }

private:
    QString saved(int blocks, const char* name) {
        QString file = folder_.filePath(QString::fromLatin1(name) + ".weft");
        saveDesign(arranged(bench::largeNetwork(blocks), *kinds_, 1.6), file.toStdString());
        return file;
    }

    QTemporaryDir folder_;
    Look look_;
    Kinds kinds_ = std::make_shared<const std::vector<LayerKindInfo>>(catalogue());
    Load load_;
};

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    const QStringList asked = QCoreApplication::arguments();
    weft::ui::Runner runner(asked.contains(QStringLiteral("--load")));
    if (!asked.contains(QStringLiteral("--large"))) {
        runner.thousand();
    }
    if (!asked.contains(QStringLiteral("--small"))) {
        runner.tenThousand();
    }
    return 0;
}
