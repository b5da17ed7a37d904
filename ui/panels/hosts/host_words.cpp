// SPDX-License-Identifier: Apache-2.0
#include "panels/hosts/host_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("hosts", text); }

} // namespace

bool isLost(const KnownHost& host) { return host.line == LineState::lost; }

QString faultOf(const KnownHost& host) {
    if (!host.operation.isEmpty()) {
        return {};
    }
    if (isLost(host)) {
        return host.why;
    }
    // A report that failed because the connection was closed is requested again on demand.
    return host.line == LineState::up && !host.isReportRequested ? host.fault : QString();
}

HostState stateOf(const KnownHost& host, const Theme& theme) {
    if (!host.operation.isEmpty()) {
        return {"states/waiting", theme.text.secondary, host.operation};
    }
    if (isLost(host)) {
        return host.report == nullptr
                   ? HostState{"states/error", theme.semantic.error, tr("not reached")}
                   : HostState{
                         "states/warning", theme.semantic.warning,
                         tr("lost since %1")
                             .arg(QLocale().toString(host.since.time(), QLocale::ShortFormat))};
    }
    if (host.line == LineState::up) {
        return host.isReportRequested
                   ? HostState{"states/waiting", theme.text.secondary, tr("asking …")}
               : host.fault.isEmpty() ? HostState{"states/good", theme.semantic.ok, tr("connected")}
                                      : HostState{"states/warning", theme.semantic.warning,
                                                  tr("connected, no report")};
    }
    if (host.line == LineState::connecting || host.isReportRequested) {
        return {"states/waiting", theme.text.secondary, tr("connecting …")};
    }
    return {"actions/attach", theme.text.tertiary,
            host.report == nullptr ? tr("not asked") : tr("not connected")};
}

} // namespace weft::ui
