// SPDX-License-Identifier: Apache-2.0
#include "tensors/element_columns.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/chips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace weft::ui {

namespace {

constexpr int labelWidth = 116;
constexpr int headHeight = 24;
constexpr int courseHeight = 28;
constexpr int numberHeight = 18;
constexpr int leastTile = 34;
constexpr int mostTile = 96;
constexpr int gap = 6;
constexpr int pictureRows = 4;
constexpr int chipSide = 16;
constexpr int deviceBar = 3;
constexpr QChar narrowSpace(0x202f);

/// Returns the range of all finite values of the curves (of positive ones on a logarithmic scale).
Range rangeOf(const std::vector<std::vector<double>>& courses, bool isLog) {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const std::vector<double>& course : courses) {
        for (const double value : course) {
            if (std::isfinite(value) && (!isLog || value > 0)) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
        }
    }
    return most < least ? Range{1, 2} : roomyRange({least, most}, isLog);
}

} // namespace

ElementColumns::ElementColumns(const Look& look, QWidget* parent)
    : QWidget(parent), look_(look), scrollBar_(new QScrollBar(Qt::Horizontal, this)) {
    setFocusPolicy(Qt::StrongFocus);
    scrollBar_->hide();
    scrollBar_->setAccessibleName(tr("Elements in view"));
    connect(scrollBar_, &QScrollBar::valueChanged, this, [this] {
        update();
        Q_EMIT elementsChanged();
    });
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
    updateAccessibleName();
}

QSize ElementColumns::sizeHint() const { return {640, 440}; }

QSize ElementColumns::minimumSizeHint() const {
    return {labelWidth + 3 * (leastTile + gap),
            heightWithoutPictures() + pictureRows * (leastTile + gap)};
}

int ElementColumns::heightWithoutPictures() const {
    const int courses = shown_ && !shown_->steps.empty() ? 2 : 1;
    const int numbers = shown_ && !shown_->peakToNoise.empty() ? 3 : 2;
    return headHeight + courses * courseHeight + numbers * numberHeight + Look::sizes().space.l;
}

int ElementColumns::elements() const { return shown_ ? static_cast<int>(shown_->elements) : 0; }

int ElementColumns::hue(int element) const {
    const auto at = static_cast<std::size_t>(element);
    return at < deviceHues_.size() ? deviceHues_[at] : -1;
}

void ElementColumns::setShown(std::shared_ptr<const SparseDisplay> shown, std::vector<int> hues) {
    shown_ = std::move(shown);
    deviceHues_ = std::move(hues);
    selectedElement_ = std::clamp(selectedElement_, 0, std::max(elements() - 1, 0));
    comparedElement_ = comparedElement_ < elements() ? comparedElement_ : -1;
    if (shown_) {
        energyRange_ = rangeOf(shown_->energies, true);
        stepRange_ = rangeOf(shown_->steps, false);
    }
    drawAtomCode();
    updateGeometry();
    updateScrollBar();
    updateAccessibleName();
    update();
}

void ElementColumns::setAtom(std::int64_t atom) {
    atom_ = atom;
    drawAtomCode();
    updateAccessibleName();
    update();
}

/// Draws the code of the atom for all elements, on one scale.
void ElementColumns::drawAtomCode() {
    atomCode_.clear();
    if (shown_ && atom_ >= 0 && atom_ < shown_->atoms) {
        const TensorNumbers code = codeOfAtom(shown_->codeNumbers, atom_);
        atomCode_ = ui::picturesOf(code, scaleOf(code), 1);
    }
}

void ElementColumns::setFrame(std::size_t frame) {
    frame_ = frame;
    update();
}

int ElementColumns::side() const {
    return std::clamp((height() - heightWithoutPictures()) / pictureRows - gap, leastTile,
                      mostTile);
}

int ElementColumns::first() const { return scrollBar_->value(); }

int ElementColumns::count() const {
    const int room = std::max(1, (width() - labelWidth) / (side() + gap));
    return std::min(room, elements() - std::min(first(), elements()));
}

QRect ElementColumns::column(int element) const {
    if (element < first() || element >= first() + count()) {
        return {};
    }
    const std::vector<Band> all = bands();
    const int left = labelWidth + (element - first()) * (side() + gap);
    return {left, 0, side(), all.back().top + all.back().height};
}

