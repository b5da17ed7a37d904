// SPDX-License-Identifier: Apache-2.0
#include "panels/data/feed_rows.h"

#include "layout/arrange.h"
#include "panels/data/link_button.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "widgets/wheel_filter.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int leastCombo = 56;

QLabel* feedLabel(const QString& text, Tier tier, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setTier(*label, tier);
    return label;
}

QComboBox* feedCombo(const QString& name, const QString& help, QWidget* parent) {
    auto* combo = new QComboBox(parent);
    combo->setObjectName(name);
    combo->setAccessibleName(help);
    combo->setToolTip(help);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumWidth(leastCombo);
    WheelFilter::installOn(*combo);
    return combo;
}

} // namespace

FeedRows::FeedRows(WindowContext& context, QWidget* parent)
    : QWidget(parent), context_(context), content_(new QWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(content_);
}

void FeedRows::show(OpenDesign* design, const SampleSource* source) {
    std::vector<FeedLine> lines;
    if (design != nullptr) {
        const SampleSource none;
        lines = feedLines(inputFeeds(design->document().design(),
                                     source == nullptr ? none : *source, *context_.kinds),
                          source);
    }
    design_ = design;
    hasSource_ = source != nullptr;
    source_ = source == nullptr ? SampleSource{} : *source;
    const QString wanted =
        context_.look.theme().isDark ? QStringLiteral("dark") : QStringLiteral("light");
    if (lines != lines_ || wanted != builtTheme_) {
        lines_ = std::move(lines);
        builtTheme_ = wanted;
        build();
    }
    setVisible(!lines_.empty());
}

void FeedRows::build() {
    // Restores the focus by object name after rebuilding.
    const QWidget* focused = QApplication::focusWidget();
    const QString name = content_->isAncestorOf(focused) ? focused->objectName() : QString();
    auto* content = new QWidget(this);
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(tokens().sizes.space.s);
    for (const FeedLine& line : lines_) {
        rows->addWidget(makeRow(line));
    }
    // replaceWidget returns the old layout item, which the caller must delete.
    delete layout()->replaceWidget(content_, content);
    content_->hide();
    content_->setParent(nullptr); // findChild must not find the old row
    content_->deleteLater();      // deleted later, because one of its rows may have made the change
    content_ = content;
    content_->show();
    if (name.isEmpty()) {
        return;
    }
    auto* again = content_->findChild<QWidget*>(name);
    if (again == nullptr) { // the focused fix is gone, so focuses its row
        const QString row = name.mid(name.indexOf(' ') + 1);
        again = content_->findChild<QWidget*>(QStringLiteral("field of ") + row);
    }
    again = again == nullptr ? content_->findChild<QComboBox*>() : again;
    if (again != nullptr) {
        again->setFocus(Qt::OtherFocusReason);
    }
}

QWidget* FeedRows::makeRow(const FeedLine& line) {
    const Sizes::Space& space = tokens().sizes.space;
    auto* row = new QWidget(content_);
    auto* rows = new QVBoxLayout(row);
    rows->setContentsMargins(space.l, 0, space.l, 0);
    rows->setSpacing(2);
    addFieldAndInput(*rows, row, line);
    addProblem(*rows, row, line);
    return row;
}

void FeedRows::addFieldAndInput(QVBoxLayout& rows, QWidget* row, const FeedLine& line) {
    auto* ends = new QHBoxLayout;
    ends->setSpacing(tokens().sizes.space.s);
    ends->addWidget(makeFieldList(line, row), 1);
    ends->addWidget(feedLabel(QStringLiteral("→"), Tier::tertiary, row));
    ends->addWidget(makeInputList(line, row), 1);
    if (line.layer.isNone()) {
        ends->addWidget(makeAddInputButton(line, row));
    }
    rows.addLayout(ends);
    QLabel* shapes = feedLabel(line.layer.isNone() ? line.fieldShape
                               : line.fieldShape.isEmpty()
                                   ? line.inputShape
                                   : line.fieldShape + QStringLiteral(" → ") + line.inputShape,
                               Tier::tertiary, row);
    shapes->setFont(Look::mono(tokens().sizes.type.small));
    shapes->setWordWrap(true);
    shapes->setToolTip(
        tr("The shape of an example of the field, and the shape that the input takes"));
    rows.addWidget(shapes);
}

QWidget* FeedRows::makeFieldList(const FeedLine& line, QWidget* row) {
    if (line.layer.isNone() || source_.fields.empty()) {
        return feedLabel(line.field.isEmpty() ? tr("by position") : line.field, Tier::primary, row);
    }
    QComboBox* combo = feedCombo(QStringLiteral("field of ") + line.input,
                                 tr("The field of the data that feeds %1").arg(line.input), row);
    for (const SampleField& field : source_.fields) {
        const QString name = QString::fromStdString(field.name);
        combo->addItem(name, name);
        combo->setItemData(combo->count() - 1, exampleText(field), Qt::ToolTipRole);
    }
    combo->setPlaceholderText(line.field.isEmpty() ? tr("choose one") : line.field);
    combo->setCurrentIndex(combo->findData(line.field));
    connect(combo, &QComboBox::activated, this, [this, combo, line](int index) {
        const QString chosen = combo->itemData(index).toString();
        if (chosen != line.field) {
            setFieldOfInput(line.layer, chosen);
        }
    });
    return combo;
}

