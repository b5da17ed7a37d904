// SPDX-License-Identifier: Apache-2.0
// One rank of an equivalence run, started by mpirun with a device per rank: every layer kind and
// the repeat node, by every word that is legal, against one device. Each rank computes that for
// itself and compares what it holds. Prints the first difference and exits with 1.
#include "comm/world.h"
#include "contract/equivalence/spread_cases.h"
#include "contract/layers/layer_training.h"
#include "contract/repeat/repeat_network.h"
#include <weft/error.h>

#include <cstdio>
#include <numeric>
#include <vector>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int steps = 3;
constexpr double tolerance = 2e-4; // three steps of f32 sums in other orders

class Rank {
public:
    explicit Rank(World& world) : world_(world) {
        std::vector<int> rankOf(static_cast<std::size_t>(world.ranks()));
        std::iota(rankOf.begin(), rankOf.end(), 0);
        mine_ = {.rank = static_cast<std::size_t>(world.rank()),
                 .communicator = &world.communicator(rankOf)};
    }

    /// False when a difference was found.
    bool holds(const std::string& name, const std::shared_ptr<const Graph>& graph,
               const OpList& ops, std::int64_t integersBelow) {
        const Trained one = train(graph, ops, {}, steps, integersBelow);
        mine_.known = &one;
        for (const SpreadCase& each : spreadCases(static_cast<std::size_t>(world_.ranks()))) {
            Spreading spreading{.devices = each.devices, .ranks = &mine_};
            spreading.layers[Origin{LayerId{1}, 0}] = each.assignment;
            const Trained many = train(graph, ops, spreading, steps, integersBelow);
            if (!many.refusals.empty()) {
                continue; // every rank finds the same
            }
            ++spread;
            std::string where;
            const double difference = largestDifference(one, many, where);
            if (!(difference < tolerance)) {
                std::printf("rank %d: %s by %s: %s differs by %g\n", world_.rank(), name.c_str(),
                            each.name.c_str(), where.c_str(), difference);
                return false;
            }
        }
        return true;
    }

    int spread = 0;

private:
    World& world_;
    OneRank mine_;
};

bool allHold(Rank& rank) {
    const Lowerings lowerings;
    for (const LayerTraining& training : layerTrainings(lowerings)) {
        if (training.graph &&
            !rank.holds(training.name, training.graph, lowerings.ops(), training.integersBelow)) {
            return false;
        }
    }
    for (const Sort sort : allSorts) {
        RepeatNetwork network(sort, 4, 5);
        network.train();
        const auto graph = std::make_shared<const Graph>(network.graph);
        if (!rank.holds("repeat, " + nameOf(sort), graph, network.ops, 4)) {
            return false;
        }
    }
    return true;
}

} // namespace

int main() {
    const std::unique_ptr<World> world = joinWorld();
    try {
        Rank rank(*world);
        if (!allHold(rank)) {
            world->giveUp();
            return 1;
        }
        if (world->rank() == 0) {
            std::printf("%d spreads\n", rank.spread);
        }
    } catch (const Error& error) {
        std::printf("rank %d: %s\n", world->rank(), error.what());
        world->giveUp();
        return 1;
    }
    return 0;
}
