// SPDX-License-Identifier: Apache-2.0
#pragma once

// One executable holds the test classes of one folder. Each tst_<unit>.cpp ends with
//     std::unique_ptr<QObject> makeTest<Unit>() { return std::make_unique<Test<Unit>>(); }
//     #include "tst_<unit>.moc"
// and the main that weft_test() writes names them all.

#include <QObject>
#include <memory>
#include <span>

namespace weft::test {

struct TestClass {
    const char* name;
    std::unique_ptr<QObject> (*make)();
};

// CTest interprets this exit code as "skipped".
constexpr int skippedExitCode = 77;

// usage: <executable> [Test<Unit> [arguments of Qt Test]]. Runs the named class, or all in order.
// Gives 0, the skipped code where nothing failed but something was skipped, or the failures.
int runTests(std::span<const TestClass> classes, int argc, char** argv);

} // namespace weft::test
