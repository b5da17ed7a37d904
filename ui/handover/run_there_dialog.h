// SPDX-License-Identifier: Apache-2.0
#pragma once
// Before a design runs on another host: which, how it is spread there, where its data is, and what
// it will take there, planned with the devices of that host as it says them.

#include "document/planner.h"
#include "session/run_control.h"
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
    /// `order`: design, its name and the folder in which its files lie. `host`: chosen first;
    /// empty: the one that was chosen last.
    RunThereDialog(const Look& look, Planner& planner, RunControl& control, RunOrder order,
                   const QString& host, QWidget* parent = nullptr);
    ~RunThereDialog() override;

    /// As it stands in the fields.
    [[nodiscard]] RunOrder order() const;
    /// Why it can't run as it stands; empty: it can.
    [[nodiscard]] const QString& fault() const { return fault_; }

Q_SIGNALS:
    void runWanted(const weft::ui::RunOrder& order);
    /// The page on which hosts are added.
    void hostsWanted();

private:
    /// The design's files, as they lie here.
    struct Data {
        std::vector<DataFile> files;
        QString lacks = {}; ///< what is not here, and why
        QString why = {};
    };
    void makeFields(QLayout& into);
    void makeData(QLayout& into);
    /// What there is of it here, beside the window's thread.
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
    [[nodiscard]] std::optional<ThereRequest> request() const;
    [[nodiscard]] QString keyOf(const char* setting) const;

    const Look& look_;
    Planner& planner_;
    RunControl& control_;
    RunOrder order_;
    Data data_;
    bool isDataKnown_ = false;
    std::shared_ptr<const Preview> planned_;
    std::shared_ptr<const HostReport> report_; ///< that was planned for
    QString refusal_;                          ///< of the fields as they stand
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
