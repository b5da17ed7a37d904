// SPDX-License-Identifier: Apache-2.0
// How long the workbench takes from its start to a window that can be worked in: a sample is open,
// painted and checked. A line of JSON: median and 95th percentile over processes that do what
// weft-workbench does, with libraries to load and nothing remembered, while two threads of lower
// priority use the cores as a run would.
//
// usage: bench_start FILE.weft [REPETITIONS]
#include "shell/files.h"
#include "shell/main_window.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QApplication>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace weft::ui {
namespace {

/// Ends the program once the canvas has been painted with an answer of the check.
class Watch : public QObject {
public:
    explicit Watch(MainWindow& window) : window_(window) {
        window.page()->view().installEventFilter(this);
        connect(&check(), &LiveCheck::checked, &window.page()->view(),
                qOverload<>(&QWidget::update));
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && check().isCurrent() &&
            check().answer()->revision > 0) {
            QTimer::singleShot(0, this, [] {
                std::puts("ready");
                std::fflush(stdout);
                std::_Exit(0);
            });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    [[nodiscard]] LiveCheck& check() { return window_.page()->design().check(); }
    MainWindow& window_;
};

int startOnce(QApplication& application, const QString& file, const QString& settings) {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings);
    Look look;
    look.applyLook(application);
    MainWindow window(look);
    window.resize(1600, 1000);
    window.files().open(file);
    if (window.page() == nullptr) {
        std::fprintf(stderr, "%s cannot be opened\n", qPrintable(file));
        return 1;
    }
    const Watch watch(window);
    window.show();
    return QApplication::exec();
}

/// Uses a core as a run's worker does: at a lower priority.
std::jthread busyThread() {
    return std::jthread([](const std::stop_token& stop) {
        constexpr int niceness = 10;
        setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
        volatile double sum = 0;
        while (!stop.stop_requested()) {
            sum = sum + 1;
        }
    });
}

int measure(const QString& program, const QString& file, int repetitions) {
    using Clock = std::chrono::steady_clock;
    const std::jthread busy[] = {busyThread(), busyThread()};
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        const QTemporaryDir settings;
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        const auto begin = Clock::now();
        process.start(program, {QStringLiteral("--once"), file, settings.path()});
        process.waitForReadyRead();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        process.waitForFinished();
        if (process.exitCode() != 0) {
            return 1;
        }
    }
    std::ranges::sort(times);
    std::printf("{\"bench\": \"start\", \"row\": \"a sample open, painted and checked\", "
                "\"repetitions\": %zu, \"ms\": %.0f, \"ms_95\": %.0f}\n",
                times.size(), times[times.size() / 2],
                times[std::min(times.size() - 1, times.size() * 95 / 100)]);
    return 0;
}

} // namespace
} // namespace weft::ui

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--once") {
        QApplication application(argc, argv);
        QCoreApplication::setApplicationName(QStringLiteral("weft"));
        QCoreApplication::setOrganizationName(QStringLiteral("weft"));
        return weft::ui::startOnce(application, QString::fromLocal8Bit(argv[2]),
                                   QString::fromLocal8Bit(argv[3]));
    }
    if (argc < 2) {
        std::fputs("usage: bench_start FILE.weft [REPETITIONS]\n", stderr);
        return 2;
    }
    const QCoreApplication application(argc, argv);
    return weft::ui::measure(QCoreApplication::applicationFilePath(),
                             QString::fromLocal8Bit(argv[1]), argc > 2 ? std::atoi(argv[2]) : 20);
}
