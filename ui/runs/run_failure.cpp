// SPDX-License-Identifier: Apache-2.0
#include "runs/run_failure.h"

#include "runs/program_words.h"
#include "runs/run_hub.h"

#include <QStringList>

namespace weft::ui {

namespace {

QString nameOfRank(const Where& where) {
    if (where.rank < 0) {
        return {};
    }
    return where.host.empty() ? RunFailure::tr("rank %1").arg(where.rank)
                              : RunFailure::tr("rank %1 (%2)")
                                    .arg(where.rank)
                                    .arg(QString::fromStdString(where.host));
}

/// Returns a sentence without its full stop, for use inside another one.
QString bare(const std::string& sentence) {
    QString text = QString::fromStdString(sentence).trimmed();
    while (text.endsWith('.')) {
        text.chop(1);
    }
    return text;
}

} // namespace

QString RunFailure::text() const {
    QStringList place;
    for (const QString& part : {rank, layer}) {
        if (!part.isEmpty()) {
            place << part;
        }
    }
    QString said = place.join(QStringLiteral(", ")) + (place.isEmpty() ? "" : ": ") + what + '.';
    if (!remedy.isEmpty()) {
        said += ' ' + remedy + '.';
    }
    return log.isEmpty() ? said : said + ' ' + tr("The log is %1.").arg(log);
}

RunFailure failureOf(const RunHub& hub) {
    RunFailure failure;
    if (!hub.isOpen()) {
        return failure;
    }
    if (!hub.fault().isEmpty()) {
        failure.what = bare(hub.fault().toStdString());
        return failure;
    }
    const std::string why = hub.copy() ? hub.copy()->why : std::string();
    const bool hasEndedBadly = hub.state() == RunState::failed || hub.state() == RunState::lost;
    if (hub.failures().empty() && hasEndedBadly && !why.empty()) {
        failure.what = bare(why).simplified(); // reported by the host
        return failure;
    }
    failure.log = hub.folder() + QStringLiteral("/log.txt");
    if (!hub.failures().empty()) {
        const Error& first = hub.failures().front();
        failure.rank = nameOfRank(first.where());
        failure.layer = QString::fromStdString(first.where().layer);
        failure.what = bare(first.problem());
        failure.remedy = bare(first.remedy());
    } else if (hub.state() == RunState::failed) {
        const auto& end = hub.end();
        failure.what =
            end && !end->text.empty() ? bare(end->text) : RunFailure::tr("the run failed");
    } else if (hub.state() == RunState::lost && !hub.attempts().empty()) {
        // The process that holds the lock is rank 0.
        failure.rank = nameOfRank({.rank = 0});
        QString where =
            RunFailure::tr("after step %1").arg(std::max<std::int64_t>(0, hub.lastStep()));
        if (!hub.runningOps().empty()) {
            const RunningOp& stand = hub.runningOps().front();
            failure.rank = nameOfRank({.rank = stand.rank});
            failure.layer = QString::fromStdString(stand.site.layer);
            where += RunFailure::tr(" in %1").arg(QString::fromStdString(stand.site.op));
        }
        const qint64 begun = hub.attempts().back().wallClock / 1'000'000;
        const QString said = errorOfProgram(hub.folder(), begun);
        failure.what = said.isEmpty()
                           ? RunFailure::tr("its process was killed or crashed %1").arg(where)
                           : RunFailure::tr("failed %1: %2").arg(where, bare(said.toStdString()));
        failure.remedy = hub.checkpoints().empty()
                             ? RunFailure::tr("Run the design again")
                             : RunFailure::tr("Resume it from its last checkpoint");
    }
    return failure;
}

} // namespace weft::ui
