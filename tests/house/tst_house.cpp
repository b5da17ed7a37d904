// SPDX-License-Identifier: Apache-2.0
// The house keeps itself: what the repository promises about its own files.

#include "support/places.h"
#include "support/test_main.h"

#include <QtTest>
#include <filesystem>

class TestHouse : public QObject {
    Q_OBJECT

private slots:
    void hasItsTopLevel() {
        for (const char* folder : {"engine", "app", "tests", "packaging"}) {
            QVERIFY2(std::filesystem::is_directory(weft::test::sourceFolder() / folder), folder);
        }
    }
};

std::unique_ptr<QObject> makeTestHouse() { return std::make_unique<TestHouse>(); }

#include "tst_house.moc"
