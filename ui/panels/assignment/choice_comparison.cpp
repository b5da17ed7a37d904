// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/choice_comparison.h"

#include "canvas/paint/canvas_painter.h"
#include "panels/assignment/neighbourhood.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/shapes.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>
#include <cmath>

namespace weft::ui {

namespace {

constexpr int headHeight = 46; ///< title and step time above a drawing
constexpr int leastDrawing = headHeight + 120;
/// Width of a layer plus a badge's label, which is right of the layer's centre.
constexpr double columnUnits = 278;
constexpr int numberWidth = 96;

QLabel* small(QWidget* parent, Tier tier) {
    auto* label = new QLabel(parent);
    label->setFont(Look::sans(tokens().sizes.type.small));
    setTier(*label, tier);
    return label;
}

} // namespace

/// Two drawings of a part of the canvas with a dashed line between them.
class BeforeAfter : public QWidget {
public:
    BeforeAfter(Look& look, Kinds kinds, QWidget* parent)
        : QWidget(parent), look_(look), kinds_(std::move(kinds)) {
        setMinimumHeight(leastDrawing);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }

    void show(const ComparedChoice& compared) {
        compared_ = compared;
        const auto words = [](const QString& name, const ComparedSide& side) {
            return name + ", " + stepOf(side);
        };
        setAccessibleName(words(nameOf(false), compared.now) + "; " +
                          words(nameOf(true), compared.proposed));
        update();
    }

    [[nodiscard]] QSize sizeHint() const override { return {560, headHeight + 320}; }

protected:
    void paintEvent(QPaintEvent*) override {
        // The canvas painter needs whole device pixels, so paints into a picture of its own.
        const double ratio = devicePixelRatioF();
        QPixmap picture((QSizeF(size()) * ratio).toSize());
        picture.fill(look_.theme().surface.canvas);
        QPainter painter(&picture);
        const int middle = picture.width() / 2;
        for (const bool isAfter : {false, true}) {
            const QRect half(isAfter ? middle : 0, 0, middle, picture.height());
            paintSide(painter, half, ratio, isAfter);
        }
        painter.setClipping(false);
        drawDashes(painter, {middle, qRound(tokens().sizes.space.l * ratio)},
                   {middle, picture.height() - qRound(tokens().sizes.space.l * ratio)},
                   look_.theme().line.strong, qRound(4 * ratio), qRound(3 * ratio));
        painter.end();
        picture.setDevicePixelRatio(ratio);
        QPainter(this).drawPixmap(0, 0, picture);
    }

private:
    [[nodiscard]] static QString stepOf(const ComparedSide& side) {
        return side.price.step > 0 ? quantity::predicted(quantity::time(side.price.step))
                                   : quantity::none();
    }
    [[nodiscard]] QString nameOf(bool isAfter) const {
        return isAfter ? ChoiceComparison::tr("if: %1").arg(compared_.proposed.title)
                       : ChoiceComparison::tr("now: %1").arg(compared_.now.title);
    }

    void paintSide(QPainter& painter, const QRect& half, double ratio, bool isAfter) {
        const ComparedSide& side = isAfter ? compared_.proposed : compared_.now;
        const Theme& theme = look_.theme();
        painter.setClipRect(half);
        if (side.price.previewed != nullptr) {
            Viewport at;
            at.ratio = ratio;
            at.zoom = std::min(1.0, half.width() / ratio / columnUnits);
            const double room = height() - headHeight - tokens().sizes.space.m;
            const DisplayList list =
                neighbourhoodOf({.design = &side.price.previewed->design,
                                 .preview = side.price.previewed->preview.get(),
                                 .kinds = kinds_.get(),
                                 .path = compared_.path,
                                 .layer = compared_.layer,
                                 .height = room / at.zoom});
            // Centres the layers; the label on the right extends past them, so half of its width is
            // free on the left.
            const double left = (columnUnits - tokens().sizes.size.nodeWidth) / 2;
            at.origin = {-half.left() / at.scale() - left -
                             (half.width() / at.scale() - columnUnits) / 2,
                         -headHeight / at.zoom};
            CanvasState state;
            state.selected = {compared_.layer};
            painter_.paint(painter, list, at, state, theme, half);
        }
        painter.save();
        painter.scale(ratio, ratio);
        const Sizes::Type& type = tokens().sizes.type;
        QRect line(qRound(half.left() / ratio) + 8, tokens().sizes.space.m,
                   qRound(half.width() / ratio) - 16, 16);
        painter.setFont(Look::sans(type.body, type.semibold));
        painter.setPen(theme.text.primary);
        painter.drawText(
            line, Qt::AlignCenter,
            painter.fontMetrics().elidedText(nameOf(isAfter), Qt::ElideMiddle, line.width()));
        line.translate(0, line.height());
        painter.setFont(Look::mono(type.small));
        painter.setPen(theme.text.secondary);
        painter.drawText(line, Qt::AlignCenter, stepOf(side));
        painter.restore();
    }

