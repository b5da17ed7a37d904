// SPDX-License-Identifier: GPL-3.0-or-later
#include "tryit/try_view.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/picture_image.h"

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

/// One example of [examples, ...], as [1, ...].
TensorNumbers exampleOf(const TensorNumbers& all, std::int64_t example) {
    TensorNumbers one{all.name, all.shape, {}};
    one.shape[0] = 1;
    const auto size = static_cast<std::size_t>(elementsOf(one.shape));
    const auto begin =
        all.numbers.begin() + static_cast<std::ptrdiff_t>(size * static_cast<std::size_t>(example));
    one.numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    return one;
}

/// Whether it is only compared with: what the network learns to answer.
bool isTarget(const Network& network, LayerId input) {
    const auto isOfInput = [&](const Wire& wire) { return wire.from.layer == input; };
    return std::ranges::any_of(network.wires, isOfInput) &&
           std::ranges::all_of(network.wires, [&](const Wire& wire) {
               return !isOfInput(wire) || wire.to.port == "target";
           });
}

} // namespace

TryView::TryView(const Look& look, const RunHub& hub, QWidget* parent)
    : QWidget(parent), look_(look), hub_(hub) {
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
    typed_->setAccessibleName(tr("Text that the network goes on with"));
    lines->addWidget(typed_);
    lines->addStretch();
    inputs_->addWidget(typing);
    left->addWidget(inputs_, 1);
    auto* buttons = new QHBoxLayout;
    clear_ = new QPushButton(tr("Clear"));
    buttons->addWidget(clear_);
    buttons->addStretch();
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
    connect(&asker_, &Asker::answered, this,
            [this](const std::shared_ptr<const InferenceResult>& result) { answer(*result); });
    connect(&asker_, &Asker::evaluated, this,
            [this](const std::shared_ptr<const Evaluated>& result) { tellEvaluation(*result); });
    connect(&asker_, &Asker::failed, this, [this](const QString& message) {
        facts_->setText(message);
        score_->setText(QString());
        evaluate_->setEnabled(true);
    });
}

