// SPDX-License-Identifier: Apache-2.0
#include "base/process/host_memory.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <memory>

using namespace weft;
namespace fs = std::filesystem;

class TestHostMemory : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    void write(const char* name, const char* text) const {
        const fs::path path = fs::path(folder_->path().toStdString()) / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] HostFiles files() const {
        const fs::path here = folder_->path().toStdString();
        return {here / "proc", here / "groups"};
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        write("proc/meminfo", "MemTotal:  8 kB\nMemFree: 1 kB\nMemAvailable: 6 kB\n");
    }

    void whatTheMachineHasWhereNothingLimitsIt() {
        write("proc/self/cgroup", "0::/user/shell\n");
        write("groups/user/memory.max", "max\n");
        QCOMPARE(hostMemory(files()).count, std::int64_t{8192});
        QCOMPARE(freeHostMemory(files()).count, std::int64_t{6144});
    }

    void theLeastLimitOfAGroupAndThoseAroundIt() {
        write("proc/self/cgroup", "0::/user/shell\n");
        write("groups/user/memory.max", "4000\n");
        write("groups/user/memory.current", "3000\n");
        write("groups/user/memory.stat", "anon 5\ninactive_file 500\n");
        write("groups/user/shell/memory.max", "5000\n");
        QCOMPARE(hostMemory(files()).count, std::int64_t{4000});
        QCOMPARE(freeHostMemory(files()).count, std::int64_t{1500});
    }

    void theOlderMakeOfGroups() {
        write("proc/self/cgroup", "4:memory:/job\n0::/\n");
        write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("groups/memory/job/memory.limit_in_bytes", "7000\n");
        write("groups/memory/job/memory.usage_in_bytes", "6000\n");
        write("groups/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 2000\n");
        QCOMPARE(hostMemory(files()).count, std::int64_t{7000});
        QCOMPARE(freeHostMemory(files()).count, std::int64_t{3000});
    }

    void aContainersOwnGroupIsTheRoot() {
        write("proc/self/cgroup", "0::/of/the/host\n");
        write("groups/memory.max", "2000\n");
        QCOMPARE(hostMemory(files()).count, std::int64_t{2000});
    }

    void nothingIsKnownWhereNobodySays() {
        const HostFiles nowhere{"/nowhere", "/nowhere"};
        QCOMPARE(hostMemory(nowhere).count, std::int64_t{0});
        QVERIFY(hostMemory() >= freeHostMemory() && freeHostMemory().count > 0);
    }
};

std::unique_ptr<QObject> makeTestHostMemory() { return std::make_unique<TestHostMemory>(); }
#include "tst_host_memory.moc"
