// SPDX-License-Identifier: Apache-2.0
#include "tryit/try_view.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/picture_image.h"
#include <weft/error.h>
#include <weft/runs.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr std::int64_t examplesToTry = 500;
constexpr std::size_t mostGuesses = 5;

/// Returns one example of [examples, ...] as [1, ...].
TensorNumbers exampleOf(const TensorNumbers& all, std::int64_t example) {
    TensorNumbers one{all.name, all.shape, {}};
    one.shape[0] = 1;
    const auto size = static_cast<std::size_t>(elementsOf(one.shape));
    const auto begin =
        all.numbers.begin() + static_cast<std::ptrdiff_t>(size * static_cast<std::size_t>(example));
    one.numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    return one;
}

} // namespace

TryView::TryView(const Look& look, const RunHub& hub, Hosts& hosts, QWidget* parent)
    : QWidget(parent), look_(look), hub_(hub), hosts_(hosts), asker_(this) {
    const Sizes& sizes = Look::sizes();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(sizes.space.m, sizes.space.m, sizes.space.m, sizes.space.m);
    row->setSpacing(sizes.space.l);
    auto* left = new QVBoxLayout;
    title_ = new QLabel;
    title_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    left->addWidget(title_);
    facts_ = new QLabel;
    facts_->setWordWrap(true);
    setTier(*facts_, Tier::secondary);
    left->addWidget(facts_);
    inputs_ = new QStackedWidget;
    pad_ = new DrawPad(look_);
    inputs_->addWidget(pad_);
    auto* typing = new QWidget;
    auto* lines = new QVBoxLayout(typing);
    lines->setContentsMargins(0, 0, 0, 0);
    textField_ = new QLineEdit;
    textField_->setFont(Look::mono(sizes.type.body));
    textField_->setPlaceholderText(tr("Type a text"));
    textField_->setAccessibleName(tr("Text for the network to continue"));
    lines->addWidget(textField_);
    lines->addStretch();
    inputs_->addWidget(typing);
    left->addWidget(inputs_, 1);
    auto* buttons = new QHBoxLayout;
    clearButton_ = new QPushButton(tr("Clear"));
    clearButton_->setObjectName(QStringLiteral("clear"));
    buttons->addWidget(clearButton_);
    buttons->addStretch();
    exampleLabel_ = new QLabel;
    exampleLabel_->setFixedSize(2 * 28, 2 * 28);
    exampleLabel_->setAccessibleName(tr("As the network sees it"));
    buttons->addWidget(exampleLabel_);
    left->addLayout(buttons);
    row->addLayout(left, 2);
    auto* middle = new QVBoxLayout;
    auto* head = new QLabel(tr("Answer"));
    head->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    middle->addWidget(head);
    answers_ = new AnswerBars(look_);
    middle->addWidget(answers_);
    middle->addStretch();
    row->addLayout(middle, 2);
    makeEvaluation(*row);
    connectSignals();
    connect(&hub_, &RunHub::grown, this, &TryView::takeGrowth);
    followCheckpoint();
}

void TryView::connectSignals() {
    connect(pad_, &DrawPad::changed, this, &TryView::askDrawing);
    connect(textField_, &QLineEdit::textChanged, this, &TryView::askText);
    connect(clearButton_, &QPushButton::clicked, this, [this] {
        pad_->clear();
        textField_->clear();
        answers_->show(std::vector<ClassGuess>());
    });
    connect(&asker_, &Asker::described, this, &TryView::takeNetworkInputs);
    connect(&asker_, &Asker::answered, this,
            [this](const std::shared_ptr<const InferenceResult>& result) { showAnswer(*result); });
    connect(
        &asker_, &Asker::evaluated, this,
        [this](const std::shared_ptr<const EvaluationResult>& result) { showEvaluation(*result); });
    connect(&asker_, &Asker::failed, this, [this](const QString& message) {
        facts_->setText(message);
        scoreLabel_->setText(QString());
        evaluateButton_->setEnabled(networkInputs_ != nullptr);
    });
}

