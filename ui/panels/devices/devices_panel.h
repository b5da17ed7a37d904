// SPDX-License-Identifier: Apache-2.0
#pragma once
// The devices a design declares, which machine they are planned for and what it has, what a run
// takes of their memory against what there is, what does not hold of their kernels, and what is
// missing with the line that installs it.

#include "session/panel.h"
#include <weft/devices.h>

#include <utility>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::ui {

class DevicesPanel : public Panel {
    Q_OBJECT

public:
    explicit DevicesPanel(Bench& bench, QWidget* parent = nullptr);
    /// One more device of the kind of the last, or of a data sheet.
    void declare(const QString& sheet = {});
    void removeChosen();
    /// Shows the memory of the chosen device.
    void showMemory();

protected:
    void refresh(unsigned causes) override;

private:
    void addPlaces(QHBoxLayout& row);
    void fill();
    void fillPlaces();
    void showRemark();
    /// What does not hold of its kernels; empty: nothing.
    [[nodiscard]] QString remarkOn(DeviceSheet sheet);
    /// Free memory when this machine was last surveyed; 0 if unknown.
    [[nodiscard]] Bytes freeOf(const std::string& device) const;
    void showNumbers(QTreeWidgetItem& item, const CheckedDesign& known,
                     const DevicePreview& device) const;

    QTreeWidget* list_;
    QComboBox* places_;
    QLabel* remark_;
    std::vector<std::pair<DeviceSheet, QString>> known_; ///< by sheet without its name
};

} // namespace weft::ui