std::vector<ElementColumns::Band> ElementColumns::bands() const {
    std::vector<Band> all;
    int top = 0;
    const auto add = [&](Row row, int height) {
        all.push_back({row, top, height});
        top += height;
    };
    add(Row::element, headHeight);
    for (const Row row : {Row::input, Row::reconstruction, Row::residual, Row::code}) {
        add(row, side() + gap);
    }
    add(Row::energy, courseHeight);
    if (shown_ && !shown_->steps.empty()) {
        add(Row::steps, courseHeight);
    }
    add(Row::active, numberHeight);
    add(Row::signalToNoise, numberHeight);
    if (shown_ && !shown_->peakToNoise.empty()) {
        add(Row::peakToNoise, numberHeight);
    }
    return all;
}

/// Updates range and position of the scroll bar.
void ElementColumns::updateScrollBar() {
    const int room = std::max(1, (width() - labelWidth) / (side() + gap));
    const int high = scrollBar_->sizeHint().height();
    scrollBar_->setGeometry(labelWidth, height() - high, std::max(width() - labelWidth, 0), high);
    scrollBar_->setPageStep(room);
    scrollBar_->setRange(0, std::max(elements() - room, 0));
    scrollBar_->setVisible(elements() > room);
}

void ElementColumns::choose(int element) {
    if (elements() == 0) {
        return;
    }
    selectedElement_ = std::clamp(element, 0, elements() - 1);
    comparedElement_ = comparedElement_ == selectedElement_ ? -1 : comparedElement_;
    bringIntoView(selectedElement_);
    reportElements();
}

void ElementColumns::chooseSecond(int element) {
    if (element < 0 || element >= elements()) {
        return;
    }
    comparedElement_ = element == comparedElement_ || element == selectedElement_ ? -1 : element;
    bringIntoView(element);
    reportElements();
}

void ElementColumns::bringIntoView(int element) {
    if (element < first()) {
        scrollBar_->setValue(element);
    } else if (element >= first() + scrollBar_->pageStep()) {
        scrollBar_->setValue(element - scrollBar_->pageStep() + 1);
    }
}

void ElementColumns::reportElements() {
    updateAccessibleName();
    update();
    Q_EMIT elementsChanged();
}

void ElementColumns::updateAccessibleName() {
    if (elements() == 0) {
        setAccessibleName(tr("Elements of the batch: none is observed"));
        return;
    }
    const QString device =
        hue(selectedElement_) < 0 ? QString() : tr(" on device %1").arg(hue(selectedElement_));
    QString beside =
        comparedElement_ < 0 ? QString() : tr("; beside it element %1").arg(comparedElement_);
    if (!atomCode_.empty()) {
        beside += tr("; %1").arg(valueText(Row::code, selectedElement_));
    }
    setAccessibleName(tr("Element %1 of %2%3: active %4, signal to noise %5")
                          .arg(selectedElement_)
                          .arg(elements())
                          .arg(device, valueText(Row::active, selectedElement_),
                               valueText(Row::signalToNoise, selectedElement_)) +
                      beside);
}

const std::vector<QImage>* ElementColumns::picturesOf(Row row) const {
    const Reel* reel = row == Row::input                        ? &shown_->input
                       : row == Row::reconstruction             ? &shown_->reconstruction
                       : row == Row::residual                   ? &shown_->residual
                       : row == Row::code && !atomCode_.empty() ? &atomCode_
                       : row == Row::code                       ? &shown_->code
                                                                : nullptr;
    return reel == nullptr || reel->empty() ? nullptr : &(*reel)[frame_ % reel->size()];
}

QString ElementColumns::title(Row row) const {
    switch (row) {
    case Row::element: return tr("element");
    case Row::input: return tr("input");
    case Row::reconstruction: return tr("reconstruction");
    case Row::residual: return tr("residual");
    case Row::code: return tr("code");
    case Row::energy: return tr("energy");
    case Row::steps: return tr("step size");
    case Row::active: return tr("active");
    case Row::signalToNoise: return tr("signal/noise, dB");
    case Row::peakToNoise: return tr("PSNR, dB");
    }
    return {};
}