void TryView::makeEvaluation(QLayout& row) {
    const Sizes& sizes = Look::sizes();
    auto* right = new QVBoxLayout;
    auto* line = new QHBoxLayout;
    evaluateButton_ = new QPushButton(tr("Try unseen examples"));
    evaluateButton_->setToolTip(
        tr("Evaluates the network on the test examples, or on the validation "
           "examples if the data has none"));
    evaluateButton_->setObjectName(QStringLiteral("evaluate"));
    line->addWidget(evaluateButton_);
    scoreLabel_ = new QLabel;
    scoreLabel_->setFont(Look::mono(sizes.type.body));
    line->addWidget(scoreLabel_, 1);
    right->addLayout(line);
    confusion_ = new ConfusionMatrix(look_);
    right->addWidget(confusion_, 3);
    worst_ = new WorstExamples(look_);
    right->addWidget(worst_, 1);
    static_cast<QHBoxLayout&>(row).addLayout(right, 3);
    connect(evaluateButton_, &QPushButton::clicked, this, &TryView::evaluate);
}

void TryView::setDataFolder(const QString& folder) {
    dataFolder_ = folder;
    followCheckpoint();
}

void TryView::takeGrowth(const RunGrowth& growth) {
    const bool isAsked = isVisible() || !hub_.copy();
    if (growth.isNew || (growth.hasFiles && isAsked)) {
        followCheckpoint();
    }
}

void TryView::showEvent(QShowEvent*) {
    if (hub_.copy()) {
        followCheckpoint(); // hidden views ask nothing
    }
}

const RunFile* TryView::checkpoint() {
    return hub_.copy() && !isVisible()
               ? nullptr
               : hosts_.newestLocalCheckpoint(hub_.folder(), hub_.checkpoints());
}

QString TryView::whyNoCheckpoint() const {
    if (hub_.checkpoints().empty()) {
        return tr(
            "A network can be tried after its first checkpoint. Run it, or open an earlier run.");
    }
    const std::filesystem::path run = hub_.folder().toStdString();
    const QString why = hosts_.whyMissing(run / hub_.checkpoints().back().path);
    return why.isEmpty() && hub_.copy() ? tr("The checkpoint is being fetched from %1")
                                              .arg(QString::fromStdString(hub_.copy()->host))
                                        : why;
}

std::vector<std::filesystem::path> TryView::dataFolders() const {
    std::vector<std::filesystem::path> folders;
    try {
        folders = beginOf(hub_.folder().toStdString()).folders;
    } catch (const Error&) { // the data may still lie beside the design
    }
    if (!dataFolder_.isEmpty()) {
        folders.emplace_back(dataFolder_.toStdString());
    }
    return folders;
}

void TryView::followCheckpoint() {
    const RunFile* answers = checkpoint();
    TrainedNetwork network;
    if (answers != nullptr) {
        const std::filesystem::path run = hub_.folder().toStdString();
        network.design = hub_.design();
        network.weights = run / answers->path;
        network.folder = run;
        network.others = dataFolders();
    }
    title_->setText(
        answers != nullptr
            ? tr("%1, step %2").arg(QString::fromStdString(network.design.name)).arg(answers->step)
            : tr("Nothing to try yet"));
    if (asker_.setNetwork(std::move(network))) {
        clearAnswers();
        inputs_->setEnabled(answers !=
                            nullptr); // the drawing is evaluated once the inputs are known
        facts_->clear();
    }
    if (answers == nullptr) {
        facts_->setText(whyNoCheckpoint());
    }
    askDrawing();
}

void TryView::clearAnswers() {
    networkInputs_.reset();
    answers_->show(std::vector<ClassGuess>());
    confusion_->show(ClassScores(), {});
    worst_->show(std::vector<WorstExamples::Shown>());
    scoreLabel_->clear();
    evaluateButton_->setEnabled(false);
}

void TryView::takeNetworkInputs(const std::shared_ptr<const NetworkInputs>& asked) {
    networkInputs_ = asked;
    const InferenceForm& form = networkInputs_->form;
    if (networkInputs_->isPicture()) {
        pad_->setTypicalPicture(networkInputs_->typical);
    }
    inputs_->setCurrentIndex(networkInputs_->isText() ? 1 : 0);
    const bool isByHand = networkInputs_->isPicture() || networkInputs_->isText();
    inputs_->setEnabled(isByHand);
    if (form.inputs.size() > 1) {
        facts_->setText(tr("It has %1 inputs: try unseen examples, which provide all of them.")
                            .arg(form.inputs.size()));
    } else {
        facts_->setText(isByHand
                            ? QString()
                            : tr("Its input can be neither drawn nor typed: try unseen examples."));
    }
    evaluateButton_->setEnabled(
        !form.labels.empty() && !form.inputs.empty() &&
        std::ranges::none_of(form.inputs,
                             [](const InferenceInputForm& input) { return input.field.empty(); }));
    askDrawing();
    askText();
}

