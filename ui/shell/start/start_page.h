// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shown while no design is open: first actions, recent designs and samples with pictures, this
// machine, unsaved designs of a crashed session, and live runs.

#include "workspace/window_context.h"

#include <QScrollArea>

class QAction;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace weft::ui {

class Files;

class StartPage : public QWidget {
    Q_OBJECT

public:
    StartPage(WindowContext& context, Files& files, QWidget* parent = nullptr);

    /// Offers at the bottom left to restore the designs of a crashed session.
    void offerRecovery(const QString& text, QAction& restore, std::function<void()> forget);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildLeft();   ///< first actions
    void buildMiddle(); ///< recent designs and samples
    void buildRight();  ///< this machine
    void fillCards();   ///< recent designs and samples
    void layCards();    ///< in as many columns as fit
    void showMachine(); ///< devices and features
    void showLiving();  ///< live runs
    void showDevices(const MachineReport& report);
    void showFeatures(const MachineReport& report); ///< the build's features

    WindowContext& context_;
    Files& files_;
    QWidget* left_;                     ///< first actions
    QScrollArea* middle_;               ///< designs
    QWidget* right_;                    ///< this machine
    QVBoxLayout* leftLayout_ = nullptr; ///< first actions
    QWidget* living_ = nullptr;         ///< live runs, each with a button to attach
    QVBoxLayout* machine_ = nullptr;    ///< devices and features
    QLabel* recentTitle_ = nullptr;
    QGridLayout* recent_ = nullptr;  ///< cards of recent designs
    QGridLayout* samples_ = nullptr; ///< cards of samples
    std::vector<QWidget*> recentCards_;
    std::vector<QWidget*> sampleCards_;
    int columns_ = 0; ///< number of columns of cards
};

} // namespace weft::ui
