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

    /// An empty list shows the view's own run again.
    void show(const QStringList& folders);
    [[nodiscard]] QStringList folders() const;

private:
    void lay();
    void giveColours(QStringList folders);

    MonitorView& view_;
    std::vector<std::unique_ptr<RunHub>> hubs_;
    std::map<QString, int> colours_; ///< colour of each run that was ever shown, by folder
};

} // namespace weft::ui
