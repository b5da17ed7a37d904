// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel for the assignment of the selected layers: devices and mesh, one row per legal assignment
// with its predicted cost, then the illegal ones with the reason. If wide enough, compares the
// chosen assignment with the present one and selects the layers it applies to.

#include "panels/assignment/price_choices.h"
#include "workspace/panel.h"

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
    /// Layers that a choice applies to.
    enum class Reach : std::uint8_t { layer, selection, kind };

    void build();
    void buildMesh();
    void buildReach();
    void buildChoices();
    void addChoice(const AssignmentChoice& choice);
    void offerFollow();
    /// Called if there is only one device.
    void offerDevice();
    void buildRefused(const std::vector<AssignmentChoice>& refused);
    [[nodiscard]] QWidget* refusedRow(const AssignmentChoice& choice);
    void price();
    void take(int choice, const ChoicePrice& price);
    /// Shows the check's results for the present design.
    void showNow();
    void scale();
    void choose(const Assignment& assignment);
    /// Shows as much as there is room for.
    void fit();
    void compare();
    /// Returns the choice that the user points at, or else the fastest one not in use; nullptr
    /// until a price is known.
    [[nodiscard]] const ChoiceRow* compared() const;
    void askBoundary(PriceQuestion& question);
    void showBoundary();
    void cross(const QString& scheme);
    /// Returns the wire into the layer that has a collective; nullptr: none.
    [[nodiscard]] const Wire* boundary() const;
    [[nodiscard]] std::vector<LayerId> targets() const;
    [[nodiscard]] const Layer* layer() const;
    [[nodiscard]] Assignment present() const;
    /// Returns the assignment of the layer or else of the design; for a group, those of all inner
    /// layers.
    [[nodiscard]] std::vector<const Assignment*> assignmentsOf(const Layer& shown) const;
    /// True for a group whose layers have different assignments.
    [[nodiscard]] bool isMixed() const;
    /// Returns the shown layer as this choice would place it; nullptr if unknown.
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
    int looked_ = -1; ///< index of the compared choice; -1: none
    ChoicePrice now_;
    std::vector<ChoicePrice> boundaries_; ///< prices of the ways to cross the boundary, once known
    std::vector<std::string> chosenDevices_;
    std::vector<std::int64_t> chosenMesh_;
    QString built_;
    std::uint64_t builtRevision_ = 0; ///< revision of the answer that was shown
};

} // namespace weft::ui
