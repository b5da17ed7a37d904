// SPDX-License-Identifier: Apache-2.0
#include "shell/commands/run_permits.h"

#include "workspace/window_context.h"

#include <QCoreApplication>

namespace weft::ui {

namespace {

QString reason(const char* text) { return QCoreApplication::translate("run", text); }

bool canGoOn(const RunHub& hub) {
    const bool hasEnded = hub.state() == RunState::stopped || hub.state() == RunState::failed ||
                          hub.state() == RunState::lost;
    return hub.isOpen() && hasEnded && !hub.checkpoints().empty();
}

} // namespace

std::vector<RunPermit> runPermits(const WindowContext& context) {
    const RunHub& hub = context.hub;
    const QString none = reason("No run is live");
    const QString living = hub.isLiving() ? QString() : none;
    const QString stop = hub.isLiving() || hub.state() == RunState::waiting ? QString() : none;
    const QString design =
        context.designs.current() != nullptr ? QString() : reason("Open or make a design first");
    const QString pause = !hub.isLiving()  ? none
                          : hub.isPaused() ? reason("The run is already paused")
                                           : QString();
    const QString resume = hub.isPaused() || canGoOn(hub) ? QString()
                           : hub.isLiving()               ? reason("The run is not paused")
                           : !hub.isOpen()                ? reason("No run is open")
                           : hub.state() == RunState::done
                               ? reason("The run has done all its steps")
                               : reason("The run has no checkpoint to resume from");
    const QString beside =
        !design.isEmpty() ? design
        : context.control.isBusy()
            ? QString()
            : reason("No run is live beside which it could run: Run starts immediately");
    return {{"run.start", design},
            {"run.beside", beside},
            {"run.from-weights", design},
            {"run.window", design},
            {"run.on", design},
            {"run.ranks", design},
            {"run.copy-command", design},
            {"run.hand-over", design},
            {"run.step", hub.isLiving() ? QString() : design},
            {"run.pause", pause},
            {"run.resume", resume},
            {"run.stop", stop},
            {"run.save", living}};
}

QStringList runButtons(const WindowContext& context) {
    if (context.designs.current() == nullptr && !context.hub.isLiving()) {
        return {};
    }
    if (context.hub.isOpen() && context.hub.state() == RunState::waiting) {
        return {QStringLiteral("run.stop"), QStringLiteral("run.start")};
    }
    if (!context.hub.isLiving()) {
        return {QStringLiteral("run.step"), QStringLiteral("run.start")};
    }
    return {context.hub.isPaused() ? QStringLiteral("run.resume") : QStringLiteral("run.pause"),
            QStringLiteral("run.step"), QStringLiteral("run.stop")};
}

} // namespace weft::ui