QWidget* FeedRows::makeInputList(const FeedLine& line, QWidget* row) {
    const bool hasInputs =
        std::ranges::any_of(lines_, [](const FeedLine& other) { return !other.layer.isNone(); });
    if (fieldNamed(line.field) == nullptr || !hasInputs) {
        const bool isFree = line.layer.isNone();
        return feedLabel(isFree ? tr("nothing takes it") : line.input,
                         isFree ? Tier::tertiary : Tier::primary, row);
    }
    QComboBox* combo = feedCombo(line.layer.isNone() ? QStringLiteral("input of ") + line.field
                                                     : QStringLiteral("input ") + line.input,
                                 tr("The input layer that takes %1").arg(line.field), row);
    for (const FeedLine& other : lines_) {
        if (!other.layer.isNone()) {
            combo->addItem(other.input, other.layer.value);
        }
    }
    combo->setPlaceholderText(tr("nothing takes it"));
    combo->setCurrentIndex(line.layer.isNone() ? -1 : combo->findData(line.layer.value));
    connect(combo, &QComboBox::activated, this, [this, combo, line](int index) {
        const LayerId chosen{combo->itemData(index).toUInt()};
        if (chosen != line.layer) {
            moveField(line, chosen);
        }
    });
    return combo;
}

/// A separate button: stepping through the list of inputs by keyboard must not add an input.
QWidget* FeedRows::makeAddInputButton(const FeedLine& line, QWidget* row) {
    const int side = tokens().sizes.size.hitMinimum;
    const Theme& theme = context_.look.theme();
    auto* adder = new QToolButton(row);
    adder->setObjectName(QStringLiteral("add for ") + line.field);
    adder->setIcon(
        symbolIcon(QStringLiteral("actions/plus"), theme.text.secondary, theme.text.disabled));
    adder->setAutoRaise(true);
    adder->setFixedSize(side, side);
    adder->setFocusPolicy(Qt::StrongFocus);
    const QString words = tr("Adds an input layer that takes %1").arg(line.field);
    adder->setToolTip(words);
    adder->setAccessibleName(words);
    connect(adder, &QToolButton::clicked, this, [this, line] { addInput(line.field); });
    return adder;
}

void FeedRows::addProblem(QVBoxLayout& rows, QWidget* row, const FeedLine& line) {
    if (line.problem.isEmpty()) {
        return;
    }
    const Sizes& sizes = tokens().sizes;
    const Theme& theme = context_.look.theme();
    const bool isError = line.fit != FeedFit::converts;
    auto* words = new QHBoxLayout;
    words->setSpacing(sizes.space.s);
    auto* mark = new QLabel(row);
    mark->setPixmap(symbol(isError ? QStringLiteral("states/error") : QStringLiteral("states/hint"),
                           sizes.type.label, isError ? theme.semantic.error : theme.semantic.info,
                           devicePixelRatioF()));
    words->addWidget(mark, 0, Qt::AlignTop);
    QLabel* problem = feedLabel(line.problem, Tier::secondary, row);
    problem->setFont(Look::sans(sizes.type.small));
    problem->setWordWrap(true);
    words->addWidget(problem, 1);
    rows.addLayout(words);
    if (line.fixText.isEmpty()) {
        return;
    }
    QToolButton* mend = linkButton(line.fixText, row);
    mend->setObjectName(QStringLiteral("mend ") + line.input);
    mend->setToolTip(tr("The input layer %1 takes the shape and the element type of %2")
                         .arg(line.input, line.fixField));
    connect(mend, &QToolButton::clicked, this,
            [this, line] { setFieldOfInput(line.layer, line.fixField); });
    isError ? rows.addWidget(mend, 0, Qt::AlignLeft) : words->addWidget(mend);
}

const SampleField* FeedRows::fieldNamed(const QString& name) const {
    const auto found = std::ranges::find(source_.fields, name.toStdString(), &SampleField::name);
    return found == source_.fields.end() ? nullptr : &*found;
}

void FeedRows::setFieldOfInput(LayerId input, const QString& field) {
    const SampleField* found = fieldNamed(field);
    if (design_ != nullptr && found != nullptr) {
        design_->document().edit(tr("Feed %1").arg(field), [&](Design& target) {
            return feedInput(target, input, *found, *context_.kinds);
        });
    }
}

void FeedRows::moveField(const FeedLine& line, LayerId input) {
    const SampleField* field = fieldNamed(line.field);
    const auto other = std::ranges::find(lines_, input, &FeedLine::layer);
    const SampleField* before = other == lines_.end() ? nullptr : fieldNamed(other->field);
    if (design_ == nullptr || field == nullptr) {
        return;
    }
    design_->document().edit(tr("Feed %1").arg(line.field), [&](Design& target) {
        const Edited edited = feedInput(target, input, *field, *context_.kinds);
        const bool isExchange = edited.isDone() && before != nullptr && !line.layer.isNone();
        return isExchange ? feedInput(target, line.layer, *before, *context_.kinds) : edited;
    });
}

void FeedRows::addInput(const QString& field) {
    const SampleField* found = fieldNamed(field);
    if (design_ == nullptr || found == nullptr) {
        return;
    }
    const Edited edited =
        design_->document().edit(tr("Add an input for %1").arg(field), [&](Design& target) {
            Edited added = addInputFor(target, *found, *context_.kinds);
            placeUnplaced(target.network, *context_.kinds, 1);
            return added;
        });
    if (edited.isDone()) {
        design_->selection().enter({});
        Q_EMIT context_.revealWanted(edited.layer());
    }
}

} // namespace weft::ui
