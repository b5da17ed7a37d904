// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program with the stand-in for a GPU in it, run in a folder of its own.

#include "cli/weft_process.h"
#include "support/places.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <vector>

namespace weft::test {

inline QString simProgram() {
    return QString::fromStdString((buildFolder() / "tests/gpu/weft-sim").string());
}

class SimProgramTest : public QObject {
protected:
    /// A new folder: before each test.
    void begin() { folder_ = std::make_unique<QTemporaryDir>(); }

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended sim(const QStringList& arguments) const {
        return startedBy(simProgram(), {}, arguments, here());
    }
    /// Trains `small.weft` on these devices; the losses of its steps.
    [[nodiscard]] std::vector<double> trained(const QString& devices) const {
        const Ended ended = sim({"run", "small.weft", "--devices", devices});
        if (ended.code != 0) {
            QTest::qFail(qPrintable(ended.error), __FILE__, __LINE__);
            return {};
        }
        return lossesOf(runsIn(here()).last());
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

} // namespace weft::test
