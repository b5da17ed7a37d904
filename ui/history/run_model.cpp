// SPDX-License-Identifier: Apache-2.0
#include "history/run_model.h"

#include "runs/figure_words.h"
#include "runs/run_status.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/hosts.h>

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <string_view>

namespace weft::ui {

namespace {

QString folderOf(const ListedRun& run) {
    return QString::fromStdString(run.summary.folder.string());
}

/// Returns the first few differences, such as "dense1: units 10 -> 20".
QString differenceOf(const Design& before, const Design& after) {
    constexpr std::size_t most = 3;
    QStringList texts;
    for (const Change& change : diff(before, after)) {
        if (texts.size() < static_cast<int>(most)) {
            texts << QString::fromStdString(change.text);
        } else {
            texts << QStringLiteral("…");
            break;
        }
    }
    return texts.join(QStringLiteral("; "));
}

std::optional<Design> designOf(const std::filesystem::path& run) {
    try {
        return loadDesign(run / "design.weft", catalogue()).design;
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool isSame(const RunSummary& a, const RunSummary& b) {
    return a.state == b.state && a.isPaused == b.isPaused && a.lastStep == b.lastStep &&
           a.attempts == b.attempts;
}

/// Returns the devices; for a run on another host as "cluster: cpu:0, cpu:1".
QString devicesText(const ListedRun& run) {
    const QString devices = devicesOf(run).join(QStringLiteral(", "));
    const QString host = QString::fromStdString(run.summary.host);
    return host.isEmpty()      ? devices
           : devices.isEmpty() ? host
                               : QStringLiteral("%1: %2").arg(host, devices);
}

QString textOf(const ListedRun& run, int column) {
    const RunSummary& summary = run.summary;
    switch (column) {
    case RunModel::star: return run.marks.isStarred ? QStringLiteral("★") : QStringLiteral("☆");
    case RunModel::run: return QString::fromStdString(summary.name);
    case RunModel::design: return QString::fromStdString(summary.design);
    case RunModel::state: return nameOfState(summary.state, summary.isPaused);
    case RunModel::step:
        return summary.lastStep < 0 ? quantity::none()
                                    : quantity::count(static_cast<double>(summary.lastStep));
    case RunModel::bestLoss: return bestLossText(run.figures);
    case RunModel::stepTime: return stepTimeText(run.figures);
    case RunModel::devices: return devicesText(run);
    case RunModel::size: return quantity::bytes(static_cast<double>(summary.size.count));
    case RunModel::begun:
        if (summary.begun == 0) {
            return quantity::none();
        }
        return QLocale().toString(QDateTime::fromMSecsSinceEpoch(summary.begun / 1'000'000),
                                  QStringLiteral("d MMMM HH:mm"));
    case RunModel::designChanges:
        return run.designChanges.isEmpty() ? quantity::none() : run.designChanges;
    case RunModel::note: return run.marks.note;
    default: return {};
    }
}

/// Returns the start time as a sort key; a run that has not begun counts as the newest.
std::int64_t ageOf(const RunSummary& summary) {
    return summary.begun == 0 ? std::numeric_limits<std::int64_t>::max() : summary.begun;
}

QVariant sortValueOf(const ListedRun& run, int column) {
    switch (column) {
    case RunModel::star: return run.marks.isStarred;
    case RunModel::step: return qlonglong(run.summary.lastStep);
    case RunModel::bestLoss: return run.figures.best ? run.figures.best->loss : HUGE_VAL;
    case RunModel::stepTime: return qlonglong(run.figures.step.count);
    case RunModel::size: return qlonglong(run.summary.size.count);
    case RunModel::begun: return qlonglong(ageOf(run.summary));
    default: return textOf(run, column);
    }
}

/// Returns the tooltip of a cell: the meaning of a number, why the run failed, or the full text.
QString tipOf(const ListedRun& run, int column) {
    QString words = column == RunModel::stepTime   ? stepTimeWords(run.figures)
                    : column == RunModel::bestLoss ? bestLossWords(run.figures)
                    : column == RunModel::devices  ? memoryWords(run.figures, run.summary.devices)
                                                   : QString();
    if (!words.isEmpty()) {
        return words;
    }
    return run.summary.cause.empty() ? textOf(run, column)
                                     : QString::fromStdString(run.summary.cause);
}

bool isNumber(int column) {
    return column == RunModel::step || column == RunModel::bestLoss ||
           column == RunModel::stepTime || column == RunModel::size;
}

} // namespace

QStringList devicesOf(const ListedRun& run) {
    QStringList names;
    for (const std::string& device : run.summary.devices) {
        names << QString::fromStdString(device);
    }
    return names;
}

namespace {

/// Returns the runs of a host: local copies, and reported runs without a copy.
std::vector<ListedRun> runsOf(const HostRuns& host) {
    std::vector<ListedRun> runs;
    for (RunSummary& copy : listRuns(mirrorsOf(host.host))) {
        const auto said = std::ranges::find(host.runs, copy.folder, &RunSummary::folder);
        if (said != host.runs.end() && host.isUp && copy.state == RunState::unknown) {
            // No process on this machine follows the run, so its state comes from the host's
            // report.
            copy.state = said->state;
            copy.isPaused = said->isPaused;
            copy.cause = said->cause;
            copy.lastStep = std::max(copy.lastStep, said->lastStep);
            copy.figures = said->figures;
        }
        runs.push_back({.summary = std::move(copy), .marks = {}});
    }
    for (const RunSummary& said : host.runs) {
        const bool isCopied = std::ranges::any_of(
            runs, [&](const ListedRun& one) { return one.summary.folder == said.folder; });
        if (!isCopied) {
            runs.push_back({.summary = said, .marks = {}, .isHere = false});
            runs.back().summary.host = host.host;
        }
    }
    return runs;
}

/// Adds details from the run's folder, which are read only once per run.
void complete(ListedRun& run, const ListedRun* before) {
    run.marks = readMarks(folderOf(run));
    if (before != nullptr) {
        run.figures = before->figures;
        run.designChanges = before->designChanges;
    }
    if (before != nullptr && isSame(before->summary, run.summary)) {
        return;
    }
    try {
        run.figures = figuresOf(run.summary);
    } catch (const std::exception&) {
        run.figures = {}; // an unreadable run is listed without figures
    }
}

} // namespace

std::vector<ListedRun> readRuns(const std::vector<RunPlace>& places,
                                const std::vector<HostRuns>& hosts,
                                const std::vector<ListedRun>& previous) {
    const auto knownOf = [&](const ListedRun& run) {
        const auto found = std::ranges::find_if(previous, [&](const ListedRun& one) {
            return one.summary.folder == run.summary.folder && one.isHere == run.isHere;
        });
        return found == previous.end() ? nullptr : &*found;
    };
    std::vector<ListedRun> runs;
    for (const RunPlace& place : places) {
        for (RunSummary& summary : listRuns(place.folder.toStdString())) {
            if (place.design.isEmpty() || place.design.toStdString() == summary.design) {
                runs.push_back({.summary = std::move(summary), .marks = {}});
            }
        }
    }
    for (const HostRuns& host : hosts) {
        std::ranges::move(runsOf(host), std::back_inserter(runs));
    }
    std::ranges::stable_sort(runs, std::greater(),
                             [](const ListedRun& run) { return ageOf(run.summary); });
    for (ListedRun& run : runs) {
        complete(run, knownOf(run));
    }
    // The previous run is the next older one of the same design.
    std::map<std::string, std::filesystem::path> older;
    for (ListedRun& run : runs | std::views::reverse) {
        const auto before = older.find(run.summary.design);
        if (knownOf(run) == nullptr && before != older.end()) {
            const auto was = designOf(before->second);
            const auto is = designOf(run.summary.folder);
            run.designChanges = was && is ? differenceOf(*was, *is) : QString();
        }
        older[run.summary.design] = run.summary.folder;
    }
    return runs;
}

void RunModel::setRuns(std::vector<ListedRun> runs) {
    const bool isSameList = runs.size() == runs_.size() &&
                            std::ranges::equal(
                                runs, runs_, {}, [](const auto& a) { return a.summary.folder; },
                                [](const auto& a) { return a.summary.folder; });
    if (isSameList) {
        runs_ = std::move(runs);
        if (!runs_.empty()) {
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
        }
        return;
    }
    // Inserts and removes single rows, so that the selection is kept.
    for (int row = rowCount() - 1; row >= 0; --row) {
        const auto& folder = runs_[static_cast<std::size_t>(row)].summary.folder;
        if (std::ranges::none_of(runs,
                                 [&](const auto& one) { return one.summary.folder == folder; })) {
            beginRemoveRows({}, row, row);
            runs_.erase(runs_.begin() + row);
            endRemoveRows();
        }
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i < runs_.size() && runs_[i].summary.folder == runs[i].summary.folder) {
            runs_[i] = std::move(runs[i]);
            continue;
        }
        const auto row = static_cast<int>(i);
        beginInsertRows({}, row, row);
        runs_.insert(runs_.begin() + row, std::move(runs[i]));
        endInsertRows();
    }
    if (runs_.size() > runs.size()) {
        beginRemoveRows({}, static_cast<int>(runs.size()), rowCount() - 1);
        runs_.resize(runs.size());
        endRemoveRows();
    }
    if (!runs_.empty()) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    }
}

const ListedRun* RunModel::find(const QString& folder) const {
    const auto found =
        std::ranges::find_if(runs_, [&](const ListedRun& one) { return folderOf(one) == folder; });
    return found == runs_.end() ? nullptr : &*found;
}

int RunModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}
int RunModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ListedRun& run = runs_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return textOf(run, index.column());
    case Qt::EditRole:
        return index.column() == star ? QVariant(run.marks.isStarred) : textOf(run, index.column());
    case Qt::ToolTipRole: return tipOf(run, index.column());
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                        : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return isNumber(index.column()) ? Look::mono(Look::sizes().type.small)
                                        : Look::sans(Look::sizes().type.body);
    case folderRole: return folderOf(run);
    case sortRole: return sortValueOf(run, index.column());
    case stateRole: return int(run.summary.state);
    default: return {};
    }
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole ||
        (index.column() != note && index.column() != star)) {
        return false;
    }
    ListedRun& run = runs_[static_cast<std::size_t>(index.row())];
    if (!run.isHere) {
        Q_EMIT failed(tr("%1 is on %2 and has no local copy in which a note or star could be "
                         "saved: open it first")
                          .arg(QString::fromStdString(run.summary.name),
                               QString::fromStdString(run.summary.host)));
        return false;
    }
    RunMarks marks = run.marks;
    if (index.column() == note) {
        marks.note = value.toString();
    } else {
        marks.isStarred = value.toBool();
    }
    try {
        writeMarks(folderOf(run), marks);
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
        return false;
    }
    run.marks = marks;
    ++editCount_;
    Q_EMIT dataChanged(index, index);
    return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return index.column() == note ? plain | Qt::ItemIsEditable : plain;
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isNumber(section) ? int(Qt::AlignRight | Qt::AlignVCenter)
                                 : int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case star: return QString();
    case run: return tr("run");
    case design: return tr("design");
    case state: return tr("state");
    case step: return tr("step");
    case bestLoss: return tr("best loss");
    case stepTime: return tr("step time");
    case devices: return tr("devices");
    case size: return tr("on disk");
    case begun: return tr("begun");
    case designChanges: return tr("changed");
    case note: return tr("note");
    default: return {};
    }
}

} // namespace weft::ui
