// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the mouse wheel scroll the form instead of changing a field under the pointer.

#include <QComboBox>
#include <QEvent>

namespace weft::ui {

class WheelFilter : public QObject {
public:
    /// Installs the filter; the field owns it.
    static void installOn(QComboBox& field) { field.installEventFilter(new WheelFilter(&field)); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel) {
            return QObject::eventFilter(watched, event);
        }
        event->ignore(); // lets the parent scroll
        return true;
    }

private:
    explicit WheelFilter(QObject* parent) : QObject(parent) {}
};

} // namespace weft::ui
