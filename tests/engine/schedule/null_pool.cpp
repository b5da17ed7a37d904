// SPDX-License-Identifier: Apache-2.0
#include "null_pool.h"

#include "backends/backends.h"
#include "run/execute/worker_pool.h"
#include "schedule/predict/simulate.h"
#include "schedule/schedule.h"
#include "support/small_network.h"

#include <array>
#include <random>

namespace weft::test {

namespace {

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t count) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
}

template <std::size_t N>
std::string oneOf(Random& random, const std::array<const char*, N>& words) {
    return words[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(N)))];
}

/// Layers over values of one width, so that any two can be added.
class Growth {
public:
    Growth(SmallNetwork& network, Random& random) : network_(network), random_(random) {}

    void run() {
        const ValueId x = network_.input("x", {4 + below(random_, 5), width});
        values_.push_back(dense("first", x));
        const std::int64_t layers = 2 + below(random_, 7);
        for (std::int64_t k = 0; k < layers; ++k) {
            values_.push_back(grow("layer" + std::to_string(k)));
        }
        network_.train(network_.meanLoss("loss", values_.back()), below(random_, 2) == 0 ? 0 : 1);
    }

    std::vector<std::string> names;

private:
    static constexpr std::int64_t width = 8;

    ValueId dense(const std::string& name, ValueId x) {
        names.push_back(name);
        return network_.dense(name, x, width);
    }

    ValueId any() {
        return values_[static_cast<std::size_t>(
            below(random_, static_cast<std::int64_t>(values_.size())))];
    }

    ValueId grow(const std::string& name) {
        switch (below(random_, 4)) {
        case 0: return dense(name, any());
        case 1: names.push_back(name); return network_.op(name, "add", {any(), values_.back()});
        case 2: names.push_back(name); return network_.layerNorm(name, values_.back());
        default: names.push_back(name); return network_.op(name, "relu", {any()});
        }
    }

    SmallNetwork& network_;
    Random& random_;
    std::vector<ValueId> values_;
};

DeviceSheet randomSheet(Random& random, const std::string& name) {
    DeviceSheet sheet;
    sheet.name = name;
    sheet.flopsPerSecond = 1e8 * static_cast<double>(1 + below(random, 50));
    sheet.bytesPerSecond = 1e7 * static_cast<double>(1 + below(random, 50));
    sheet.overhead = {1 + below(random, 5000)};
    return sheet;
}

} // namespace

struct NullPlan::State {
    SmallNetwork network; ///< whose ops the plan points to
    std::shared_ptr<const Plan> plan;
    std::string order;
    int streams = 1;
    std::vector<DeviceSheet> sheets;
    Links links;
};

NullPlan::NullPlan(std::uint64_t seed) : state(std::make_shared<State>()) {
    Random random(seed);
    SmallNetwork& network = state->network;
    Growth growth(network, random);
    growth.run();
    const auto count = static_cast<std::size_t>(1 + below(random, 4));
    std::map<std::string, std::string> assignments{{"", "data"}};
    for (const std::string& name : growth.names) {
        assignments[name] =
            oneOf(random, std::array{"data", "model.stack", "model.add", "replicate", "follow"});
    }
    state->plan = std::make_shared<const Plan>(
        place(network.graph(), network.ops(), network.request(count, assignments)).plan);
    state->order = oneOf(random, std::array{"sequential", "depth", "dataflow"});
    state->streams = static_cast<int>(1 + below(random, 3));
    for (std::size_t k = 0; k < count; ++k) {
        state->sheets.push_back(randomSheet(random, state->plan->devices[k]));
        state->links.places.push_back({static_cast<int>(below(random, 3)), 0});
        state->links.places.back().host = state->links.places.back().rank / 2;
    }
}

std::size_t NullPlan::devices() const { return state->sheets.size(); }

bool NullPlan::communicates() const { return elementsSent() > 0; }

std::int64_t NullPlan::elementsSent() const {
    std::int64_t sum = 0;
    for (const PlanNode& node : state->plan->nodes) {
        if (node.node.isNone() && !isLocal(node.collective)) {
            for (const std::int64_t elements : weft::elementsSent(*state->plan, node)) {
                sum += elements;
            }
        }
    }
    return sum;
}

void NullPlan::setOrder(const std::string& order) { state->order = order; }

void NullPlan::setLinks(std::int64_t slower) {
    MachineSheet& machine = state->links.machine;
    LinkSheet link;
    link.latency = link.latency * slower;
    link.bytesPerSecond /= static_cast<double>(slower);
    machine.withinProcess = machine.withinHost = machine.betweenHosts = link;
}

