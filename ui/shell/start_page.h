// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands in the window while no design is open: what to do, recent designs and samples in
// pictures, this machine, what was not saved, and runs that go on.

#include "session/bench.h"

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
    StartPage(Bench& bench, Files& files, QWidget* parent = nullptr);

    /// What an earlier session lost, offered at the left foot.
    void offerRecovery(const QString& text, QAction& restore, std::function<void()> forget);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildLeft();
    void buildMiddle();
    void buildRight();
    void fillCards();
    void layCards();
    void showMachine();
    void showLiving();
    void showDevices(const MachineReport& report);
    void showFeatures(const MachineReport& report);

    Bench& bench_;
    Files& files_;
    QWidget* left_;
    QScrollArea* middle_;
    QWidget* right_;
    QVBoxLayout* leftLayout_ = nullptr;
    QWidget* living_ = nullptr; ///< runs that go on, each to be attached to
    QVBoxLayout* machine_ = nullptr;
    QLabel* recentTitle_ = nullptr;
    QGridLayout* recent_ = nullptr;
    QGridLayout* samples_ = nullptr;
    std::vector<QWidget*> recentCards_;
    std::vector<QWidget*> sampleCards_;
    int columns_ = 0;
};

} // namespace weft::ui
