// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows some real examples: pictures in rows with their labels, or one line of text each; empty
// frames while they are being read.

#include "panels/data/shown_samples.h"
#include "theme/look.h"

#include <QWidget>

namespace weft::ui {

class SampleStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int mostSamples = 12;

    explicit SampleStrip(Look& look, QWidget* parent = nullptr);
    void show(std::vector<ShownSample> samples);
    void showReading(); ///< shows empty frames, as many as there were examples before
    [[nodiscard]] bool isReading() const { return isReading_; }
    [[nodiscard]] const std::vector<ShownSample>& samples() const { return samples_; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool arePictures() const;
    [[nodiscard]] int boxCount() const;
    [[nodiscard]] int columns() const;           ///< examples per row
    [[nodiscard]] int tileSize() const;          ///< side of a picture in pixels
    [[nodiscard]] QRect boxOf(int sample) const; ///< returns the box of one example with its label
    void paintFrames(QPainter& painter) const;
    void paintPictures(QPainter& painter) const;
    void paintLines(QPainter& painter) const;
    void fitHeight();

    Look& look_;
    std::vector<ShownSample> samples_;
    bool isReading_ = false;
    int previousCount_ = mostSamples; ///< number of examples before
};

} // namespace weft::ui