QString ElementColumns::note(Row row) const {
    const std::vector<std::vector<double>>& courses = shown_->energies;
    switch (row) {
    case Row::input:
        return shown_->inputScale.isSigned()
                   ? tr("±%1").arg(quantity::number(shown_->inputScale.most, 2))
                   : tr("0 to %1").arg(quantity::number(shown_->inputScale.most, 2));
    case Row::reconstruction: return tr("as the input");
    case Row::residual: return tr("drawn × %1").arg(quantity::number(shown_->strength, 2));
    case Row::code:
        return atomCode_.empty() ? tr("sum over %1").arg(shown_->atoms)
                                 : tr("atom %1 of %2").arg(atom_).arg(shown_->atoms);
    case Row::energy:
        return courses.empty() ? tr("not recorded")
                               : tr("log, %1 iterations").arg(courses.front().size());
    case Row::steps: return tr("its own, per iteration");
    default: return {};
    }
}

QString ElementColumns::help(Row row) const {
    switch (row) {
    case Row::element:
        return tr("An element of the batch, that is one example. Each is a network of its own, on "
                  "the device of this colour. Click to select it; Ctrl and click compares it with "
                  "the selected one.");
    case Row::input: return tr("The input of the layer.");
    case Row::reconstruction:
        return tr("The input as the code represents it: the sum of the atoms, weighted by the "
                  "code. On the same scale as the input.");
    case Row::residual:
        return tr("Input minus reconstruction: the part that the code does not explain. Amplified "
                  "by the given factor relative to the input; mid grey is 0.");
    case Row::code:
        return atomCode_.empty()
                   ? tr("The code at each position, summed over all atoms. Most codes are 0: that "
                        "is what sparse means. Click an atom of the dictionary for its code alone.")
                   : tr("The code of this one atom at each position, on the same scale for all "
                        "elements. Click the atom again or press Escape for the sum over all.");
    case Row::energy:
        return tr("The energy that the iterations minimise: half the squared residual plus the "
                  "cost of the code. From the first iteration to the last, on the same logarithmic "
                  "scale for all elements.");
    case Row::steps:
        return tr("The time step of the dynamics that this element took in each iteration: larger "
                  "while its energy falls.");
    case Row::active: return tr("Activity: the share of this element's codes that are not 0.");
    case Row::signalToNoise:
        return tr("How much larger the input is than the residual, in decibels: 10 dB is ten times "
                  "the power, 20 dB a hundred times.");
    case Row::peakToNoise:
        return tr(
            "Peak signal to noise: as signal to noise, but for a signal that everywhere equals the "
            "layer's attribute peak. The run's metric psnr is its mean over the elements.");
    }
    return {};
}

QString ElementColumns::valueText(Row row, int element) const {
    const auto at = static_cast<std::size_t>(element);
    if (row == Row::active) {
        return at < shown_->active.size() ? quantity::percent(shown_->active[at])
                                          : quantity::none();
    }
    if (row == Row::signalToNoise || row == Row::peakToNoise) {
        return decibelText(row, at);
    }
    if (row == Row::code && !atomCode_.empty()) {
        const auto which = static_cast<std::size_t>(atom_);
        const double use = atomUse(shown_->codeNumbers, {.element = element})[which];
        return tr("atom %1 active at %2 of positions").arg(atom_).arg(quantity::percent(use));
    }
    const auto& courses = row == Row::steps ? shown_->steps : shown_->energies;
    if ((row == Row::energy || row == Row::steps) && at < courses.size() && !courses[at].empty()) {
        return tr("%1 → %2").arg(quantity::number(courses[at].front()),
                                 quantity::number(courses[at].back()));
    }
    return {};
}

QString ElementColumns::decibelText(Row row, std::size_t element) const {
    const auto& values = row == Row::peakToNoise ? shown_->peakToNoise : shown_->signalToNoise;
    return element < values.size() && values[element]
               ? quantity::number(*values[element]) + narrowSpace + tr("dB")
               : quantity::none();
}

