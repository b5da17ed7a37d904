// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows the lines of feed_lines.h as rows: fields and inputs can be changed in place, and
// mismatches are fixed by a click, each as one undo step.

#include "panels/data/feed_lines.h"
#include "workspace/window_context.h"

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
    explicit FeedRows(WindowContext& context, QWidget* parent = nullptr);

    /// `source`: nullptr if it could not be read. If both are nullptr, nothing is shown.
    void show(OpenDesign* design, const SampleSource* source);
    [[nodiscard]] const std::vector<FeedLine>& lines() const { return lines_; }

private:
    void build();
    QWidget* makeRow(const FeedLine& line);
    void addFieldAndInput(QVBoxLayout& rows, QWidget* row, const FeedLine& line);
    void addProblem(QVBoxLayout& rows, QWidget* row, const FeedLine& line);
    QWidget* makeFieldList(const FeedLine& line, QWidget* row);
    QWidget* makeInputList(const FeedLine& line, QWidget* row);
    QWidget* makeAddInputButton(const FeedLine& line, QWidget* row);

    void setFieldOfInput(LayerId input, const QString& field);
    /// Connects the line's field to `input`; the line's own input gets the field that `input` had.
    void moveField(const FeedLine& line, LayerId input);
    void addInput(const QString& field);
    [[nodiscard]] const SampleField* fieldNamed(const QString& name) const;

    WindowContext& context_;
    QPointer<OpenDesign> design_;
    bool hasSource_ = false;
    SampleSource source_;
    std::vector<FeedLine> lines_;
    QString builtTheme_; ///< theme that the rows were built for
    QWidget* content_;
};

} // namespace weft::ui
