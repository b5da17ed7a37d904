// SPDX-License-Identifier: Apache-2.0
#pragma once
// Any number of runs laid over each other in a monitor: RunOverlay(view), then `show` with their
// folders. It follows each of them, living or ended, as long as it is shown. A run keeps the colour
// that it was given first, in whichever order and beside whichever others it is shown later. The
// view may be half destroyed when this goes, so nothing is asked of it then: it sees that the runs
// are gone.

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

    /// None: the view's own run again.
    void show(const QStringList& folders);
    [[nodiscard]] QStringList folders() const;

private:
    void lay();
    void giveColours(QStringList folders);

    MonitorView& view_;
    std::vector<std::unique_ptr<RunHub>> hubs_;
    std::map<QString, int> colours_; ///< of each run that was ever shown, by folder
};

} // namespace weft::ui