void ElementColumns::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface.dock);
    if (elements() == 0) {
        painter.setPen(theme.text.secondary);
        painter.setFont(Look::sans(Look::sizes().type.body));
        painter.drawText(
            rect().adjusted(gap, gap, -gap, -gap), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Shows a column per element of a batch. Observe a step of a live run."));
        return;
    }
    paintSelection(painter, comparedElement_, Qt::DashLine);
    paintSelection(painter, selectedElement_, Qt::SolidLine);
    for (const Band& band : bands()) {
        paintLabels(painter, band);
        for (int element = first(); element < first() + count(); ++element) {
            paintCell(painter, band, element);
        }
    }
    if (hasFocus()) {
        painter.setPen(theme.accent.focus);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void ElementColumns::paintSelection(QPainter& painter, int element, Qt::PenStyle line) const {
    const Theme& theme = look_.theme();
    const QRect followed = column(element);
    if (followed.isEmpty()) {
        return;
    }
    painter.fillRect(followed.adjusted(-gap / 2, 0, gap / 2, 0), theme.accent.selectionFill);
    painter.setPen(QPen(theme.accent.ink, 1, line));
    painter.drawRect(followed.adjusted(-gap / 2, 0, gap / 2 - 1, -1));
}

void ElementColumns::paintLabels(QPainter& painter, const Band& band) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    const int left = sizes.space.m;
    const int wide = labelWidth - left - sizes.space.xs;
    const QString second = note(band.row);
    const bool isQuiet = band.row == Row::element;
    const QFont font =
        isQuiet ? Look::sans(sizes.type.small) : Look::sans(sizes.type.body, sizes.type.semibold);
    painter.setFont(font);
    painter.setPen(isQuiet ? theme.text.tertiary : theme.text.primary);
    const int line = std::min(16, band.height);
    const int top = second.isEmpty() ? band.top + (band.height - line) / 2 : band.top;
    painter.drawText(QRect(left, top, wide, line), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(title(band.row), Qt::ElideMiddle, wide));
    if (!second.isEmpty()) {
        const QFont small = Look::sans(sizes.type.small);
        painter.setFont(small);
        painter.setPen(theme.text.tertiary);
        painter.drawText(QRect(left, top + line - 2, wide, line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(small).elidedText(second, Qt::ElideMiddle, wide));
    }
}

void ElementColumns::paintCell(QPainter& painter, const Band& band, int element) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    const QRect cell(column(element).left(), band.top, side(), band.height);
    const int slot = hue(element);
    if (band.row == Row::element) {
        painter.fillRect(cell.left(), cell.top() + 1, cell.width(), deviceBar,
                         slot < 0 ? theme.line.strong : theme.ofDevice(slot));
        painter.setFont(Look::mono(sizes.type.body, sizes.type.semibold));
        painter.setPen(theme.text.primary);
        painter.drawText(cell.adjusted(2, deviceBar + 1, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QString::number(element));
        if (slot >= 0) {
            drawChip(painter,
                     {cell.right() + 1 - chipSide, cell.top() + deviceBar + 4, chipSide, chipSide},
                     slot, {}, theme);
        }
        return;
    }
    if (const std::vector<QImage>* pictures = picturesOf(band.row)) {
        const auto at = static_cast<std::size_t>(element);
        if (at < pictures->size()) {
            const QImage& image = (*pictures)[at];
            const QSize size = image.size().scaled(side(), side(), Qt::KeepAspectRatio);
            const QPoint corner(cell.left() + (side() - size.width()) / 2, cell.top());
            painter.setRenderHint(QPainter::SmoothPixmapTransform, size.width() < image.width());
            painter.drawImage(QRect(corner, size), image);
        }
        return;
    }
    if (band.row == Row::energy || band.row == Row::steps) {
        paintCurve(painter, cell.adjusted(0, 2, 0, -4), band.row, element);
        return;
    }
    // The label includes the unit dB, because a column may be too narrow for it.
    const QFont font = Look::mono(sizes.type.small);
    const QString value = valueText(band.row, element);
    const bool isDecibels = band.row == Row::signalToNoise || band.row == Row::peakToNoise;
    const QString said = isDecibels ? value.section(narrowSpace, 0, 0) : value;
    painter.setFont(font);
    painter.setPen(theme.text.primary);
    painter.drawText(cell.adjusted(-gap / 2, 0, gap / 2, 0), Qt::AlignCenter, said);
}

void ElementColumns::paintCurve(QPainter& painter, const QRect& box, Row row, int element) const {
    const bool isLog = row == Row::energy;
    const auto& courses = isLog ? shown_->energies : shown_->steps;
    const auto at = static_cast<std::size_t>(element);
    if (at >= courses.size() || courses[at].empty()) {
        return;
    }
    const Theme& theme = look_.theme();
    painter.fillRect(box.left(), box.bottom() + 1, box.width(), 1, theme.line.subtle);
    const std::vector<double>& course = courses[at];
    const Axis axis(isLog ? energyRange_ : stepRange_, box.height() - 1, isLog);
    const double last = std::max<double>(static_cast<double>(course.size()) - 1, 1);
    QPolygonF line;
    for (std::size_t round = 0; round < course.size(); ++round) {
        if (std::isfinite(course[round]) && (!isLog || course[round] > 0)) {
            line << QPointF(box.left() + static_cast<double>(round) / last * (box.width() - 1),
                            box.bottom() - axis.toPixel(course[round]));
        }
    }
    const int slot = hue(element);
    const bool isFollowed = element == selectedElement_ || element == comparedElement_;
    painter.setPen(QPen(isFollowed ? theme.accent.ink
                        : slot < 0 ? theme.text.secondary
                                   : theme.ofDevice(slot),
                        1, element == comparedElement_ ? Qt::DashLine : Qt::SolidLine));
    painter.drawPolyline(line);
}

bool ElementColumns::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || elements() == 0) {
        return QWidget::event(event);
    }
    const auto* asked = static_cast<QHelpEvent*>(event);
    for (const Band& band : bands()) {
        if (asked->pos().y() < band.top || asked->pos().y() >= band.top + band.height) {
            continue;
        }
        QString said = help(band.row);
        for (int element = first(); element < first() + count(); ++element) {
            const QString value = valueText(band.row, element);
            if (column(element).contains(asked->pos()) && !value.isEmpty()) {
                said = tr("Element %1: %2").arg(element).arg(value) + '\n' + said;
            }
        }
        QToolTip::showText(asked->globalPos(), paragraphs(said), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

void ElementColumns::resizeEvent(QResizeEvent*) {
    updateScrollBar();
    Q_EMIT elementsChanged();
}

void ElementColumns::mousePressEvent(QMouseEvent* event) {
    for (int element = first(); element < first() + count(); ++element) {
        const QRect box = column(element).adjusted(-gap / 2, 0, gap / 2, 0);
        if (box.contains(event->position().toPoint())) {
            event->modifiers().testFlag(Qt::ControlModifier) ? chooseSecond(element)
                                                             : choose(element);
            return;
        }
    }
    event->ignore();
}

void ElementColumns::wheelEvent(QWheelEvent* event) {
    const QPoint by = event->angleDelta();
    const int before = scrollBar_->value();
    scrollBar_->setValue(before - (by.x() != 0 ? by.x() : by.y()) / 120);
    // At the end of the range, the wheel scrolls the page.
    event->setAccepted(scrollBar_->value() != before);
}

void ElementColumns::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const int from = comparedElement_ < 0 ? selectedElement_ : comparedElement_;
        switch (event->key()) {
        case Qt::Key_Left: chooseSecond(from - 1); break;
        case Qt::Key_Right: chooseSecond(from + 1); break;
        default: QWidget::keyPressEvent(event);
        }
        return;
    }
    if (event->key() == Qt::Key_Escape && atom_ >= 0) {
        Q_EMIT atomReleased();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: choose(selectedElement_ - 1); break;
    case Qt::Key_Right: choose(selectedElement_ + 1); break;
    case Qt::Key_PageUp: choose(selectedElement_ - scrollBar_->pageStep()); break;
    case Qt::Key_PageDown: choose(selectedElement_ + scrollBar_->pageStep()); break;
    case Qt::Key_Home: choose(0); break;
    case Qt::Key_End: choose(elements() - 1); break;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace weft::ui
