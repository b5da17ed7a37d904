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
    [[nodiscard]] QLineEdit& typed() { return *textField_; }
    [[nodiscard]] AnswerBars& answers() { return *answers_; }
    [[nodiscard]] ConfusionMatrix& confusion() { return *confusion_; }
    [[nodiscard]] WorstExamples& worst() { return *worst_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] const RunFile* checkpoint();     ///< returns the checkpoint in use; nullptr: none
    [[nodiscard]] QString whyNoCheckpoint() const; ///< returns why there is no checkpoint
    void evaluate();
    void takeGrowth(const RunGrowth& growth);
    /// Returns where the data of the run may lie, those that it recorded first.
    [[nodiscard]] std::vector<std::filesystem::path> dataFolders() const;
    void followCheckpoint();
    void clearAnswers();
    void takeNetworkInputs(const std::shared_ptr<const NetworkInputs>& asked);
    void showExample();
    void askDrawing();
    void askText();
    void showAnswer(const InferenceResult& result);
    void showEvaluation(const EvaluationResult& result);
    void makeEvaluation(QLayout& row);
    void connectSignals();

    const Look& look_;
    const RunHub& hub_;
    Hosts& hosts_;
    Asker asker_;
    std::shared_ptr<const NetworkInputs> networkInputs_; ///< nullptr until it is known
    QString dataFolder_;
    QLabel* title_ = nullptr;
    QLabel* facts_ = nullptr;
    QStackedWidget* inputs_ = nullptr;
    DrawPad* pad_ = nullptr;
    QLineEdit* textField_ = nullptr;
    QPushButton* clearButton_ = nullptr;
    QLabel* exampleLabel_ = nullptr; ///< the example as the network receives it
    QPushButton* evaluateButton_ = nullptr;
    AnswerBars* answers_ = nullptr;
    ConfusionMatrix* confusion_ = nullptr;
    QLabel* scoreLabel_ = nullptr;
    WorstExamples* worst_ = nullptr;
};

} // namespace weft::ui
