// SPDX-License-Identifier: Apache-2.0
// Every kernel of every backend of this build, in f32, on all samples of its op and on the parts
// that devices hold when a letter is split, against the reference kernel in double: as it is asked
// first, with every format that some kernel of the backend wants, in place, on one core and on two.

#include "backends/backends.h"
#include "support/kernel_trial.h"
#include <weft/error.h>

#include <QTest>
#include <set>

using namespace weft;
using namespace weft::test;

class TestKernels : public QObject {
    Q_OBJECT

    KernelCases cases_;
    Oracle reference_;
    std::map<std::string, std::unique_ptr<Oracle>> devices_; ///< by backend
    std::map<std::string, std::set<std::string>> tags_;      ///< format tags by backend

    /// True when the kernel took it.
    bool compare(const std::string& backend, const KernelMaker& maker, const KernelCase& one,
                 const RunOptions& options, const std::string& how) {
        try {
            const KernelTrial trial = tryKernel(*devices_.at(backend), maker, one, options);
            tags_[backend].insert(trial.tags.begin(), trial.tags.end());
            if (!trial.fault.empty()) {
                const std::string where = maker.implementation + " " + one.local.name + how;
                QTest::qFail((where + ", " + trial.fault).c_str(), __FILE__, __LINE__);
            }
            return trial.isTaken;
        } catch (const std::exception& error) {
            QTest::qFail(error.what(), __FILE__, __LINE__);
            return true;
        }
    }

    void rowPerKernel() const {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("index");
        for (const auto& [backend, device] : devices_) {
            for (const Op* op : cases_.ops().all()) {
                const auto makers = device->kernels().of(op->name);
                for (std::size_t k = 0; k < makers.size() && !op->bodied; ++k) {
                    QTest::newRow((backend + "/" + op->name + "/" + makers[k].implementation + "/" +
                                   std::to_string(k))
                                      .c_str())
                        << QString::fromStdString(backend) << QString::fromStdString(op->name)
                        << static_cast<int>(k);
                }
            }
        }
    }

    template <class Visit>
    void eachCase(const Visit& visit) {
        QFETCH(QString, backend);
        QFETCH(QString, op);
        QFETCH(int, index);
        const std::string name = op.toStdString();
        const KernelMaker& maker =
            devices_.at(backend.toStdString())->kernels().of(name)[static_cast<std::size_t>(index)];
        try {
            for (const KernelCase& one : cases_.of(name)) {
                visit(backend.toStdString(), maker, one);
            }
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
    }

private Q_SLOTS:
    void initTestCase() {
        try {
            BackendList backends;
            backends::fill(backends);
            for (const Backend& backend : backends.all()) {
                const auto found = backend.find();
                // The null backend takes time and gives no numbers.
                if (backend.name != "null" && !found.empty()) {
                    devices_[backend.name] =
                        std::make_unique<Oracle>(backend, found.front().name, 2);
                }
            }
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY(devices_.contains("reference"));
    }

    /// The suites lean on the guards: these must see what they are there to see.
    void seesWhatAKernelMayNotTouch_data() {
        QTest::addColumn<int>("operand");
        QTest::addColumn<int>("element");
        QTest::addColumn<bool>("isFault");
        QTest::newRow("its result") << -1 << 3 << false;
        QTest::newRow("before its result") << -1 << -1 << true;
        QTest::newRow("behind its result") << -1 << 4 << true;
        QTest::newRow("an operand") << 0 << 2 << true;
    }
    void seesWhatAKernelMayNotTouch() {
        QFETCH(int, operand);
        QFETCH(int, element);
        QFETCH(bool, isFault);
        const TensorPart part = wholePart(DType::f32, {4});
        const auto writes = [=](const KernelArguments& arguments) {
            void* buffer =
                operand < 0 ? arguments.outputs[0] : const_cast<void*>(arguments.inputs[0]);
            static_cast<float*>(buffer)[element] = 7;
        };
        const KernelChoice choice{.implementation = "made up",
                                  .make = [=] { return makeKernel(writes); }};
        const auto run = [&] {
            (void)reference_.run(requestOf("made_up", {}, {part}, {part}), choice,
                                 {Tensor(DType::f32, {4})});
        };
        if (isFault) {
            QVERIFY_THROWS_EXCEPTION(Error, run());
        } else {
            run();
        }
    }

    void agreesWithTheReference_data() { rowPerKernel(); }
    void agreesWithTheReference() {
        int taken = 0;
        eachCase([&](const std::string& backend, const KernelMaker& maker, const KernelCase& one) {
            taken +=
                compare(backend, maker, one, {.randomKey = KernelCases::randomKey}, "") ? 1 : 0;
            // A team waits for its threads at every call: parts would tell no more and take long.
            if (one.isWhole) {
                compare(backend, maker, one, {.randomKey = KernelCases::randomKey, .cores = 2},
                        " on two cores");
            }
        });
        QVERIFY2(taken > 0, "refuses every sample of its op, so that nothing holds it to its word");
    }

    void worksInPlace_data() { rowPerKernel(); }
    void worksInPlace() {
        eachCase([&](const std::string& backend, const KernelMaker& maker, const KernelCase& one) {
            for (const RunOptions& way : waysInPlace(cases_.ops().at(maker.op), one)) {
                compare(backend, maker, one, way, " in place");
            }
        });
    }

    void takesTheFormatsOfOthers_data() { rowPerKernel(); }
    void takesTheFormatsOfOthers() {
        eachCase([&](const std::string& backend, const KernelMaker& maker, const KernelCase& one) {
            for (const std::string& tag : std::set<std::string>(tags_[backend])) {
                for (const RunOptions& way : waysInFormat(one, tag)) {
                    compare(backend, maker, one, way, " given " + tag);
                }
            }
        });
    }
};

std::unique_ptr<QObject> makeTestKernels() { return std::make_unique<TestKernels>(); }

#include "tst_kernels.moc"
