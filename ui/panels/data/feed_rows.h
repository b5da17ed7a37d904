// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lines of feed_lines.h as rows: another field or another input is chosen in place, and what
// does not fit is mended by a click. Each is one step of the history.

#include "panels/data/feed_lines.h"
#include "session/bench.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QLayout;
class QToolButton;
class QVBoxLayout;

namespace weft::ui {

class FeedRows : public QWidget {
    Q_OBJECT

public:
    explicit FeedRows(Bench& bench, QWidget* parent = nullptr);

    /// `source`: nullptr where it could not be read; nullptr for both: nothing is shown.
    void show(OpenDesign* design, const SampleSource* source);
    [[nodiscard]] const std::vector<FeedLine>& lines() const { return lines_; }

private:
    void build();
    QWidget* makeRow(const FeedLine& line);
    void addEnds(QVBoxLayout& rows, QWidget* row, const FeedLine& line);
    void addWords(QVBoxLayout& rows, QWidget* row, const FeedLine& line);
    QWidget* makeFields(const FeedLine& line, QWidget* row);
    QWidget* makeInputs(const FeedLine& line, QWidget* row);
    QWidget* makeAdder(const FeedLine& line, QWidget* row);

    void feed(LayerId input, const QString& field);
    /// The line's field feeds that input, and its own input what that one was fed by.
    void move(const FeedLine& line, LayerId input);
    void addInput(const QString& field);
    [[nodiscard]] const SampleField* fieldNamed(const QString& name) const;

    Bench& bench_;
    QPointer<OpenDesign> design_;
    bool isKnown_ = false;
    SampleSource source_;
    std::vector<FeedLine> lines_;
    QString built_; ///< the theme it was made for
    QWidget* content_;
};

} // namespace weft::ui
