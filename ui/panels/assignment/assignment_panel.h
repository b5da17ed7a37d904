// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the selected layers are spread: devices and their arrangement, then a row per possible
// assignment with its price, then what is not possible and why.

#include "session/panel.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace weft::ui {

class ChoiceHead;
class ChoiceRow;
class PriceChoices;
struct AssignmentChoice;
struct ChoiceDrawing;
struct ChoicePrice;

class AssignmentPanel : public Panel {
    Q_OBJECT

public:
    explicit AssignmentPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    void build();
    void buildMesh();
    void buildChoices();
    /// Where there is only one.
    void offerDevice();
    void buildRefused(const std::vector<AssignmentChoice>& refused);
    [[nodiscard]] QWidget* refusedRow(const AssignmentChoice& choice);
    void price();
    void take(int choice, const ChoicePrice& price);
    void choose(const Assignment& assignment);
    [[nodiscard]] const Layer* layer() const;
    [[nodiscard]] Assignment present() const;
    [[nodiscard]] ChoiceDrawing drawingOf(const AssignmentChoice& choice) const;
    [[nodiscard]] std::vector<std::string> allDevices() const;

    QLabel* label_ = nullptr;
    QComboBox* mesh_;
    QWidget* devices_;
    QHBoxLayout* deviceRow_;
    ChoiceHead* head_;
    QWidget* list_;
    QVBoxLayout* rows_;
    PriceChoices* prices_;
    std::vector<ChoiceRow*> choices_;
    std::vector<std::string> chosenDevices_;
    std::vector<std::int64_t> chosenMesh_;
    QString built_;
};

} // namespace weft::ui