void TryView::showExample() {
    const bool isSeen =
        networkInputs_ != nullptr && networkInputs_->isPicture() && !pad_->isEmpty();
    const int side = exampleLabel_->height();
    exampleLabel_->setPixmap(isSeen ? QPixmap::fromImage(pad_->example().scaled(
                                          side, side, Qt::KeepAspectRatio, Qt::FastTransformation))
                                    : QPixmap());
    exampleLabel_->setToolTip(
        isSeen ? tr("As the network sees it, with the size and position of its training pictures")
               : QString());
}

void TryView::askDrawing() {
    showExample();
    if (networkInputs_ != nullptr && networkInputs_->isPicture() && !pad_->isEmpty()) {
        asker_.askPicture(networkInputs_->form.inputs.front().layer, pad_->example());
    }
}

void TryView::askText() {
    if (networkInputs_ == nullptr || !networkInputs_->isText() || textField_->text().isEmpty()) {
        return;
    }
    const InferenceInputForm& input = networkInputs_->form.inputs.front();
    const std::vector<std::string>& vocabulary = networkInputs_->form.classNames;
    const auto length = static_cast<std::size_t>(input.shape[0]);
    const QByteArray text = textField_->text().toUtf8().right(static_cast<qsizetype>(length));
    std::vector<float> ids(length, 0);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto found = std::ranges::find(vocabulary, std::string(1, text[i]));
        ids[static_cast<std::size_t>(i)] =
            found == vocabulary.end() ? 0.0F : static_cast<float>(found - vocabulary.begin());
    }
    asker_.askNumbers(input.layer, input.shape, std::move(ids));
}

void TryView::showAnswer(const InferenceResult& result) {
    for (const InferenceOutput& output : result.outputs) {
        std::vector<ClassGuess> guesses = likeliestClasses(result, output, 0, mostGuesses);
        if (guesses.empty() && output.shape.size() == 3) {
            // There is one row of scores per character; shows the prediction after the last one.
            const std::vector<std::string> words = networkInputs_ == nullptr
                                                       ? std::vector<std::string>()
                                                       : networkInputs_->form.classNames;
            const auto classes = static_cast<std::size_t>(output.shape[2]);
            const qsizetype typed = textField_->text().toUtf8().size();
            const auto at = static_cast<std::size_t>(
                std::clamp<std::int64_t>(typed - 1, 0, output.shape[1] - 1));
            const std::vector<double> shares =
                probabilitiesOf(output.numbers.data() + at * classes, classes);
            for (std::size_t i = 0; i < classes; ++i) {
                guesses.push_back({static_cast<std::int64_t>(i),
                                   i < words.size() ? words[i] : std::to_string(i), shares[i]});
            }
            std::ranges::stable_sort(guesses, std::greater(), &ClassGuess::confidence);
            guesses.resize(std::min(guesses.size(), mostGuesses));
        }
        if (!guesses.empty()) {
            answers_->show(std::move(guesses));
            return;
        }
    }
    facts_->setText(tr("Its output is not a class: see it in Tensors."));
}

void TryView::evaluate() {
    if (networkInputs_ == nullptr) {
        return;
    }
    scoreLabel_->setText(tr("asking…"));
    evaluateButton_->setEnabled(false);
    asker_.evaluate(networkInputs_->form, examplesToTry);
}

void TryView::showEvaluation(const EvaluationResult& result) {
    evaluateButton_->setEnabled(true);
    QStringList names;
    for (const std::string& name : result.classNames) {
        names << QString::fromStdString(name);
    }
    const auto nameOf = [&](std::int64_t index) {
        return index < names.size() ? names[static_cast<int>(index)] : QString::number(index);
    };
    const QString set = result.set == SampleSet::training     ? tr("training examples")
                        : result.set == SampleSet::validation ? tr("validation examples")
                                                              : tr("test examples");
    scoreLabel_->setText(tr("%1 of %2 %3")
                             .arg(quantity::percent(result.scores.accuracy()))
                             .arg(result.scores.examples)
                             .arg(set));
    std::vector<WorstExamples::Shown> shown;
    shown.reserve(result.scores.worst.size());
    for (const WorstExample& one : result.scores.worst) {
        shown.push_back({imageOf(mosaic(exampleOf(result.inputs, one.example), {.scale = 1})),
                         tr("%2 as %1").arg(nameOf(one.predicted), nameOf(one.truth))});
    }
    worst_->show(std::move(shown));
    confusion_->show(result.scores, names);
}

} // namespace weft::ui
