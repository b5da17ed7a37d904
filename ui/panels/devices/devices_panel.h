// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel for the devices of a design: the machine to plan for and its devices, memory that a run
// needs against available memory, restrictions of their kernels, and missing backends with the
// command that installs them.

#include "workspace/panel.h"
#include <weft/devices.h>

#include <utility>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::ui {

class DevicesPanel : public Panel {
    Q_OBJECT

public:
    explicit DevicesPanel(WindowContext& context, QWidget* parent = nullptr);
    /// Declares one more device like the last one, or from a data sheet.
    void declare(const QString& sheet = {});
    void removeChosen();
    void showMemory(); ///< shows the memory of the selected device

protected:
    void refresh(unsigned causes) override;

private:
    void addMachineList(QHBoxLayout& row);
    void fillDeviceList();
    void fillMachineList();
    void showRemark();
    /// Returns restrictions of the device's kernels, or an empty text.
    [[nodiscard]] QString kernelRemark(DeviceSheet sheet);
    /// Free memory when this machine was last surveyed; 0 if unknown.
    [[nodiscard]] Bytes freeMemory(const std::string& device) const;
    void showNumbers(QTreeWidgetItem& item, const CheckedDesign& known,
                     const DevicePreview& device) const;

    QTreeWidget* deviceList_;
    QSpinBox* declareCount_; ///< how many devices are declared at once
    QComboBox* machineList_;
    QLabel* remarkLabel_;
    std::vector<std::pair<DeviceSheet, QString>> knownRemarks_; ///< by sheet without its name
};

} // namespace weft::ui
