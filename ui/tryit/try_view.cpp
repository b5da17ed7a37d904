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
    typed_ = new QLineEdit;
    typed_->setFont(Look::mono(sizes.type.body));
    typed_->setPlaceholderText(tr("Type a text"));
    typed_->setAccessibleName(tr("Text for the network to continue"));
    lines->addWidget(typed_);
    lines->addStretch();
    inputs_->addWidget(typing);
    left->addWidget(inputs_, 1);
    auto* buttons = new QHBoxLayout;
    clear_ = new QPushButton(tr("Clear"));
    clear_->setObjectName(QStringLiteral("clear"));
    buttons->addWidget(clear_);
    buttons->addStretch();
    seen_ = new QLabel;
    seen_->setFixedSize(2 * 28, 2 * 28);
    seen_->setAccessibleName(tr("As the network sees it"));
    buttons->addWidget(seen_);
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
    makeRight(*row);
    listen();
    connect(&hub_, &RunHub::grown, this, &TryView::grow);
    follow();
}

void TryView::listen() {
    connect(pad_, &DrawPad::changed, this, &TryView::askAgain);
    connect(typed_, &QLineEdit::textChanged, this, &TryView::askText);
    connect(clear_, &QPushButton::clicked, this, [this] {
        pad_->clear();
        typed_->clear();
        answers_->show(std::vector<ClassGuess>());
    });
    connect(&asker_, &Asker::described, this, &TryView::take);
    connect(&asker_, &Asker::answered, this,
            [this](const std::shared_ptr<const InferenceResult>& result) { answer(*result); });
    connect(&asker_, &Asker::evaluated, this,
            [this](const std::shared_ptr<const Evaluated>& result) { tellEvaluation(*result); });
    connect(&asker_, &Asker::failed, this, [this](const QString& message) {
        facts_->setText(message);
        score_->setText(QString());
        evaluate_->setEnabled(asked_ != nullptr);
    });
}

void TryView::makeRight(QLayout& row) {
    const Sizes& sizes = Look::sizes();
    auto* right = new QVBoxLayout;
    auto* line = new QHBoxLayout;
    evaluate_ = new QPushButton(tr("Try unseen examples"));
    evaluate_->setToolTip(tr("Evaluates the network on the test examples, or on the validation "
                             "examples if the data has none"));
    evaluate_->setObjectName(QStringLiteral("evaluate"));
    line->addWidget(evaluate_);
    score_ = new QLabel;
    score_->setFont(Look::mono(sizes.type.body));
    line->addWidget(score_, 1);
    right->addLayout(line);
    confusion_ = new ConfusionMatrix(look_);
    right->addWidget(confusion_, 3);
    worst_ = new WorstExamples(look_);
    right->addWidget(worst_, 1);
    static_cast<QHBoxLayout&>(row).addLayout(right, 3);
    connect(evaluate_, &QPushButton::clicked, this, &TryView::evaluate);
}

void TryView::setDataFolder(const QString& folder) {
    dataFolder_ = folder;
    follow();
}

void TryView::grow(const RunGrowth& growth) {
    const bool isAsked = isVisible() || !hub_.copy();
    if (growth.isNew || (growth.hasFiles && isAsked)) {
        follow();
    }
}

void TryView::showEvent(QShowEvent*) {
    if (hub_.copy()) {
        follow(); // hidden views ask nothing
    }
}

const RunFile* TryView::checkpoint() {
    return hub_.copy() && !isVisible()
               ? nullptr
               : hosts_.newestLocalCheckpoint(hub_.folder(), hub_.checkpoints());
}

QString TryView::whyNone() const {
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

void TryView::follow() {
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
        forget();
        inputs_->setEnabled(answers != nullptr); // the drawing is evaluated later
        facts_->clear();
    }
    if (answers == nullptr) {
        facts_->setText(whyNone());
    }
    askAgain();
}

void TryView::forget() {
    asked_.reset();
    answers_->show(std::vector<ClassGuess>());
    confusion_->show(ClassScores(), {});
    worst_->show(std::vector<WorstExamples::Shown>());
    score_->clear();
    evaluate_->setEnabled(false);
}

