// SPDX-License-Identifier: Apache-2.0
#include "observed.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::test;

namespace {

std::string selection(const char* plan, const char* kernel, const char* format) {
    return std::string(R"({"weft": 1, "plans": {"train": ")") + plan +
           R"("}, "devices": {"cpu:0": {"train": [["fc: linear", ")" + kernel + R"(", [")" +
           format + R"("]]]}}})";
}

/// A repeat with one kernel inside.
std::string selectionOfRounds(const char* kernel) {
    return std::string(R"({"plans": {"train": "a"}, "devices": {"cpu:0": {"train": )") +
           R"([["it: repeat", "7 iterations of 1 kernels", [""], 3, [["linear", ")" + kernel +
           R"(", [""], 0]]]]}}})";
}

/// A step by a library that takes that way.
std::string selectionOfCall(const char* kernel, const char* call) {
    return std::string(R"({"plans": {"train": "a"}, "devices": {"cuda:0": {"train": )") +
           R"([["conv1: conv2d", ")" + kernel + R"(", [""]]]}}, "calls": {"cuda:0": )" +
           R"({"model": "a chip", "members": {"train": [["conv1: conv2d", [")" + call +
           R"("]]]}}}})";
}

/// The kernel of that step, another than it was.
std::string withKernel(std::string text, const std::string& step, const std::string& kernel) {
    const auto named = text.find("\"" + step + "\"");
    const auto from = text.find('"', named + step.size() + 2) + 1;
    return text.replace(from, text.find('"', from) - from, kernel);
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isTheSameForTheSameChoices() {
        const std::string design = digitsDesign("data");
        const std::string once = selectionOf(design, 2);
        QCOMPARE(selectionOf(design, 2), once);
        QVERIFY(changesOf(once, once).empty());
        QVERIFY2(once.find("fc1: linear") != std::string::npos, once.c_str());
    }

    void hasWhatWasKeptAgain() {
        const std::string design = digitsDesign("data");
        const std::string own = selectionAfter(design, "cpu", "");
        // The same plan without groups, and with another kernel.
        const std::string alone = selectionAfter(design, "cpu", "", false);
        if (own == alone) {
            QSKIP("this build has no kernels that serve groups");
        }
        QVERIFY(alone.find("\"fc1: linear\"") != std::string::npos);
        const std::string plain = withKernel(alone, "fc1: linear", "reference");
        QVERIFY(plain != alone);
        QCOMPARE(selectionAfter(design, "cpu", alone), alone);
        QCOMPARE(selectionAfter(design, "cpu", plain), plain);
        QCOMPARE(selectionAfter(design, "cpu", own), own);
        QCOMPARE(selectionAfter(design, "cpu", "no JSON"), own);
    }

    void namesTheStepThatIsComputedOtherwise() {
        const auto kernels = changesOf(selection("a", "fast", ""), selection("a", "plain", ""));
        QCOMPARE(kernels.size(), std::size_t{1});
        for (const char* word : {"cpu:0", "train", "fc: linear", "fast", "plain"}) {
            QVERIFY2(kernels[0].find(word) != std::string::npos, kernels[0].c_str());
        }
        QCOMPARE(changesOf(selection("a", "fast", "ab"), selection("a", "fast", "ba")).size(),
                 std::size_t{1});
    }

    void looksIntoTheRoundsOfARepeat() {
        const auto kernels = changesOf(selectionOfRounds("fast"), selectionOfRounds("plain"));
        QCOMPARE(kernels.size(), std::size_t{1});
        for (const char* word : {"cpu:0", "it: repeat", "linear", "fast", "plain"}) {
            QVERIFY2(kernels[0].find(word) != std::string::npos, kernels[0].c_str());
        }
        QVERIFY(changesOf(selectionOfRounds("fast"), selectionOfRounds("fast")).empty());
    }

    void namesTheWayOfALibraryThatIsAnother() {
        const std::string before = selectionOfCall("cudnn", "cuDNN 9.19.0, engine 28, 2=4 3=0");
        const auto ways =
            changesOf(before, selectionOfCall("cudnn", "cuDNN 9.20.0, engine 34, 2=1"));
        QCOMPARE(ways.size(), std::size_t{1});
        for (const char* word : {"cuda:0", "train", "conv1: conv2d", "9.19.0, engine 28, 2=4 3=0",
                                 "9.20.0, engine 34, 2=1"}) {
            QVERIFY2(ways[0].find(word) != std::string::npos, ways[0].c_str());
        }
        QVERIFY(changesOf(before, before).empty());
        // By another kernel it is another way, too, and is said once.
        QCOMPARE(changesOf(before, selectionOfCall("cuda", "cuda")).size(), std::size_t{1});
    }

    void saysNothingOfOtherPlansAndSpoiltFiles() {
        QVERIFY(changesOf(selection("a", "fast", ""), selection("b", "plain", "")).empty());
        QVERIFY(changesOf("no JSON", selection("b", "plain", "")).empty());
        QVERIFY(changesOf("{}", selection("b", "plain", "")).empty());
        QVERIFY(changesOf(R"({"plans": {"train": "b"}, "devices": {"cpu:0": {"train": [[1]]}}})",
                          selection("b", "plain", ""))
                    .empty());
    }
};

std::unique_ptr<QObject> makeTestSelection() { return std::make_unique<TestSelection>(); }
#include "tst_selection.moc"
