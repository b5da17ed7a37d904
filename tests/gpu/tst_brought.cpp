// SPDX-License-Identifier: Apache-2.0
// Data that the host copies to a device during a step arrives in time and does not overwrite data
// in use, under many orders of the simulated streams.

#include "backends/cuda/runtime/device.h"

#include <QTest>
#include <array>

using namespace weft;

namespace {

using Batch = std::array<float, 1024>;
constexpr Bytes wholeBatch{sizeof(Batch)};

struct FedLoop {
    std::unique_ptr<Device> device;
    std::unique_ptr<Arena> ahead = device->allocate(wholeBatch);
    std::unique_ptr<Arena> fed = device->allocate(wholeBatch);
    std::unique_ptr<Arena> made = device->allocate(wholeBatch);
    std::unique_ptr<Stream> stream = device->makeUnboundStream(0);

    void bring(float number) const {
        Batch batch;
        batch.fill(number);
        device->bring(ahead->address(), batch.data(), wholeBatch); // and may be written anew then
    }
    void place() const { device->place(fed->address(), ahead->address(), wholeBatch); }
    void enqueueStep() const {
        stream->copyBox(boxCopy({std::tuple_size_v<Batch>}, {1}, {1}), sizeof(float),
                        fed->address(), made->address());
    }
    [[nodiscard]] Batch result() const {
        stream->finish();
        Batch batch{};
        device->copyOut(batch.data(), made->address(), wholeBatch);
        return batch;
    }
};

Batch filledWith(float number) {
    Batch batch;
    batch.fill(number);
    return batch;
}

} // namespace

class TestBrought : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadInItsStep() {
        constexpr int chips = 50; // each of other orders
        for (int chip = 0; chip < chips; ++chip) {
            FedLoop loop{cuda::makeDevice(chip, {})};
            loop.bring(0);
            for (int step = 0; step < 4; ++step) {
                loop.place();
                loop.enqueueStep();
                loop.bring(static_cast<float>(step) + 1); // while that one runs
                QCOMPARE(loop.result(), filledWith(static_cast<float>(step)));
            }
        }
    }
};

std::unique_ptr<QObject> makeTestBrought() { return std::make_unique<TestBrought>(); }

#include "tst_brought.moc"
