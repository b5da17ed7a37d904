// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prepares a run on another host: choice of host, ranks, location of the data, and a prediction
// with the devices that the host reports.

#include "document/preview_queue.h"
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
    /// `launchRequest`: the design, its name and the folder of its files. `host`: preselected host;
    /// empty: the host chosen last.
    RunThereDialog(const Look& look, PreviewQueue& previewQueue, RunControl& control,
                   LaunchRequest launchRequest, const QString& host, QWidget* parent = nullptr);
    ~RunThereDialog() override;

    /// Returns the order as entered in the fields.
    [[nodiscard]] LaunchRequest launchRequest() const;
    /// Returns why the design cannot run with these fields, or an empty text.
    [[nodiscard]] const QString& fault() const { return fault_; }

Q_SIGNALS:
    void runWanted(const weft::ui::LaunchRequest& launchRequest);
    void hostsWanted(); ///< asks the owner to show the page where hosts are added

private:
    /// The design's data files on this machine.
    struct Data {
        std::vector<DataFile> files; ///< found on this machine
        QString notFoundHere = {};   ///< a sentence on the file that is missing; empty: none is
        QString why = {};            ///< the text of the error, for the tool tip
    };
    void makeFields(QLayout& layout);
    void makeData(QLayout& layout);
    void lookForData(); ///< looks for the data files on a separate thread
    void makeButtons(QLayout& layout);
    void fillHosts(const QString& chosen);
    void chooseHost();
    void showHostState();
    void showData();
    void requestPlan();
    void takePlan(const PreviewAnswer& answer);
    void showPlan();
    void showDevices(const Preview& planned);
    void saveFields() const; ///< for the next run on this host
    void run();
    [[nodiscard]] const KnownHost* host() const;
    [[nodiscard]] std::optional<RemoteJobRequest> jobRequest() const;
    [[nodiscard]] QString settingKey(const char* setting) const; ///< key in QSettings

    const Look& look_;
    PreviewQueue& previewQueue_;
    RunControl& control_;
    LaunchRequest request_;
    Data data_;
    bool isDataKnown_ = false;                 ///< the search for data files has ended
    std::shared_ptr<const Preview> preview_;   ///< prediction for the host; nullptr: none yet
    std::shared_ptr<const HostReport> report_; ///< report of the host that the plan was made for
    QString refusal_;                          ///< why the present fields cannot be planned
    QString fault_;                            ///< why the design cannot run; empty: it can
    QThreadPool pool_;

    QComboBox* hostBox_ = nullptr;
    QLabel* hostState_ = nullptr;
    QFormLayout* form_ = nullptr;
    QSpinBox* ranks_ = nullptr;
    QSpinBox* nodes_ = nullptr;
    QSpinBox* cores_ = nullptr;
    QSpinBox* minutes_ = nullptr;
    QWidget* dataWidget_ = nullptr;
    QLabel* dataFacts_ = nullptr;
    QRadioButton* isOnHostButton_ = nullptr; ///< the data is in `folder_` of the host
    QRadioButton* isSentButton_ = nullptr;   ///< the data is sent to the host
    QLineEdit* folder_ = nullptr;            ///< data folder on the host
    QLabel* stepTime_ = nullptr;             ///< predicted
    QTreeWidget* devices_ = nullptr;
    QLabel* remarks_ = nullptr;
    QPushButton* run_ = nullptr;
};

} // namespace weft::ui
