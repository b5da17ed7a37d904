// SPDX-License-Identifier: Apache-2.0
// Whatever design, and whatever is done to it: a preview with the memos of those before it equals
// one with none, part by part.
#include "bench/large_network.h"
#include "preview_difference.h"
#include "support/random_training.h"
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <QTest>
#include <random>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int designs = 40;
constexpr int editsEach = 12;

class Edits {
public:
    explicit Edits(unsigned seed) : random_(seed) {}

    TrainingDraws draws() {
        TrainingDraws made;
        const auto byte = [&] { return static_cast<std::uint8_t>(random_()); };
        for (std::uint8_t& setting : made.settings) {
            setting = byte();
        }
        made.layers.resize(2 + below(9));
        for (LayerDraw& layer : made.layers) {
            for (std::uint8_t& number : layer) {
                number = byte();
            }
        }
        return made;
    }

    /// One edit; what cannot be done leaves the design as it was. Its name.
    std::string edit(Design& design) {
        const NetworkPath top;
        const Network& network = design.network;
        if (network.layers.empty() || network.wires.empty()) {
            return "nothing";
        }
        const LayerId layer = network.layers[below(network.layers.size())].id;
        const Wire wire = network.wires[below(network.wires.size())];
        switch (below(13)) {
        case 0: return setNumber(design, layer);
        case 1: {
            const std::vector<AxisWord> words{AxisWord::follow,   AxisWord::data,
                                              AxisWord::batch,    AxisWord::modelStack,
                                              AxisWord::modelAdd, AxisWord::replicate};
            assign(design, top, {layer}, Assignment{.words = {words[below(words.size())]}});
            return "assign";
        }
        case 2: assign(design, top, {layer}, std::nullopt); return "assign nothing";
        case 3: weft::connect(design, top, {layer, "y"}, wire.to); return "connect";
        case 4: weft::disconnect(design, top, wire.from, wire.to); return "disconnect";
        case 5: {
            Layer relu{.name = "relu_" + std::to_string(random_()), .kind = "relu"};
            insertOnWire(design, top, wire, std::move(relu), {}, "x", "y");
            return "insert";
        }
        case 6: setMuted(design, top, {layer}, below(2) == 0); return "mute";
        case 7: setBypassed(design, top, {layer}, below(2) == 0); return "bypass";
        case 8:
            renameLayer(design, top, layer, "named" + std::to_string(below(3)));
            return "rename";
        case 9: setScheme(design, top, wire.to, below(2) == 0 ? "whole" : ""); return "scheme";
        case 10: moveLayers(design, top, {layer}, {3, 4}); return "move";
        case 11: removeLayers(design, top, {layer}); return "remove";
        default: return setTraining(design);
        }
    }

    std::size_t below(std::size_t limit) { return random_() % limit; }

private:
    std::string setNumber(Design& design, LayerId id) {
        const Layer& layer = *findLayer(design.network, id);
        std::vector<std::pair<std::string, std::int64_t>> numbers;
        for (const auto& [name, value] : layer.attributes.entries()) {
            if (const auto* number = std::get_if<std::int64_t>(&value)) {
                numbers.emplace_back(name, *number);
            }
        }
        if (numbers.empty()) {
            return "no number";
        }
        const auto [name, value] = numbers[below(numbers.size())];
        setAttribute(design, {}, id, name, value + static_cast<std::int64_t>(below(5)) - 2);
        return "attribute " + name;
    }

    std::string setTraining(Design& design) {
        switch (below(6)) {
        case 0: design.data.batch = 1 + static_cast<std::int64_t>(below(9)); return "batch";
        case 1: design.training.clipNorm = static_cast<double>(below(2)); return "clipping";
        case 2: design.training.optimizer = below(2) == 0 ? "sgd" : "adam"; return "optimizer";
        case 3: design.training.bucketMegabytes = below(2) == 0 ? 1e-4 : 25; return "buckets";
        case 4:
            design.training.syncEvery = 1 + static_cast<std::int64_t>(below(2));
            design.training.sync = below(2) == 0 ? "at once" : "one period late";
            return "the sync block";
        default:
            design.assignment.words = {below(2) == 0 ? AxisWord::data : AxisWord::batch};
            return "the design's assignment";
        }
    }

    std::mt19937 random_;
};

/// To the simulated step.
std::shared_ptr<const Preview> previewed(const Design& design, PreviewCache& cache) {
    return preview(design, cache, {.until = PreviewPart::step});
}

/// Returns the difference between a preview with warm caches, after many edits of a large network,
/// and one with cold caches; empty: none. Some edits are undone immediately, so that cached
/// questions repeat.
std::string differenceAfter(unsigned seed, int count, int& complete) {
    Edits edits(seed);
    Design design = bench::largeNetwork(5);
    PreviewCache warm;
    (void)previewed(design, warm);
    std::string story;
    for (int k = 0; k < count; ++k) {
        const Design before = design;
        story += edits.edit(design) + ", ";
        for (const bool isUndone : {false, true}) {
            PreviewCache cold;
            const auto expected = previewed(design, cold);
            const std::string wrong = differenceOf(*previewed(design, warm), *expected);
            if (!wrong.empty()) {
                return std::string("seed ")
                    .append(std::to_string(seed))
                    .append(" after ")
                    .append(story)
                    .append("differs in ")
                    .append(wrong);
            }
            complete += expected->isComplete ? 1 : 0;
            if (isUndone || (expected->isComplete && edits.below(3) > 0)) {
                break;
            }
            design = before;
            story += "undo, ";
        }
    }
    return {};
}

} // namespace

class TestPreviewEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalThoseWithColdMemos() {
        const auto registry = makeRegistry();
        int complete = 0;
        std::set<std::string> done;
        for (unsigned seed = 1; seed <= designs; ++seed) {
            Edits edits(seed);
            const TrainingDraws draws = edits.draws();
            RandomTraining training = makeTraining(draws, *registry);
            chooseDevices(training, draws);
            Design& design = training.design;
            PreviewCache warm;
            (void)previewed(design, warm);
            std::string story;
            for (int k = 0; k < editsEach; ++k) {
                const std::string edit = edits.edit(design);
                done.insert(edit);
                story += edit + ", ";
                PreviewCache cold;
                const auto expected = previewed(design, cold);
                const std::string wrong = differenceOf(*previewed(design, warm), *expected);
                QVERIFY2(wrong.empty(),
                         qPrintable(QString("seed %1 after %2 differs in %3")
                                        .arg(seed)
                                        .arg(QString::fromStdString(story), wrong.c_str())));
                complete += expected->isComplete ? 1 : 0;
            }
        }
        // Enough edits leave a design that can be placed, and every sort of edit is made.
        QVERIFY2(complete > designs * editsEach / 5, std::to_string(complete).c_str());
        QVERIFY2(done.size() > 15, std::to_string(done.size()).c_str());
    }

    void ofALargeNetworkEqualThoseWithColdMemos() {
        constexpr int seeds = 3;
        constexpr int editsOfEach = 60;
        int complete = 0;
        for (unsigned seed = 1; seed <= seeds; ++seed) {
            const std::string wrong = differenceAfter(seed, editsOfEach, complete);
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
        QVERIFY2(complete > seeds * editsOfEach / 2, std::to_string(complete).c_str());
    }
};

std::unique_ptr<QObject> makeTestPreviewEdits() { return std::make_unique<TestPreviewEdits>(); }
#include "tst_preview_edits.moc"
