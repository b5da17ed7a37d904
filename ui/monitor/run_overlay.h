// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws any number of runs over each other in a monitor: RunOverlay(view), then `show` with their
// folders. Follows live runs while shown. A run keeps its first colour, in whatever order or
// company it is shown later. The destructor does not use the view, which may be half destroyed; the
// view sees that the runs are gone.

#include "monitor/monitor_view.h"

#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

namespace weft::ui {

class RunOverlay : public QObject {
    Q_OBJECT

public:
    explicit RunOverlay(MonitorView& view, QObject* parent = nullptr);

    void show(const QStringList& folders);     ///< folders of runs; empty: the view's own run again
    [[nodiscard]] QStringList folders() const; ///< folders of the shown runs

private:
    void showRuns();                       ///< gives the runs to the view
    void giveColours(QStringList folders); ///< to runs without one

    MonitorView& view_;
    std::vector<std::unique_ptr<RunHub>> hubs_; ///< one for each shown run
    std::map<QString, int> colours_; ///< colour of each run that was ever shown, by folder
};

} // namespace weft::ui
