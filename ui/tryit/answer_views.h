// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views of a network's output: class scores as bars, and for many examples a confusion matrix and a
// row of pictures.

#include "tryit/class_scores.h"

#include <QImage>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace weft::ui {

class Look;

/// The most likely classes with their confidence.
class AnswerBars : public QWidget {
    Q_OBJECT

public:
    explicit AnswerBars(const Look& look, QWidget* parent = nullptr);
    void show(std::vector<ClassGuess> guesses);
    using QWidget::show;
    [[nodiscard]] const std::vector<ClassGuess>& guesses() const { return guesses_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    std::vector<ClassGuess> guesses_;
};

/// Rows are true classes, columns predicted ones; darker means more examples.
class ConfusionMatrix : public QWidget {
    Q_OBJECT

public:
    explicit ConfusionMatrix(const Look& look, QWidget* parent = nullptr);
    void show(ClassScores scores, QStringList names);
    using QWidget::show;
    [[nodiscard]] const ClassScores& scores() const { return scores_; }
    [[nodiscard]] QSize sizeHint() const override { return {300, 300}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect cell(std::int64_t truth, std::int64_t predicted) const;
    [[nodiscard]] QString nameOf(std::int64_t index) const;

    const Look& look_;
    ClassScores scores_;
    QStringList names_;
};

/// The examples with the most confident errors.
class WorstExamples : public QWidget {
    Q_OBJECT

public:
    explicit WorstExamples(const Look& look, QWidget* parent = nullptr);
    struct Shown {
        QImage image;
        QString text; ///< such as "1 as 7": true class, predicted class
    };
    void show(std::vector<Shown> examples);
    using QWidget::show;
    [[nodiscard]] const std::vector<Shown>& examples() const { return examples_; }
    [[nodiscard]] QSize sizeHint() const override { return {300, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    std::vector<Shown> examples_;
};

} // namespace weft::ui
