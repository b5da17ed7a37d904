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

class ChoiceHeader;
class ChoiceRow;
class ChoiceComparison;
struct AssignmentChoice;
struct LayerDrawing;

class AssignmentPanel : public Panel {
    Q_OBJECT

public:
    explicit AssignmentPanel(WindowContext& context, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Layers that a choice applies to.
    enum class ChoiceScope : std::uint8_t { layer, selection, kind }; ///< kind: layers of its kind

    void build();
    void buildMesh();
    void buildScope();
    void buildChoices();
    void addChoice(const AssignmentChoice& choice);
    void addFollowButton();
    void addDeclareButton(); ///< called if there is only one device
    void buildIllegal(const std::vector<AssignmentChoice>& refused);
    [[nodiscard]] QWidget* illegalRow(const AssignmentChoice& choice);
    void requestPrices();
    void takePrice(int choice, const ChoicePrice& price);
    void showPresent(); ///< shows the check's results for the present design
    void scaleRows();   ///< sets the common scale of the bars
    void assignChoice(const Assignment& assignment);
    void fitToSize(); ///< shows as much as there is room for
    void showComparison();
    /// Returns the choice that the user points at, or else the fastest one not in use; nullptr
    /// until a price is known.
    [[nodiscard]] const ChoiceRow* comparedRow() const;
    void addBoundaryChoices(PriceQuestion& question); ///< ways to cross the boundary
    void showBoundary();
    void setBoundaryScheme(const QString& scheme);
    /// Returns the wire into the layer that has a collective; nullptr: none.
    [[nodiscard]] const Wire* boundaryWire() const;
    [[nodiscard]] std::vector<LayerId> targetLayers() const; ///< layers that a choice applies to
    [[nodiscard]] const Layer* layer() const;                ///< the current layer; nullptr: none
    [[nodiscard]] Assignment presentAssignment() const;      ///< the current layer's
    /// Returns the assignment of the layer or else of the design; for a group, those of all inner
    /// layers.
    [[nodiscard]] std::vector<const Assignment*> assignmentsOf(const Layer& shown) const;
    /// True for a group whose layers have different assignments.
    [[nodiscard]] bool isMixed() const;
    /// Returns the shown layer as this choice would place it; nullptr if unknown.
    [[nodiscard]] const LayerPreview* layerWith(const ChoicePrice& price) const;
    [[nodiscard]] LayerDrawing drawingOf(const ChoicePrice& price) const;
    [[nodiscard]] std::vector<std::string> allDevices() const;

    QLabel* meshLabel_ = nullptr;
    QComboBox* meshBox_;
    QWidget* scopeBox_;
    QComboBox* scopeList_;
    QWidget* deviceButtons_;
    QHBoxLayout* deviceRow_;
    ChoiceHeader* header_;
    QWidget* listWidget_;
    QVBoxLayout* rows_;
    QBoxLayout* body_; ///< list and comparison
    ChoiceComparison* comparison_;
    QScrollArea* comparisonScroll_;
    ChoicePricer* pricer_;
    std::vector<ChoiceRow*> choiceRows_;
    int comparedIndex_ = -1;                  ///< index of the compared choice; -1: none
    ChoicePrice presentPrice_;                ///< price of the present design
    std::vector<ChoicePrice> boundaryPrices_; ///< prices of the ways to cross the boundary
    std::vector<std::string> chosenDevices_;
    std::vector<std::int64_t> chosenMesh_; ///< extents of the mesh
    QString builtKey_;                     ///< key of what the rows were built for
    std::uint64_t builtRevision_ = 0;      ///< revision of the answer that was shown
};

} // namespace weft::ui
