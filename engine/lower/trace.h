// SPDX-License-Identifier: Apache-2.0
#pragma once
// Follows wires backwards to the layer that feeds an input: out of groups through their inputs,
// into groups through their outputs, along the copies of a repeat, and through bypassed layers.

#include "design/ports.h"
#include "lower/copies.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace weft {

struct TracedSource {
    enum class Outcome : std::uint8_t {
        layer,   ///< found the layer that feeds the input
        leftOut, ///< a muted layer, or a bypassed one without input
        broken   ///< an error on the way, reported already
    };
    Outcome outcome = Outcome::broken;
    std::size_t layerCopy = 0; ///< index in NetworkCopies::layerCopies(), if `layer`
    std::string port = {};     ///< the output port of that layer
    std::string scheme = {};   ///< first one named by a wire on the way; empty: none
};

class SourceTracer {
public:
    SourceTracer(const NetworkCopies& copies, const PortTable& ports, ProblemList& problems)
        : copies_(copies), ports_(ports), problems_(problems) {}

    [[nodiscard]] TracedSource sourceOf(std::size_t copy, Endpoint input);

private:
    /// What the path backwards has reached.
    enum class Position : std::uint8_t { input, output, end };
    using BypassedLayer = std::pair<std::size_t, LayerId>; ///< index of its copy, id

    Position throughInput();
    Position throughLayer();
    Position throughBypassed(const NetworkCopy& copy, const Layer& layer);
    Position intoGroup(std::size_t last);
    void reportCircle(const Layer& layer);
    [[nodiscard]] const NetworkCopy& currentCopy() const { return copies_.all()[copy_]; }

    const NetworkCopies& copies_;
    const PortTable& ports_;
    ProblemList& problems_;
    std::size_t copy_ = 0;   ///< index of the copy that the path has reached
    Endpoint endpoint_ = {}; ///< the port that the path has reached
    TracedSource source_ = {};
    std::set<BypassedLayer> bypassedOnPath_ = {};
    std::map<BypassedLayer, TracedSource> sourceOfBypassed_ = {}; ///< cache
};

} // namespace weft
