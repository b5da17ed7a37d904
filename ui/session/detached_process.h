// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program in a session of its own that outlives the window: its output goes to a file, its
// priority is low. While the window lives it learns how the program ended.

#include <QString>
#include <QStringList>
#include <optional>

namespace weft::ui {

/// A run leaves the cores to the window whenever it wants them.
inline constexpr int runNiceness = 10;

struct ProcessEnd {
    int exitCode = 0;
    int signal = 0; ///< that ended it; 0: it ended by itself
};

class DetachedProcess {
public:
    /// Error{file} where it cannot be started. Both standard streams go to `output`.
    DetachedProcess(const QStringList& command, const QString& output);
    /// Goes on without us.
    ~DetachedProcess() = default;
    DetachedProcess(const DetachedProcess&) = delete;
    DetachedProcess& operator=(const DetachedProcess&) = delete;

    [[nodiscard]] qint64 id() const { return id_; }
    [[nodiscard]] const QString& output() const { return output_; }
    /// Nothing while it runs; never waits.
    [[nodiscard]] std::optional<ProcessEnd> end();

private:
    qint64 id_ = 0;
    QString output_;
    std::optional<ProcessEnd> end_;
};

} // namespace weft::ui
