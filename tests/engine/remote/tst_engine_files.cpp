// SPDX-License-Identifier: Apache-2.0
#include "remote/install/engine_files.h"
#include "remote/install/install_script.h"
#include "support/refusal.h"
#include "support/test_main.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

/// The files that belong to an engine, and the information that a host gives before its
/// installation.
class TestEngineFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheLoaderLists() {
        const std::vector<EngineFile> files =
            librariesIn("\tlinux-vdso.so.1 (0x00007ffd)\n"
                        "\tlibz.so.1 => /opt/my libs/libz.so.1 (0x00007f01)\n"
                        "\tlibz.so.1 => /opt/my libs/libz.so.1 (0x00007f01)\n"
                        "\tlibcuda.so.1 => /usr/lib/libcuda.so.1 (0x00007f02)\n"
                        "\t/opt/own/libextra.so (0x00007f03)\n"
                        "\t/lib64/ld-linux-x86-64.so.2 (0x00007f04)\n");
        QCOMPARE(files.size(), std::size_t{3});
        QCOMPARE(files[0].name, std::string("libz.so.1"));
        QCOMPARE(files[0].path.string(), std::string("/opt/my libs/libz.so.1"));
        QCOMPARE(files[1].name, std::string("libextra.so"));
        QCOMPARE(files[2].name, std::string("weft-loader"));
        QCOMPARE(files[2].path.string(), std::string("/lib64/ld-linux-x86-64.so.2"));
        // As a carried one says it.
        const std::vector<EngineFile> carried =
            librariesIn("\t/lib64/ld-linux-x86-64.so.2 => /home/me/weft-loader (0x00007f04)\n");
        QCOMPARE(carried.front().name, std::string("weft-loader"));
    }

    void refusesWhatIsNotWhole() {
        const std::string why =
            refusalOf([] { (void)librariesIn("\tlibfmt.so.9 => not found\n"); }, ErrorCode::file);
        QVERIFY2(why.find("libfmt.so.9") != std::string::npos, why.c_str());
        const std::string script =
            refusalOf([] { (void)engineFiles("/etc/passwd"); }, ErrorCode::usage);
        QVERIFY2(script.find("is not a program") != std::string::npos, script.c_str());
    }

    void takesThisProgramWithItsLibraries() {
        const std::vector<EngineFile> files = engineFiles({});
        QCOMPARE(files.front().name, std::string("weft"));
        for (const char* const name : {"libc.so.6", "libstdc++.so.6", "weft-loader"}) {
            QCOMPARE(std::ranges::count(files, name, &EngineFile::name), 1);
        }
    }

    void readsWhatAHostSaysWithoutTrust() {
        InstallFindings found;
        QVERIFY(!take("Welcome to the cluster", found));
        QVERIFY(take("weft:free 12 GB", found));
        QCOMPARE(found.free, std::int64_t{12 * 1024});
        for (const char* const odd : {"weft:free 99999999999999999999", "weft:free -4", "weft:free",
                                      "weft:free x", "weft:", "weft:dance now"}) {
            found.free = 1;
            QVERIFY(take(odd, found));
            QVERIFY2(found.free == 1 || found.free == -1, odd);
        }
        QVERIFY(take("weft:lacks libfmt-dev libz-dev", found));
        QCOMPARE(found.lacks.size(), std::size_t{1});
        for (int i = 0; i < 1000; ++i) {
            QVERIFY(take("weft:lacks sleep", found) && take("weft:last word", found));
        }
        QVERIFY(found.lacks.size() <= 100 && found.lastOfLog.size() <= 100);
        QVERIFY(!found.isReady && take("weft:ready", found) && found.isReady);
    }

    void anyShellHandsTheScriptsOver() {
        for (const std::string& script : {carryScript(), buildScript()}) {
            QCOMPARE(script.find_first_of("'\n!"), std::string::npos);
        }
    }
};

std::unique_ptr<QObject> makeTestEngineFiles() { return std::make_unique<TestEngineFiles>(); }
#include "tst_engine_files.moc"
