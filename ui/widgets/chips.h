// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device as a small square of its colour with its digit, alone and in a row.

#include "theme/theme.h"

#include <QIcon>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

class QPainter;

namespace weft::ui {

/// What stands on a device's chip: "2" of "cpu:2", "1" of "cuda:0/1"; empty where its name has no
/// number.
[[nodiscard]] QString digitOf(const QString& device);
/// A square of the device's colour with its number on it; `device` empty: without a number.
void drawChip(QPainter& painter, const QRect& box, int slot, const QString& device,
              const Theme& theme);
/// For rows of lists and choosers.
[[nodiscard]] QIcon chipIcon(int slot, const QString& device, const Theme& theme);

class ChipRow : public QWidget {
    Q_OBJECT

public:
    ChipRow(std::function<const Theme&()> theme, QWidget* parent = nullptr);
    /// `names` are told by the tooltip and to screen readers.
    void setDevices(const std::vector<int>& hues, const QStringList& names);
    [[nodiscard]] QSize sizeHint() const override;
    /// One, and how many more there are.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::function<const Theme&()> theme_;
    std::vector<int> hues_;
    QStringList names_;
};

} // namespace weft::ui
