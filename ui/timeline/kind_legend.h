// SPDX-License-Identifier: Apache-2.0
#pragma once
// Legend of a memory map: the shade of each kind of block with its bytes at the peak. If there is
// no room for the bytes, names only.

#include "theme/theme.h"
#include <weft/memory_map.h>

#include <QWidget>
#include <array>

namespace weft::ui {

class Look;

class KindLegend : public QWidget {
    Q_OBJECT

public:
    explicit KindLegend(const Look& look, QWidget* parent = nullptr);
    void show(const std::array<Bytes, blockKinds>& bytesAtPeak, int paletteIndex);
    using QWidget::show;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QStringList entryTexts(bool hasBytes) const; ///< one per kind
    [[nodiscard]] int widthOf(const QStringList& entryTexts) const;

    const Look& look_;
    std::array<Bytes, blockKinds> bytesAtPeak_ = {}; ///< by BlockKind
    int paletteIndex_ = 0;                           ///< palette index of the device
};

} // namespace weft::ui
