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

struct TraceEnd {
    enum class Sort : std::uint8_t {
        layer,
        leftOut, ///< a muted layer, or a bypassed one without input
        broken   ///< an error on the way, reported already
    };
    Sort sort = Sort::broken;
    std::size_t leaf = 0; ///< index among the copies' layers
    std::string port = {};
    std::string scheme = {};
};

class Trace {
public:
    Trace(const Copies& copies, const PortTable& ports, ProblemList& problems)
        : copies_(copies), ports_(ports), problems_(problems) {}

    [[nodiscard]] TraceEnd from(std::size_t copy, Endpoint input);

private:
    enum class At : std::uint8_t { input, output, end };
    using Passed = std::pair<std::size_t, LayerId>;

    At throughInput();
    At throughLayer();
    At throughBypassed(const NetworkCopy& copy, const Layer& layer);
    At intoGroup(std::size_t last);
    void reportCircle(const Layer& layer);
    [[nodiscard]] const NetworkCopy& here() const { return copies_.all()[copy_]; }

    const Copies& copies_;
    const PortTable& ports_;
    ProblemList& problems_;
    std::size_t copy_ = 0;
    Endpoint end_ = {};
    TraceEnd source_ = {};
    std::set<Passed> passed_ = {};          ///< bypassed layers on this path
    std::map<Passed, TraceEnd> known_ = {}; ///< sources of bypassed layers
};

} // namespace weft