    Look& look_;
    Kinds kinds_;
    ComparedChoice compared_;
    CanvasPainter painter_;
};

ChoiceComparison::ChoiceComparison(Look& look, Kinds kinds, QWidget* parent)
    : QWidget(parent),
      look_(look),
      comparedLabel_(small(this, Tier::tertiary)),
      drawings_(new BeforeAfter(look, std::move(kinds), this)),
      boundaryBox_(new QWidget(this)),
      boundaryTitle_(small(boundaryBox_, Tier::tertiary)),
      boundaryRow_(new QHBoxLayout),
      useButton_(new QPushButton(this)) {
    const Sizes& sizes = tokens().sizes;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, sizes.space.l);
    layout->setSpacing(sizes.space.m);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(sizes.space.l, sizes.space.m, sizes.space.l, 0);
    auto* title = new QLabel(tr("What would change"), this);
    title->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    head->addWidget(title);
    head->addStretch();
    head->addWidget(comparedLabel_);
    layout->addLayout(head);
    layout->addWidget(drawings_, 1);
    auto* boundary = new QVBoxLayout(boundaryBox_);
    boundary->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    boundary->setSpacing(sizes.space.xs);
    boundary->addWidget(boundaryTitle_);
    boundary->addLayout(boundaryRow_);
    layout->addWidget(boundaryBox_);
    buildNumbers(*layout);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    foot->addStretch();
    foot->addWidget(useButton_);
    layout->addLayout(foot);
    makePrimary(*useButton_);
    connect(useButton_, &QPushButton::clicked, this, &ChoiceComparison::useWanted);
}

void ChoiceComparison::buildNumbers(QBoxLayout& layout) {
    const Sizes& sizes = tokens().sizes;
    auto* grid = new QGridLayout;
    grid->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    grid->setVerticalSpacing(0);
    grid->setHorizontalSpacing(sizes.space.m);
    grid->setColumnStretch(0, 1);
    const auto put = [&](int row, int column, const QString& words) {
        auto* label = small(this, Tier::tertiary);
        label->setText(words);
        label->setMinimumHeight(sizes.size.rowTable);
        if (column > 0) {
            label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
            grid->setColumnMinimumWidth(column, numberWidth);
        }
        grid->addWidget(label, row, column);
        return label;
    };
    put(0, 1, tr("now"));
    proposedHeader_ = put(0, 2, {});
    put(0, 3, tr("change"));
    const QString names[] = {tr("Step"), tr("Sent per step, worst device"),
                             tr("Run memory, worst device")};
    for (std::size_t i = 0; i < numberLines_.size(); ++i) {
        const int row = static_cast<int>(i) + 1;
        setTier(*put(row, 0, names[i]), Tier::secondary);
        numberLines_[i] = {put(row, 1, {}), put(row, 2, {}), put(row, 3, {})};
        for (QLabel* number :
             {numberLines_[i].now, numberLines_[i].proposed, numberLines_[i].change}) {
            number->setFont(Look::mono(sizes.type.small));
        }
        setTier(*numberLines_[i].now, Tier::primary);
        setTier(*numberLines_[i].proposed, Tier::primary);
    }
    layout.addLayout(grid);
}

void ChoiceComparison::compare(const ComparedChoice& compared) {
    const bool isOther = compared.proposed.title != compared.now.title;
    comparedLabel_->setText(isOther ? tr("looking at %1").arg(compared.proposed.title)
                                    : tr("point at a choice"));
    useButton_->setText(tr("Use %1").arg(compared.proposed.title));
    useButton_->setEnabled(isOther && compared.proposed.price.step > 0);
    proposedHeader_->setText(tr("if %1").arg(compared.proposed.title));
    drawings_->show(compared);
    showNumbers(compared);
}

void ChoiceComparison::showNumbers(const ComparedChoice& compared) {
    const auto show = [&](NumberLine& line, double now, double proposed, QString (*words)(double)) {
        const bool isKnown = compared.now.price.step > 0 && compared.proposed.price.step > 0 &&
                             (&line != &numberLines_[2] || (now > 0 && proposed > 0));
        line.now->setText(now > 0 ? words(now) : quantity::none());
        line.proposed->setText(isKnown ? words(proposed) : quantity::none());
        const QString amount = words(std::abs(proposed - now));
        const bool isSame = line.now->text() == line.proposed->text();
        line.change->setText(!isKnown ? quantity::none()
                             : isSame ? tr("none")
                                      : (proposed < now ? QStringLiteral("\u2212") : "+") + amount);
        QPalette palette = line.now->palette();
        const Theme& theme = look_.theme();
        palette.setColor(QPalette::PlaceholderText, isKnown && !isSame && proposed < now
                                                        ? theme.semantic.ok
                                                        : theme.text.tertiary);
        line.change->setPalette(palette);
    };
    const ChoicePrice& now = compared.now.price;
    const ChoicePrice& proposed = compared.proposed.price;
    show(numberLines_[0], now.step, proposed.step, quantity::time);
    show(numberLines_[1], now.sent, proposed.sent, quantity::bytes);
    show(numberLines_[2], now.memory, proposed.memory, quantity::bytes);
}

void ChoiceComparison::setBoundary(const QString& title,
                                   const std::vector<BoundaryChoice>& choices) {
    boundaryBox_->setVisible(!title.isEmpty());
    boundaryTitle_->setText(tr("Boundary %1").arg(title));
    while (QLayoutItem* item = boundaryRow_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const BoundaryChoice& choice : choices) {
        auto* button = new QRadioButton(
            choice.price.step > 0 ? choice.word + " · " + quantity::time(choice.price.step)
                                  : choice.word,
            boundaryBox_);
        button->setChecked(choice.isPresent);
        button->setAccessibleName(tr("Cross the boundary %1").arg(choice.word));
        connect(button, &QRadioButton::clicked, this,
                [this, scheme = choice.scheme] { Q_EMIT boundaryWanted(scheme); });
        boundaryRow_->addWidget(button, 1);
    }
}

} // namespace weft::ui
