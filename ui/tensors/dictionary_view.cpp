// SPDX-License-Identifier: Apache-2.0
#include "tensors/dictionary_view.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/wheel_filter.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::ui {

namespace {

constexpr int largeSide = 72;
constexpr int framesPerSecond = 8;

QLabel* quietLabel() {
    auto* label = new QLabel;
    setTier(*label, Tier::secondary);
    label->setWordWrap(true);
    return label;
}

QString factsOf(const DictionaryDisplay& shown) {
    QStringList facts;
    if (shown.element >= 0) {
        facts << DictionaryView::tr("of element %1").arg(shown.element);
    }
    if (shown.isOfMiddle) {
        facts << DictionaryView::tr("in the middle");
    }
    facts << quantity::shape(shown.weight.shape) << DictionaryView::tr("step %1").arg(shown.step);
    return facts.join(QStringLiteral(", "));
}

} // namespace

DictionaryView::DictionaryView(const Look& look, QWidget* parent)
    : QWidget(parent),
      look_(look),
      factsLabel_(quietLabel()),
      figuresLabel_(quietLabel()),
      orderList_(new QComboBox),
      playButton_(new QToolButton),
      scroll_(new QScrollArea),
      mosaic_(new AtomMosaic(look)),
      enlargedAtom_(new QLabel),
      nameLabel_(new QLabel),
      numbersLabel_(quietLabel()) {
    const Sizes& sizes = Look::sizes();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(sizes.space.m, 0, sizes.space.m, sizes.space.m);
    column->setSpacing(sizes.space.xs);
    auto* head = new QHBoxLayout;
    auto* title = new QLabel(tr("Dictionary"));
    title->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    title->setToolTip(paragraphs(
        tr("The atoms: small pictures whose sum, weighted by the code, is the reconstruction. They "
           "are learned. All batch elements share them, unless the layer sets per_element.")));
    head->addWidget(title);
    head->addWidget(factsLabel_, 1);
    playButton_->setObjectName(QStringLiteral("play"));
    playButton_->setCheckable(true);
    playButton_->setChecked(true);
    playButton_->setToolTip(
        paragraphs(tr("Plays the frames of each atom and of each batch element, as in a film")));
    head->addWidget(playButton_);
    column->addLayout(head);
    fillOrders();
    WheelFilter::installOn(*orderList_);
    column->addWidget(orderList_);
    scroll_->setWidget(mosaic_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(scroll_, 1);
    figuresLabel_->setToolTip(
        paragraphs(tr("Oriented: prefers one direction more than 19 in 20 atoms of white noise do. "
                      "Localised: its energy is more concentrated than that of 19 in 20 of them. "
                      "Band-pass: its response falls to half on both sides of a preferred "
                      "frequency. weft show prints the same for a run.")));
    column->addWidget(figuresLabel_);
    auto* foot = new QHBoxLayout;
    enlargedAtom_->setFixedSize(largeSide, largeSide);
    enlargedAtom_->setAccessibleName(tr("The chosen atom"));
    foot->addWidget(enlargedAtom_, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    nameLabel_->setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    words->addWidget(nameLabel_);
    numbersLabel_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    words->addWidget(numbersLabel_, 1);
    foot->addLayout(words, 1);
    column->addLayout(foot);
    connect(orderList_, &QComboBox::currentIndexChanged, this, &DictionaryView::chooseOrder);
    connect(mosaic_, &AtomMosaic::picked, this, &DictionaryView::selectAtom);
    connect(playButton_, &QToolButton::toggled, this, &DictionaryView::updateAnimation);
    frameTimer_.setInterval(1000 / framesPerSecond);
    connect(&frameTimer_, &QTimer::timeout, this, [this] {
        frame_ = (frame_ + 1) % frames();
        showFrame();
    });
    setShown(nullptr, {});
}

void DictionaryView::fillOrders() {
    orderList_->addItem(tr("as stored"), static_cast<int>(AtomOrder::stored));
    orderList_->addItem(tr("by use"), static_cast<int>(AtomOrder::use));
    orderList_->addItem(tr("by gain"), static_cast<int>(AtomOrder::gain));
    orderList_->addItem(tr("by norm"), static_cast<int>(AtomOrder::norm));
    orderList_->addItem(tr("by similarity"), static_cast<int>(AtomOrder::similarity));
    orderList_->setAccessibleName(tr("Order of the atoms"));
    orderList_->setToolTip(paragraphs(
        tr("Use: the share of codes in the observed batch that are not 0. Gain: how much half the "
           "squared residual of the observed step would grow without this atom, with all other "
           "codes unchanged; a mean over the elements. Norm: the atom's length. Similarity: to the "
           "chosen atom, 1 the same, 0 unlike, −1 its negative.")));
}

std::size_t DictionaryView::frames() const {
    return shown_ ? std::max<std::size_t>(shown_->pictures.size(), 1) : 1;
}

/// Stops the animation while the view is hidden.
void DictionaryView::updateAnimation() {
    playButton_->setVisible(frames() > 1);
    playButton_->setText(playButton_->isChecked() ? tr("Pause") : tr("Play"));
    const bool moves = isVisible() && frames() > 1 && playButton_->isChecked();
    moves ? frameTimer_.start() : frameTimer_.stop();
}

void DictionaryView::showFrame() {
    mosaic_->setFrame(frame_);
    showEnlargedAtom();
    Q_EMIT played(frame_);
}

void DictionaryView::showEnlargedAtom() {
    const auto at = static_cast<std::size_t>(mosaic_->chosen());
    if (!shown_ || at >= shown_->norms.size()) {
        enlargedAtom_->clear();
        return;
    }
    const double ratio = devicePixelRatioF();
    const QSize pixels = QSize(largeSide, largeSide) * ratio;
    QPixmap large = QPixmap::fromImage(
        shown_->pictures[frame_][at].scaled(pixels, Qt::KeepAspectRatio, Qt::FastTransformation));
    large.setDevicePixelRatio(ratio);
    enlargedAtom_->setPixmap(large);
}

void DictionaryView::showEvent(QShowEvent*) { updateAnimation(); }

void DictionaryView::hideEvent(QHideEvent*) { updateAnimation(); }

Picture DictionaryView::picture() const {
    return mosaicOf(shown_ ? shown_->pictures : Reel{}, mosaic_->order());
}

QSize DictionaryView::minimumSizeHint() const { return {172, 200}; }

void DictionaryView::setShown(std::shared_ptr<const DictionaryDisplay> shown, AtomNumbers numbers) {
    shown_ = std::move(shown);
    atomNumbers_ = std::move(numbers);
    if (shown_ && shown_->atoms() == 0) {
        shown_ = nullptr;
    }
    for (std::vector<double>* values : {&atomNumbers_.use, &atomNumbers_.gains}) {
        if (!shown_ || values->size() != static_cast<std::size_t>(shown_->atoms())) {
            values->clear();
        }
    }
    figures_ = nullptr;
    factsLabel_->setText(shown_ ? factsOf(*shown_) : QString());
    showFigures();
    mosaic_->setAtoms(shown_, atomNumbers_.use);
    enableOrders();
    sortAtoms();
    frame_ %= frames();
    showFrame();
    showSelectedAtom();
    updateAnimation();
}

void DictionaryView::setFigures(const std::shared_ptr<const DictionaryDisplay>& of,
                                std::shared_ptr<const DictionaryFigures> figures) {
    if (of != nullptr && of == shown_) {
        figures_ = std::move(figures);
        showFigures();
        showSelectedAtom();
    }
}

/// Keeps the previous figures until those of the new dictionary are computed, since they rarely
/// differ.
void DictionaryView::showFigures() {
    if (!shown_) {
        figuresLabel_->clear();
    } else if (figures_) {
        const AtomSummary& all = figures_->together;
        figuresLabel_->setText(tr("Of %1 atoms %2 oriented, %3 localised, %4 band-pass")
                                   .arg(all.atoms)
                                   .arg(all.oriented)
                                   .arg(all.localised)
                                   .arg(all.bandPass));
    }
}

QString DictionaryView::whyNot(AtomOrder order) const {
    const bool isUse = order == AtomOrder::use;
    if (!isUse && order != AtomOrder::gain) {
        return {};
    }
    if (atomNumbers_.use.empty()) {
        return tr("Known only after a step was observed");
    }
    return isUse || !atomNumbers_.gains.empty()
               ? QString()
               : tr("The dictionary of the observed step was not recorded");
}

/// Disables orders that are impossible, with the reason, and restores the wanted order once it is
/// possible.
void DictionaryView::enableOrders() {
    auto* rows = qobject_cast<QStandardItemModel*>(orderList_->model());
    int now = 0;
    for (int row = 0; row < orderList_->count(); ++row) {
        const auto order = static_cast<AtomOrder>(orderList_->itemData(row).toInt());
        const QString why = whyNot(order);
        rows->item(row)->setEnabled(why.isEmpty());
        rows->item(row)->setToolTip(why);
        now = order == wantedOrder_ && why.isEmpty() ? row : now;
    }
    const QSignalBlocker quiet(orderList_);
    orderList_->setCurrentIndex(now);
}

void DictionaryView::chooseOrder() {
    wantedOrder_ = static_cast<AtomOrder>(orderList_->currentData().toInt());
    sortAtoms();
}

void DictionaryView::sortAtoms() {
    std::vector<double> values;
    if (shown_) {
        switch (static_cast<AtomOrder>(orderList_->currentData().toInt())) {
        case AtomOrder::stored: break;
        case AtomOrder::use: values = atomNumbers_.use; break;
        case AtomOrder::gain: values = atomNumbers_.gains; break;
        case AtomOrder::norm: values = shown_->norms; break;
        case AtomOrder::similarity:
            values = atomSimilarity(shown_->weight, mosaic_->chosen());
            break;
        }
    }
    mosaic_->setOrder(orderOf(values, shown_ ? shown_->atoms() : 0));
}

void DictionaryView::selectAtom(std::int64_t atom) {
    if (static_cast<AtomOrder>(orderList_->currentData().toInt()) == AtomOrder::similarity) {
        sortAtoms();
    }
    const QRect place = mosaic_->atomRect(atom);
    scroll_->ensureVisible(place.center().x(), place.center().y(), 0, place.height());
    showSelectedAtom();
}

void DictionaryView::showSelectedAtom() {
    showEnlargedAtom();
    const auto at = static_cast<std::size_t>(mosaic_->chosen());
    if (!shown_ || at >= shown_->norms.size()) {
        nameLabel_->setText({});
        numbersLabel_->setText(
            tr("No dictionary yet: it is saved with an observed step or a checkpoint."));
        return;
    }
    const QString name = tr("Atom %1 of %2").arg(at).arg(shown_->atoms());
    nameLabel_->setText(mosaic_->followedAtom() < 0 ? name : tr("%1, followed").arg(name));
    QStringList said;
    if (at < atomNumbers_.use.size()) {
        said << tr("active at %1 of positions").arg(quantity::percent(atomNumbers_.use[at]));
    }
    if (at < atomNumbers_.gains.size()) {
        said << tr("gain %1").arg(quantity::number(atomNumbers_.gains[at]));
    }
    said << tr("norm %1").arg(quantity::number(shown_->norms[at]));
    if (frames() > 1) {
        said << tr("%1 frames").arg(frames());
    }
    const std::vector<AtomFigures> none;
    const std::vector<AtomFigures>& all = figures_ ? figures_->atoms : none;
    const auto form = std::ranges::find(all, static_cast<std::int64_t>(at), &AtomFigures::atom);
    if (form != all.end() && form->energy > 0) {
        said << tr("%1 cycles per pixel at %2°, selectivity %3")
                    .arg(quantity::number(form->frequency))
                    .arg(std::lround(form->orientation))
                    .arg(quantity::number(form->selectivity));
    }
    QString text = said.join(QStringLiteral(", "));
    if (mosaic_->followedAtom() >= 0) {
        text += '\n' + tr("Click it again or press Escape for the code of all");
    }
    numbersLabel_->setText(text);
}

} // namespace weft::ui
