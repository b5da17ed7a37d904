// SPDX-License-Identifier: Apache-2.0
#pragma once
// A trained network to ask: TryView(look, hub, hosts) with the RunHub of the run whose newest
// checkpoint answers, and the Hosts that bring it where it is elsewhere; `setDataFolder` says where
// the files of its data are. Draw, drop a picture or type, and it answers with its confidences; on
// examples that were held out it shows its confusion and its worst mistakes.

#include "session/hosts.h"
#include "session/run_hub.h"
#include "tryit/answer_views.h"
#include "tryit/asker.h"
#include "tryit/draw_pad.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace weft::ui {

class TryView : public QWidget {
    Q_OBJECT

public:
    TryView(const Look& look, const RunHub& hub, Hosts& hosts, QWidget* parent = nullptr);

    void setDataFolder(const QString& folder);
    [[nodiscard]] DrawPad& pad() { return *pad_; }
    [[nodiscard]] QLineEdit& typed() { return *typed_; }
    [[nodiscard]] AnswerBars& answers() { return *answers_; }
    [[nodiscard]] ConfusionMatrix& confusion() { return *confusion_; }
    [[nodiscard]] WorstExamples& worst() { return *worst_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// The one that answers; nullptr: none does.
    [[nodiscard]] const RunFile* checkpoint();
    /// Why none does.
    [[nodiscard]] QString whyNone() const;
    void evaluate();
    void grow(const RunGrowth& growth);
    void follow();
    void forget();
    void take(const std::shared_ptr<const Asked>& asked);
    void showSeen();
    void askAgain();
    void askText();
    void answer(const InferenceResult& result);
    void tellEvaluation(const Evaluated& result);
    void makeRight(QLayout& row);
    void listen();

    const Look& look_;
    const RunHub& hub_;
    Hosts& hosts_;
    Asker asker_;
    std::shared_ptr<const Asked> asked_; ///< nullptr until it is known
    QString dataFolder_;
    QLabel* title_ = nullptr;
    QLabel* facts_ = nullptr;
    QStackedWidget* inputs_ = nullptr;
    DrawPad* pad_ = nullptr;
    QLineEdit* typed_ = nullptr;
    QPushButton* clear_ = nullptr;
    QLabel* seen_ = nullptr; ///< the example as the network sees it
    QPushButton* evaluate_ = nullptr;
    AnswerBars* answers_ = nullptr;
    ConfusionMatrix* confusion_ = nullptr;
    QLabel* score_ = nullptr;
    WorstExamples* worst_ = nullptr;
};

} // namespace weft::ui
