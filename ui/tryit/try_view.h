// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tries a trained network: TryView(look, hub, hosts) with the hub of the run whose newest
// checkpoint is used, and the Hosts that fetch it if it is remote; `setDataFolder` sets the folder
// of the data files. Takes a drawing, a picture or a text and shows the output with confidences; on
// held-out examples, shows the confusion matrix and the worst errors.

#include "launch/hosts.h"
#include "runs/run_hub.h"
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
    /// Returns the checkpoint in use; nullptr: none.
    [[nodiscard]] const RunFile* checkpoint();
    /// Returns why there is no checkpoint.
    [[nodiscard]] QString whyNone() const;
    void evaluate();
    void grow(const RunGrowth& growth);
    /// Returns where the data of the run may lie, those that it recorded first.
    [[nodiscard]] std::vector<std::filesystem::path> dataFolders() const;
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
    QLabel* seen_ = nullptr; ///< the example as the network receives it
    QPushButton* evaluate_ = nullptr;
    AnswerBars* answers_ = nullptr;
    ConfusionMatrix* confusion_ = nullptr;
    QLabel* score_ = nullptr;
    WorstExamples* worst_ = nullptr;
};

} // namespace weft::ui
