// SPDX-License-Identifier: Apache-2.0
#pragma once
// A process in its own session that outlives the window, with low priority and its output in a
// file. While the window lives, it learns how the process ended.

#include <QString>
#include <QStringList>
#include <optional>

namespace weft::ui {

/// Priority of runs, low enough to keep the window responsive.
inline constexpr int runNiceness = 10;

struct ProcessEnd {
    int exitCode = 0;
    int signal = 0; ///< signal that ended the process; 0: it exited
};

class DetachedProcess {
public:
    /// Redirects both standard streams to `output`. Throws Error{file} if the process cannot be
    /// started.
    DetachedProcess(const QStringList& command, const QString& output);
    ~DetachedProcess() = default; ///< leaves the process running
    DetachedProcess(const DetachedProcess&) = delete;
    DetachedProcess& operator=(const DetachedProcess&) = delete;

    [[nodiscard]] qint64 id() const { return id_; }                 ///< process id
    [[nodiscard]] const QString& output() const { return output_; } ///< file of its output
    /// Returns std::nullopt while the process runs; never waits.
    [[nodiscard]] std::optional<ProcessEnd> end();

private:
    qint64 id_ = 0;
    QString output_;
    std::optional<ProcessEnd> end_;
};

} // namespace weft::ui
