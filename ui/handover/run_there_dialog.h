// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prepares a run on another host: choice of host, ranks, location of the data, and a prediction
// with the devices that the host reports.

#include "document/planner.h"
#include "launch/run_control.h"
#include <weft/exchange.h>

#include <QDialog>
#include <QThreadPool>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;
class QTreeWidget;

namespace weft::ui {

class Look;

class RunThereDialog : public QDialog {
    Q_OBJECT

public:
    /// `order`: the design, its name and the folder of its files. `host`: preselected host; empty:
    /// the host chosen last.
    RunThereDialog(const Look& look, Planner& planner, RunControl& control, RunOrder order,
                   const QString& host, QWidget* parent = nullptr);
    ~RunThereDialog() override;

    /// Returns the order as entered in the fields.
    [[nodiscard]] RunOrder order() const;
    /// Returns why the design cannot run with these fields, or an empty text.
    [[nodiscard]] const QString& fault() const { return fault_; }

Q_SIGNALS:
    void runWanted(const weft::ui::RunOrder& order);
    /// Asks the owner to show the page where hosts are added.
    void hostsWanted();

private:
    /// The design's data files on this machine.
    struct Data {
        std::vector<DataFile> files;
        QString notFoundHere = {}; ///< a sentence on the file that is missing; empty: none is
        QString why = {};          ///< the text of the error, for the tool tip
    };
    void makeFields(QLayout& into);
    void makeData(QLayout& into);
    /// Looks for the data files on a separate thread.
    void lookForData();
    void makeFoot(QLayout& into);
    void fillHosts(const QString& chosen);
    void chooseHost();
    void follow();
    void showData();
    void plan();
    void take(const PlannerAnswer& answer);
    void tell();
    void showDevices(const Preview& planned);
    void remember() const;
    void run();
    [[nodiscard]] const KnownHost* host() const;
    [[nodiscard]] std::optional<RemoteJobRequest> request() const;
    [[nodiscard]] QString keyOf(const char* setting) const;

    const Look& look_;
    Planner& planner_;
    RunControl& control_;
    RunOrder order_;
    Data data_;
    bool isDataKnown_ = false;
    std::shared_ptr<const Preview> planned_;
    std::shared_ptr<const HostReport> report_; ///< report of the host that the plan was made for
    QString refusal_;                          ///< why the present fields cannot be planned
    QString fault_;
    QThreadPool pool_;

    QComboBox* hosts_ = nullptr;
    QLabel* state_ = nullptr;
    QFormLayout* form_ = nullptr;
    QSpinBox* ranks_ = nullptr;
    QSpinBox* nodes_ = nullptr;
    QSpinBox* cores_ = nullptr;
    QSpinBox* minutes_ = nullptr;
    QWidget* dataPart_ = nullptr;
    QLabel* dataFacts_ = nullptr;
    QRadioButton* liesThere_ = nullptr;
    QRadioButton* isSent_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QLabel* step_ = nullptr;
    QTreeWidget* devices_ = nullptr;
    QLabel* remarks_ = nullptr;
    QPushButton* run_ = nullptr;
};

} // namespace weft::ui
