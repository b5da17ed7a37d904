// SPDX-License-Identifier: Apache-2.0
// One rank of random designs under random legal assignments, started by mpirun with a device per
// rank. Every rank draws the same designs from the seed it is given, trains each on one device by
// itself and compares what it holds. Prints the first difference and exits with 1.
#include "comm/world.h"
#include "contract/random/random_trial.h"
#include "support/trained_design.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

using namespace weft;
using namespace weft::test;

namespace {

TrainingDraws drawnFrom(std::uint64_t seed, int ranks) {
    std::mt19937_64 random(seed);
    const auto byte = [&] { return static_cast<std::uint8_t>(random()); };
    TrainingDraws draws;
    for (std::uint8_t& setting : draws.settings) {
        setting = byte();
    }
    // So many devices as there are ranks.
    draws.settings[6] =
        static_cast<std::uint8_t>(draws.settings[6] / 6 * 3 + static_cast<unsigned>(ranks) - 2);
    draws.layers.resize(2 + random() % 9);
    for (LayerDraw& layer : draws.layers) {
        for (std::uint8_t& number : layer) {
            number = byte();
        }
    }
    draws.wires.resize(random() % 8);
    for (std::uint8_t& wire : draws.wires) {
        wire = byte();
    }
    return draws;
}

class Rank {
public:
    explicit Rank(World& world) : world_(world), registry_(makeRegistry()) {
        std::vector<int> rankOf(static_cast<std::size_t>(world.ranks()));
        std::iota(rankOf.begin(), rankOf.end(), 0);
        mine_ = {.rank = static_cast<std::size_t>(world.rank()),
                 .communicator = &world.communicator(rankOf)};
    }

    /// Returns what is wrong with that design, or an empty text.
    std::string judge(std::uint64_t seed) {
        const TrainingDraws draws = drawnFrom(seed, world_.ranks());
        RandomTraining training = makeTraining(draws, *registry_);
        chooseDevices(training, draws);
        Design& design = training.design;
        chooseLegalWords(training, draws, cache_);
        const Design alone = withoutAssignments(design);
        DesignTraining asked{.design = &alone, .registry = registry_.get()};
        asked.shortBatch = training.shortBatch;
        asked.below = [&](const std::string& feed) { return training.below.at(feed); };
        const Trained one = trainDesign(asked);
        if (!one.refusals.empty() || !isFinite(one)) {
            return one.refusals.empty() ? "" : one.refusals.front();
        }
        mine_.known = &one;
        DesignTraining spread = asked;
        spread.design = &design;
        spread.devices = design.devices.size();
        spread.ranks = &mine_;
        const Trained many = trainDesign(spread);
        ++trained_;
        const std::string wrong = many.refusals.empty() ? differenceTold(asked, training, one, many)
                                                        : many.refusals.front();
        return wrong.empty() ? wrong : wrong + "\n" + toText(design);
    }

    [[nodiscard]] int trained() const { return trained_; }

private:
    int trained_ = 0;
    World& world_;
    std::unique_ptr<const Registry> registry_;
    PreviewCache cache_;
    OneRank mine_;
};

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    const std::uint64_t designs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10;
    const std::unique_ptr<World> world = joinWorld();
    std::uint64_t at = seed;
    try {
        Rank rank(*world);
        for (; at < seed + designs; ++at) {
            const std::string wrong = rank.judge(at);
            if (!wrong.empty()) {
                std::printf("rank %d, seed %llu: %s\n", world->rank(),
                            static_cast<unsigned long long>(at), wrong.c_str());
                world->giveUp();
                return 1;
            }
        }
        if (world->rank() == 0) {
            std::printf("%d designs trained\n", rank.trained());
        }
    } catch (const Error& error) {
        std::printf("rank %d, seed %llu: %s\n", world->rank(), static_cast<unsigned long long>(at),
                    error.what());
        world->giveUp();
        return 1;
    }
    return 0;
}
