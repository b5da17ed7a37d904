// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the selected layers are spread: devices and their arrangement, then a row per possible
// assignment with its price, then what is not possible and why. Where the panel is wide it compares
// the choice that is looked at with what is now, and lets one say to which layers it applies.

#include "panels/assignment/price_choices.h"
#include "session/panel.h"

class QBoxLayout;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace weft::ui {

class ChoiceHead;
class ChoiceRow;
class ChoiceComparison;
struct AssignmentChoice;
struct LayerDrawing;

class AssignmentPanel : public Panel {
    Q_OBJECT

public:
    explicit AssignmentPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// To which layers a choice is given.
    enum class Reach : std::uint8_t { layer, selection, kind };

    void build();
    void buildMesh();
    void buildReach();
    void buildChoices();
    void addChoice(const AssignmentChoice& choice);
    void offerFollow();
    /// Where there is only one.
    void offerDevice();
    void buildRefused(const std::vector<AssignmentChoice>& refused);
    [[nodiscard]] QWidget* refusedRow(const AssignmentChoice& choice);
    void price();
    void take(int choice, const ChoicePrice& price);
    /// What the check knows of the design as it is.
    void showNow();
    void scale();
    void choose(const Assignment& assignment);
    /// As much as there is room for.
    void fit();
    void compare();
    /// The choice that was pointed at; unasked the fastest of those that are not taken;
    /// nullptr before any is priced.
    [[nodiscard]] const ChoiceRow* compared() const;
    void askBoundary(PriceQuestion& question);
    void showBoundary();
    void cross(const QString& scheme);
    /// The wire into the layer on which something travels now; nullptr: none.
    [[nodiscard]] const Wire* boundary() const;
    [[nodiscard]] std::vector<LayerId> targets() const;
    [[nodiscard]] const Layer* layer() const;
    [[nodiscard]] Assignment present() const;
    /// Of a layer its own, else the design's; of a group those of all that is inside.
    [[nodiscard]] std::vector<const Assignment*> assignmentsOf(const Layer& shown) const;
    /// A group whose layers are not all assigned alike.
    [[nodiscard]] bool isMixed() const;
    /// The layer that is shown as it would be; nullptr: that is not known.
    [[nodiscard]] const LayerPreview* placedBy(const ChoicePrice& price) const;
    [[nodiscard]] LayerDrawing drawingOf(const ChoicePrice& price) const;
    [[nodiscard]] std::vector<std::string> allDevices() const;

    QLabel* label_ = nullptr;
    QComboBox* mesh_;
    QWidget* reachBox_;
    QComboBox* reach_;
    QWidget* devices_;
    QHBoxLayout* deviceRow_;
    ChoiceHead* head_;
    QWidget* list_;
    QVBoxLayout* rows_;
    QBoxLayout* body_;
    ChoiceComparison* comparison_;
    QScrollArea* comparisonScroll_;
    PriceChoices* prices_;
    std::vector<ChoiceRow*> choices_;
    int looked_ = -1; ///< the choice that is compared; -1: none was pointed at
    ChoicePrice now_;
    std::vector<ChoicePrice> boundaries_; ///< of the ways to cross, once they are known
    std::vector<std::string> chosenDevices_;
    std::vector<std::int64_t> chosenMesh_;
    QString built_;
    std::uint64_t builtRevision_ = 0; ///< of the check's answer
};

} // namespace weft::ui
