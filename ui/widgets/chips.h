// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a device as a small square in its colour with its number, and a row of such squares.

#include "theme/theme.h"

#include <QIcon>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

class QPainter;

namespace weft::ui {

/// Returns the number on a device's chip: "2" for "cpu:2", "1" for "cuda:0/1"; empty if its name
/// has no number.
[[nodiscard]] QString digitOf(const QString& device); ///< "2" for "cpu:2"
/// Draws a chip; `slot`: index of the device palette; an empty `device` has no number.
void drawChip(QPainter& painter, const QRect& box, int slot, const QString& device,
              const Theme& theme);
/// Returns a chip as an icon for lists and combo boxes.
[[nodiscard]] QIcon chipIcon(int slot, const QString& device, const Theme& theme);

class ChipRow : public QWidget {
    Q_OBJECT

public:
    ChipRow(std::function<const Theme&()> theme, QWidget* parent = nullptr);
    /// `names` are shown in the tooltip and read by screen readers.
    void setDevices(const std::vector<int>& hues, const QStringList& names);
    [[nodiscard]] QSize sizeHint() const override;
    /// Room for one chip and the number of further ones.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::function<const Theme&()> theme_; ///< the active theme
    std::vector<int> hues_;               ///< palette index of each device
    QStringList names_;                   ///< name of each device
};

} // namespace weft::ui
