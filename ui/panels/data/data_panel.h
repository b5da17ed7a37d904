// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where examples come from, with the attributes of the source, and some of them as they are; which
// field feeds which input; how many make a step, what is held out, and how a batch is cut over the
// devices.

#include "session/setting_form.h"
#include <weft/samples.h>

#include <QTimer>

class QLabel;
class QToolButton;

namespace weft::ui {

class FeedRows;
class SampleStrip;
class SourceRows;

class DataPanel : public SettingForm {
    Q_OBJECT

public:
    explicit DataPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    class BatchRuler;
    struct LookedAt;
    static LookedAt lookAt(const SampleRequest& request);

    AttributeField* makeSource();
    void lay();
    QLabel* addHead(const QString& title, int at);
    void choose(const std::string& source);
    void follow();
    void read();
    void take(const LookedAt& found);
    void showSource();
    /// The problem that the picker mends.
    [[nodiscard]] std::optional<Diagnostic> asking() const;
    void showFix();
    void showFeeds();
    void showBatch();
    /// From row to row, whichever of them was made last.
    void orderKeys();

    AttributeField* source_;
    QLabel* help_;
    SourceRows* places_;
    QLabel* words_;    ///< what was found, or why nothing was
    QToolButton* fix_; ///< asks for the file that is missing
    SampleStrip* samples_;
    QLabel* feedsHead_ = nullptr;
    FeedRows* feeds_;
    QLabel* restHead_ = nullptr;
    SourceRows* rest_;
    BatchRuler* ruler_;
    QList<QWidget*> ordered_; ///< for comparing alone: they may be gone
    QTimer soon_;             ///< while one types, nothing is read
    DataSettings asked_;
    QString askedIn_;
    int number_ = 0;                    ///< of the newest question
    std::optional<SampleSource> known_; ///< of the newest answer, of the same kind of source
};

} // namespace weft::ui
