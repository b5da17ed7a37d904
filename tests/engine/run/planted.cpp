// SPDX-License-Identifier: Apache-2.0
#include "planted.h"

#include "backends/backends.h"
#include "comm/world.h"

#include <memory>
#include <utility>
#include <vector>

namespace weft {

Backend referenceBackend();

namespace test {

namespace {

Planted& planted() {
    static Planted one;
    return one;
}

KernelMaker changed(KernelMaker maker) {
    maker.choose = [choose = maker.choose](const KernelRequest& request) -> ChoiceOrRefusal {
        ChoiceOrRefusal choice = choose(request);
        if (choice && request.op == planted().op) {
            choice->make = [make = choice->make, request] {
                const std::shared_ptr<Kernel> kernel = make();
                return makeKernel([kernel, request](const KernelArguments& arguments) {
                    kernel->run(arguments);
                    planted().change(request, arguments);
                });
            };
        }
        return choice;
    };
    return maker;
}

std::string asReference(const std::string& device) {
    return "reference" + device.substr(device.find(':'));
}

Backend plantedBackend() {
    Backend backend = referenceBackend();
    KernelList kernels;
    for (const std::string& op : backend.kernels.ops()) {
        for (const KernelMaker& maker : backend.kernels.ownOf(op)) {
            kernels.add(changed(maker));
        }
    }
    backend.name = "planted";
    backend.kernels = std::move(kernels);
    backend.find = [] { return std::vector<DeviceSheet>{}; };
    backend.open = [open = backend.open](const std::string& device, int cores) {
        return open(asReference(device), cores);
    };
    return backend;
}

/// Meets with the hosts and changes what comes of it.
class ChangedSum final : public Collective {
public:
    ChangedSum(std::unique_ptr<Collective> met, CollectiveRequest request)
        : met_(std::move(met)), request_(std::move(request)) {}

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Stream* stream) override {
        outputs_.assign(outputs.begin(), outputs.end());
        isChanged_ = false;
        met_->start(inputs, outputs, stream);
    }
    [[nodiscard]] bool hasFinished() override {
        if (!met_->hasFinished()) {
            return false;
        }
        const bool changes = !isChanged_ && request_.isAllReduce && planted().changeSum;
        for (std::size_t k = 0; changes && k < outputs_.size(); ++k) {
            planted().changeSum(
                {static_cast<float*>(outputs_[k]), static_cast<std::size_t>(request_.elements[k])});
        }
        isChanged_ = true;
        return true;
    }
    [[nodiscard]] std::int64_t met() const override { return met_->met(); }
    [[nodiscard]] std::vector<DeviceId> arrived() const override { return met_->arrived(); }
    [[nodiscard]] std::int64_t elementsSent() const override { return met_->elementsSent(); }

private:
    std::unique_ptr<Collective> met_;
    CollectiveRequest request_;
    std::vector<void*> outputs_ = {};
    bool isChanged_ = false;
};

class ChangingCommunicator final : public Communicator {
public:
    explicit ChangingCommunicator(Communicator& hosts) : hosts_(hosts) {}

    [[nodiscard]] std::string name() const override { return "planted"; }
    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        return std::make_unique<ChangedSum>(hosts_.prepare(request, member), request);
    }
    void abort() override { hosts_.abort(); }

private:
    Communicator& hosts_;
};

/// One process whose devices meet in that communicator.
class ChangingWorld final : public World {
public:
    [[nodiscard]] int rank() const override { return alone_->rank(); }
    [[nodiscard]] int ranks() const override { return alone_->ranks(); }
    [[nodiscard]] const std::string& host() const override { return alone_->host(); }
    [[nodiscard]] Communicator& communicator(const std::vector<int>& rankOf) override {
        communicator_ = std::make_unique<ChangingCommunicator>(alone_->communicator(rankOf));
        return *communicator_;
    }
    void bringToFirst(int from, std::span<std::byte> bytes, std::chrono::seconds limit) override {
        alone_->bringToFirst(from, bytes, limit);
    }
    void shareFromFirst(std::vector<std::byte>& bytes, std::chrono::seconds limit) override {
        alone_->shareFromFirst(bytes, limit);
    }
    void giveUp() override { alone_->giveUp(); }
    void abort() override { alone_->abort(); }

private:
    std::unique_ptr<World> alone_ = makeLoneWorld(false);
    std::unique_ptr<Communicator> communicator_ = {};
};

} // namespace

Planting::Planting(Planted given) { planted() = std::move(given); }
Planting::~Planting() { planted() = {}; }

std::span<float> resultOf(const KernelRequest& request, const KernelArguments& arguments,
                          std::size_t output) {
    return {static_cast<float*>(arguments.outputs[output]),
            static_cast<std::size_t>(request.outputs[output].elements())};
}

} // namespace test

void backends::fill(BackendList& list) {
    list.add(referenceBackend());
    list.add(test::plantedBackend());
}

bool isMpiBuilt() { return false; }
bool isOneOfSeveralRanks() { return false; }
std::unique_ptr<World> joinWorld() { return std::make_unique<test::ChangingWorld>(); }

} // namespace weft