void TryView::take(const std::shared_ptr<const Asked>& asked) {
    asked_ = asked;
    const InferenceForm& form = asked_->form;
    if (asked_->isPicture()) {
        pad_->setHabit(asked_->habit);
    }
    inputs_->setCurrentIndex(asked_->isText() ? 1 : 0);
    const bool isByHand = asked_->isPicture() || asked_->isText();
    inputs_->setEnabled(isByHand);
    if (form.inputs.size() > 1) {
        facts_->setText(tr("It has %1 inputs: try unseen examples, which provide all of them.")
                            .arg(form.inputs.size()));
    } else {
        facts_->setText(isByHand
                            ? QString()
                            : tr("Its input can be neither drawn nor typed: try unseen examples."));
    }
    evaluate_->setEnabled(!form.labels.empty() && !form.inputs.empty() &&
                          std::ranges::none_of(form.inputs, [](const InferenceInputForm& input) {
                              return input.field.empty();
                          }));
    askAgain();
    askText();
}

void TryView::showSeen() {
    const bool isSeen = asked_ != nullptr && asked_->isPicture() && !pad_->isEmpty();
    const int side = seen_->height();
    seen_->setPixmap(isSeen ? QPixmap::fromImage(pad_->example().scaled(
                                  side, side, Qt::KeepAspectRatio, Qt::FastTransformation))
                            : QPixmap());
    seen_->setToolTip(
        isSeen ? tr("As the network sees it, with the size and position of its training pictures")
               : QString());
}

void TryView::askAgain() {
    showSeen();
    if (asked_ != nullptr && asked_->isPicture() && !pad_->isEmpty()) {
        asker_.askPicture(asked_->form.inputs.front().layer, pad_->example());
    }
}

void TryView::askText() {
    if (asked_ == nullptr || !asked_->isText() || typed_->text().isEmpty()) {
        return;
    }
    const InferenceInputForm& input = asked_->form.inputs.front();
    const std::vector<std::string>& vocabulary = asked_->form.classNames;
    const auto length = static_cast<std::size_t>(input.shape[0]);
    const QByteArray text = typed_->text().toUtf8().right(static_cast<qsizetype>(length));
    std::vector<float> ids(length, 0);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto found = std::ranges::find(vocabulary, std::string(1, text[i]));
        ids[static_cast<std::size_t>(i)] =
            found == vocabulary.end() ? 0.0F : static_cast<float>(found - vocabulary.begin());
    }
    asker_.askNumbers(input.layer, input.shape, std::move(ids));
}

void TryView::answer(const InferenceResult& result) {
    for (const InferenceOutput& output : result.outputs) {
        std::vector<ClassGuess> guesses = likeliestClasses(result, output, 0, mostGuesses);
        if (guesses.empty() && output.shape.size() == 3) {
            // There is one row of scores per character; shows the prediction after the last one.
            const std::vector<std::string> words =
                asked_ == nullptr ? std::vector<std::string>() : asked_->form.classNames;
            const auto classes = static_cast<std::size_t>(output.shape[2]);
            const qsizetype typed = typed_->text().toUtf8().size();
            const auto at = static_cast<std::size_t>(
                std::clamp<std::int64_t>(typed - 1, 0, output.shape[1] - 1));
            const std::vector<double> shares =
                sharesOf(output.numbers.data() + at * classes, classes);
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
    if (asked_ == nullptr) {
        return;
    }
    score_->setText(tr("asking…"));
    evaluate_->setEnabled(false);
    asker_.evaluate(asked_->form, examplesToTry);
}

void TryView::tellEvaluation(const Evaluated& result) {
    evaluate_->setEnabled(true);
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
    score_->setText(tr("%1 of %2 %3")
                        .arg(quantity::percent(result.scores.accuracy()))
                        .arg(result.scores.examples)
                        .arg(set));
    std::vector<WorstExamples::Shown> shown;
    shown.reserve(result.scores.worst.size());
    for (const WorstExample& one : result.scores.worst) {
        shown.push_back({imageOf(mosaic(exampleOf(result.inputs, one.example), {.scale = 1})),
                         tr("%2 as %1").arg(nameOf(one.said), nameOf(one.truth))});
    }
    worst_->show(std::move(shown));
    confusion_->show(result.scores, names);
}

} // namespace weft::ui
