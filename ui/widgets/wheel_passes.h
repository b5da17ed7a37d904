// SPDX-License-Identifier: Apache-2.0
#pragma once
// A field of a form that is scrolled: the wheel moves the form, and changes no setting on its way.

#include <QComboBox>
#include <QEvent>

namespace weft::ui {

class WheelPasses : public QObject {
public:
    /// Lives as long as the field.
    static void over(QComboBox& field) { field.installEventFilter(new WheelPasses(&field)); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel) {
            return QObject::eventFilter(watched, event);
        }
        event->ignore(); // whoever scrolls hears it
        return true;
    }

private:
    explicit WheelPasses(QObject* parent) : QObject(parent) {}
};

} // namespace weft::ui