void NullPlan::hurry() {
    for (DeviceSheet& sheet : state->sheets) {
        sheet.flopsPerSecond = 1e12;
        sheet.bytesPerSecond = 1e12;
        sheet.overhead = {1000};
    }
}

namespace {

std::vector<LocalDevice> openDevices(const NullPlan& made, const Backend* backend,
                                     null::Settings settings) {
    std::vector<LocalDevice> devices;
    for (std::uint32_t k = 0; k < made.devices(); ++k) {
        settings.sheet = made.state->sheets[k];
        devices.push_back(
            {DeviceId{k}, made.state->plan->devices[k], backend, null::makeDevice(settings), 1});
    }
    return devices;
}

BackendList builtIn() {
    BackendList backends;
    backends::fill(backends);
    return backends;
}

} // namespace

struct NullPool::State {
    State(const NullPlan& made, bool isStepped, const null::Settings& settings)
        : plan(made),
          communicator(null::makeCommunicator(settings.time)),
          backends(builtIn()),
          pool(openDevices(made, backends.find("null"), settings), communicator.get(), isStepped) {}

    NullPlan plan; ///< outlives the programs
    std::unique_ptr<Communicator> communicator;
    BackendList backends;
    WorkerPool pool;
};

NullPool::NullPool(const NullPlan& made, bool isStepped, const null::Settings& settings)
    : state_(std::make_unique<State>(made, isStepped, settings)) {
    const KernelList none;
    state_->pool.prepare([&](const LocalDevice& local) {
        ScheduleRequest wanted{
            .order = made.state->order, .streams = made.state->streams, .cores = 1, .seed = 3};
        wanted.links = made.state->links;
        wanted.fallback = &none;
        std::vector<Program> programs;
        programs.push_back(
            schedule(made.state->plan, local.id, *local.backend, local.device->sheet(), wanted));
        verify(programs.front());
        return programs;
    });
    state_->pool.setCollectiveLimit(std::chrono::seconds(60));
}

NullPool::~NullPool() = default;

void NullPool::run() { state_->pool.run(0); }

void NullPool::abort() { state_->communicator->abort(); }

Timeline NullPool::predicted() const {
    std::vector<const Program*> programs;
    for (std::size_t w = 0; w < state_->pool.size(); ++w) {
        programs.push_back(&state_->pool.program(w, 0).program());
    }
    return simulate(programs, allDistinct(programs.size()));
}

Timeline NullPool::measured(std::int64_t begin) const {
    std::vector<const Program*> programs;
    std::vector<std::vector<StepTime>> times;
    for (std::size_t w = 0; w < state_->pool.size(); ++w) {
        const BoundProgram& bound = state_->pool.program(w, 0);
        programs.push_back(&bound.program());
        auto& mine = times.emplace_back();
        for (std::size_t k = 0; k < bound.timings().size(); ++k) {
            const SpanTime& time = bound.timings()[k];
            const bool meets = bound.program().steps[k].kind == StepKind::collective;
            mine.push_back(
                {time.begin - begin, (meets ? time.met : time.begin) - begin, time.end - begin});
        }
    }
    return timelineOf(programs, times);
}

std::int64_t NullPool::elementsSent() const {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < state_->pool.size(); ++w) {
        for (const auto& collective : state_->pool.program(w, 0).collectives()) {
            sum += collective->elementsSent();
        }
    }
    return sum;
}

Timeline simulateByHand(std::uint32_t devices, const std::vector<HandStep>& steps) {
    auto plan = std::make_shared<Plan>();
    plan->graph = std::make_shared<const Graph>();
    std::vector<Program> programs(devices);
    std::vector<DeviceId> all;
    for (std::uint32_t k = 0; k < devices; ++k) {
        plan->devices.push_back("null:" + std::to_string(k));
        all.push_back({k});
    }
    for (std::uint32_t k = 0; k < devices; ++k) {
        programs[k].device = {k};
        programs[k].plan = plan;
        programs[k].streams = {
            {"compute 0", 1, false}, {"compute 1", 1, false}, {"communication", 0, true}};
    }
    for (const HandStep& step : steps) {
        Step made{.kind = step.meetsAll ? StepKind::collective : StepKind::compute,
                  .node = {},
                  .stream = step.stream};
        made.predicted = {step.predicted};
        made.members = step.meetsAll ? all : std::vector<DeviceId>{};
        for (const auto& [stream, count] : step.waits) {
            made.waits.push_back({stream, count});
        }
        programs[step.device].steps.push_back(std::move(made));
    }
    std::vector<const Program*> pointers;
    pointers.reserve(programs.size());
    for (const Program& program : programs) {
        pointers.push_back(&program);
    }
    return simulate(pointers, allDistinct(pointers.size()));
}

} // namespace weft::test
