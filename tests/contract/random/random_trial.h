// SPDX-License-Identifier: Apache-2.0
#pragma once
// One random design under a random legal assignment: what the preview calls legal is accepted, what
// it refuses is refused, and training comes to the numbers of one device. Free of Qt.

#include "support/random_training.h"
#include "support/trained_design.h"
#include <weft/preview.h>

#include <functional>
#include <string>

namespace weft::test {

/// Tells the layers words that the preview calls legal; a group what all layers inside can be told.
void chooseLegalWords(RandomTraining& training, const TrainingDraws& draws, PreviewCache& cache);
[[nodiscard]] bool isFinite(const Trained& trained);
/// Returns differences beyond rounding. `alone`: the options of the run on one device.
[[nodiscard]] std::string differenceTold(DesignTraining alone, const RandomTraining& training,
                                         const Trained& one, const Trained& many);

struct Trial {
    std::string failure; ///< empty: all promises were kept
    std::string text;    ///< the design as a `.weft` file
    bool isVoid = false; ///< one device alone comes to no finite numbers: nothing to compare
};

class Trials {
public:
    Trials() : registry_(makeRegistry()) {}
    /// In a child process: a broken invariant ends only that.
    [[nodiscard]] Trial run(const TrainingDraws& draws, CommunicatorKind communicator);

private:
    using Tell = std::function<void(std::string)>;
    void runHere(const TrainingDraws& draws, CommunicatorKind communicator, const Tell& tell);
    [[nodiscard]] std::string judge(RandomTraining& training, const TrainingDraws& draws,
                                    CommunicatorKind communicator, const Tell& tell);
    [[nodiscard]] std::string findRefusal(const Preview& seen, Design design,
                                          const TrainingDraws& draws);

    std::unique_ptr<const Registry> registry_;
    PreviewCache cache_;
};

} // namespace weft::test
