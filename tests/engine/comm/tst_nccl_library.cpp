// SPDX-License-Identifier: Apache-2.0
// Calls of NCCL that work without a GPU.

#include "comm/nccl/seam.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTest>
#include <algorithm>
#include <filesystem>

using namespace weft;

class TestNcclLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        const nccl::seam::LibraryState survey = nccl::seam::findLibrary();
        if (!survey.lacks.empty()) {
            QSKIP(qPrintable("NCCL: " + QString::fromStdString(survey.lacks)));
        }
    }

    void saysItsVersion() {
        const std::string version = nccl::seam::findLibrary().version;
        QVERIFY2(version.starts_with("2."), version.c_str());
        QCOMPARE(std::ranges::count(version, '.'), 2);
    }

    void makesAnIdForEachSetOfMembers() {
        const nccl::seam::Id one = nccl::seam::makeId();
        const nccl::seam::Id other = nccl::seam::makeId();
        QVERIFY(one != other);
        QVERIFY(std::ranges::any_of(one, [](std::byte byte) { return byte != std::byte{}; }));
    }

    /// A failure is reported, and nothing is left to wait for.
    void tellsThatThereIsNoChip() {
        if (std::filesystem::exists("/proc/driver/nvidia/version")) {
            QSKIP("there may be a chip");
        }
        try {
            (void)nccl::seam::join(nccl::seam::makeId(), 2, 0);
            QFAIL("joined without a chip");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::peer);
            QVERIFY2(error.problem().find("NCCL, joining") == 0, error.what());
        }
    }
};

std::unique_ptr<QObject> makeTestNcclLibrary() { return std::make_unique<TestNcclLibrary>(); }
#include "tst_nccl_library.moc"
