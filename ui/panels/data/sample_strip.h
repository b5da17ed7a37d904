// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Some real examples: pictures in a row with their labels, or a line of text each.

#include "panels/data/shown_samples.h"
#include "theme/look.h"

#include <QWidget>

namespace weft::ui {

class SampleStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int most = 8;

    explicit SampleStrip(Look& look, QWidget* parent = nullptr);
    void show(std::vector<ShownSample> samples);
    [[nodiscard]] const std::vector<ShownSample>& samples() const { return samples_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool arePictures() const;
    [[nodiscard]] int tile() const;
    void paintPictures(QPainter& painter) const;
    void paintLines(QPainter& painter) const;
    void fit();

    Look& look_;
    std::vector<ShownSample> samples_;
};

} // namespace weft::ui
