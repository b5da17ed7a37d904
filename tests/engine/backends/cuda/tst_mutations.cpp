// SPDX-License-Identifier: Apache-2.0
// Each fault that is planted into a kernel is found by the samples of its op, so that those samples
// are worth something; and each kernel has one.

#include "emulated.h"
#include "mutations.h"
#include "simt/mutation.h"
#include "support/places.h"

#include <QTest>
#include <algorithm>
#include <filesystem>
#include <regex>

using namespace weft::test;

class TestMutations : public QObject {
    Q_OBJECT

    EmulatedCuda cuda_;
    std::filesystem::path sources_ = std::filesystem::path(sourceFolder()) / "engine/backends/cuda";
    std::vector<Mutation> mutations_ = readMutations(
        (std::filesystem::path(sourceFolder()) / "tests/engine/backends/cuda/mutations.txt")
            .string());

    std::string faultOf(const std::string& op) {
        for (const simt::Order order :
             {simt::Order::ascending, simt::Order::random, simt::Order::descending}) {
            std::string fault = cuda_.faultOf(op, order);
            if (!fault.empty()) {
                return fault;
            }
        }
        return {};
    }

private Q_SLOTS:
    void isFound_data() {
        QTest::addColumn<int>("number");
        for (const Mutation& one : mutations_) {
            QTest::newRow((one.holder + ": " + one.from + " -> " + one.to).c_str()) << one.number;
        }
    }
    void isFound() {
        QFETCH(int, number);
        const Mutation& one = mutations_.at(static_cast<std::size_t>(number) - 1);
        std::string fault;
        simt::mutation = number;
        try {
            fault = faultOf(one.op);
        } catch (const std::exception& error) {
            simt::mutation = 0;
            QFAIL(error.what());
        }
        simt::mutation = 0;
        QVERIFY2(!fault.empty(), ("no sample of " + one.op + " finds it").c_str());
        qInfo("%s", fault.c_str());
    }

    void everyKernelHasOne() {
        const std::regex kernel(R"(__global__ void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\()");
        int kernels = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(sources_)) {
            if (!entry.is_regular_file()) {
                continue;
            }
            const std::string file = entry.path().filename().string();
            const std::string text = textOf(entry.path().string());
            for (auto it = std::sregex_iterator(text.begin(), text.end(), kernel);
                 it != std::sregex_iterator(); ++it, ++kernels) {
                const std::string name = (*it)[1];
                QVERIFY2(std::ranges::any_of(mutations_,
                                             [&](const Mutation& one) {
                                                 return one.file == file && one.holder == name;
                                             }),
                         (file + " has no mutation of " + name).c_str());
            }
        }
        QVERIFY(kernels > 0);
    }
};

std::unique_ptr<QObject> makeTestMutations() { return std::make_unique<TestMutations>(); }

#include "tst_mutations.moc"
