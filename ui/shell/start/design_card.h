// SPDX-License-Identifier: Apache-2.0
#pragma once
// A card of the start page for one design: overview picture, name, devices and size. A separate
// thread draws the picture.

#include "theme/look.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <QAbstractButton>
#include <QImage>
#include <memory>

namespace weft::ui {

class DesignCard : public QAbstractButton {
    Q_OBJECT

public:
    DesignCard(Look& look, std::shared_ptr<const std::vector<LayerKindInfo>> kinds, Design design,
               const QString& title, QString line, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void draw(); ///< picture_, on another thread

    Look& look_;
    std::shared_ptr<const std::vector<LayerKindInfo>> kinds_;
    std::shared_ptr<const Design> design_;
    QString line_;   ///< date and size of the design
    QString note_;   ///< first line of the design's note
    QImage picture_; ///< overview of the design; null: not drawn yet
};

/// Returns the number of layers and parameters: "13 layers · 61.1 M".
[[nodiscard]] QString sizeOf(const Design& design);

} // namespace weft::ui