void TryView::makeRight(QLayout& row) {
    const Sizes& sizes = Look::sizes();
    auto* right = new QVBoxLayout;
    auto* line = new QHBoxLayout;
    evaluate_ = new QPushButton(tr("Try held-out examples"));
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

TryView::Form TryView::formOf(const Design& design) {
    Form form;
    for (const auto& [name, field] : design.data.feeds) {
        const Layer* layer = findLayer(design.network, name);
        if (layer == nullptr || !layer->attributes.has("shape")) {
            continue;
        }
        const Shape shape = layer->attributes.integers("shape");
        if (isTarget(design.network, layer->id)) {
            // Only where an example has one class are there mistakes to count.
            form.label = shape.empty() ? field : form.label;
        } else if (form.layer.empty() || shape.size() > form.shape.size()) {
            form.layer = name;
            form.field = field;
            form.shape = shape;
        }
    }
    return form;
}

void TryView::setDataFolder(const QString& folder) {
    dataFolder_ = folder;
    follow();
}

void TryView::grow(const RunGrowth& growth) {
    if (growth.isNew || growth.hasFiles) {
        follow();
    }
}

void TryView::follow() {
    const bool isTrained = !hub_.checkpoints().empty();
    TrainedNetwork network;
    if (isTrained) {
        const std::filesystem::path run = hub_.folder().toStdString();
        network.design = hub_.design();
        network.weights = run / hub_.checkpoints().back().path;
        network.dataFolder =
            dataFolder_.isEmpty() ? run : std::filesystem::path(dataFolder_.toStdString());
    }
    const bool isOther = network.design.network != asker_.network().design.network;
    asker_.setNetwork(network);
    title_->setText(isTrained ? tr("%1, step %2")
                                    .arg(QString::fromStdString(network.design.name))
                                    .arg(hub_.checkpoints().back().step)
                              : tr("Nothing to ask yet"));
    facts_->setText(isTrained ? QString()
                              : tr("A network answers from its first checkpoint on. Run it, or "
                                   "open a run that was."));
    if (isOther) {
        form_ = formOf(network.design);
        if (form_.isPicture()) {
            const std::size_t dims = form_.shape.size();
            pad_->setForm(dims == 3 ? static_cast<int>(form_.shape[0]) : 1,
                          static_cast<int>(form_.shape[dims - 2]),
                          static_cast<int>(form_.shape[dims - 1]));
        }
        inputs_->setCurrentIndex(form_.isText() ? 1 : 0);
        vocabulary_.clear();
        answers_->show(std::vector<ClassGuess>());
        confusion_->show(ClassScores(), {});
        worst_->show(std::vector<WorstExamples::Shown>());
        score_->clear();
    }
    inputs_->setEnabled(isTrained && (form_.isPicture() || form_.isText()));
    evaluate_->setEnabled(isTrained && !form_.label.empty());
    askAgain();
}

void TryView::askAgain() {
    if (form_.isPicture() && !pad_->isEmpty()) {
        asker_.askPicture(form_.layer, pad_->example());
    }
}

void TryView::askText() {
    if (!form_.isText() || typed_->text().isEmpty() || !asker_.network().isThere()) {
        return;
    }
    if (vocabulary_.empty()) {
        try {
            vocabulary_ =
                describeSamples({asker_.network().design.data, asker_.network().dataFolder, {}})
                    .classNames;
        } catch (const std::exception& error) {
            facts_->setText(QString::fromUtf8(error.what()));
            return;
        }
    }
    const auto length = static_cast<std::size_t>(form_.shape[0]);
    const QByteArray text = typed_->text().toUtf8().right(static_cast<qsizetype>(length));
    std::vector<float> ids(length, 0);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto found = std::ranges::find(vocabulary_, std::string(1, text[i]));
        ids[static_cast<std::size_t>(i)] =
            found == vocabulary_.end() ? 0.0F : static_cast<float>(found - vocabulary_.begin());
    }
    asker_.askNumbers(form_.layer, form_.shape, std::move(ids));
}

void TryView::answer(const InferenceResult& result) {
    for (const InferenceOutput& output : result.outputs) {
        std::vector<ClassGuess> guesses = likeliestClasses(result, output, 0, mostGuesses);
        if (guesses.empty() && output.shape.size() == 3) {
            // A row of scores per character: what follows the last one typed.
            const auto classes = static_cast<std::size_t>(output.shape[2]);
            const qsizetype typed = typed_->text().toUtf8().size();
            const auto at = static_cast<std::size_t>(
                std::clamp<std::int64_t>(typed - 1, 0, output.shape[1] - 1));
            const std::vector<double> shares =
                sharesOf(output.numbers.data() + at * classes, classes);
            for (std::size_t i = 0; i < classes; ++i) {
                guesses.push_back({static_cast<std::int64_t>(i),
                                   i < vocabulary_.size() ? vocabulary_[i] : std::to_string(i),
                                   shares[i]});
            }
            std::ranges::stable_sort(guesses, std::greater(), &ClassGuess::confidence);
            guesses.resize(std::min(guesses.size(), mostGuesses));
        }
        if (!guesses.empty()) {
            answers_->show(std::move(guesses));
            return;
        }
    }
    facts_->setText(tr("What it makes are no classes: look at it in Tensors."));
}

void TryView::evaluate() {
    score_->setText(tr("asking…"));
    evaluate_->setEnabled(false);
    asker_.evaluate(form_.layer, form_.field, form_.label, examplesToTry);
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
                         tr("%1, is %2").arg(nameOf(one.said), nameOf(one.truth))});
    }
    worst_->show(std::move(shown));
    confusion_->show(result.scores, names);
}

} // namespace weft::ui
