// SPDX-License-Identifier: Apache-2.0
#include "run/prove/choices.h"

#include "graph/op.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <utility>

namespace weft {

namespace {

constexpr const char* amongSuffix = " among";

/// Reads numbers of any floating-point type from memory.
class Numbers {
public:
    Numbers(DType dtype, const std::byte* bytes) : dtype_(dtype), bytes_(bytes) {}

    [[nodiscard]] double operator[](std::size_t k) const {
        switch (dtype_) {
        case DType::f64: return read<double>(k);
        case DType::u8: return read<std::uint8_t>(k);
        case DType::i32: return read<std::int32_t>(k);
        case DType::i64: return static_cast<double>(read<std::int64_t>(k));
        default: return static_cast<double>(read<float>(k));
        }
    }

private:
    template <class T>
    [[nodiscard]] T read(std::size_t k) const {
        T number{};
        std::memcpy(&number, bytes_ + k * sizeof(T), sizeof(T));
        return number;
    }

    DType dtype_;
    const std::byte* bytes_;
};

double largestOf(const Array& array) {
    const Numbers numbers(array.dtype, array.bytes.data());
    const auto count = static_cast<std::size_t>(elementsOf(array.shape));
    double largest = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double size = std::abs(numbers[k]);
        largest = std::isfinite(size) ? std::max(largest, size) : largest;
    }
    return largest;
}

bool isRead(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::u8 ||
           dtype == DType::i32 || dtype == DType::i64;
}

bool isOfBody(const Graph& body) {
    return std::ranges::any_of(body.nodes, [](const Node& node) {
        return node.op->choice.has_value() || (node.body != nullptr && isOfBody(*node.body));
    });
}

} // namespace

std::vector<ChoiceSite> choiceSitesOf(const Graph& graph) {
    std::vector<ChoiceSite> places;
    std::map<Origin, int> seen;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        if (!node.op->choice || node.op->choice->isHidden() || node.pass != Pass::forward) {
            continue;
        }
        const PiecewiseGradient& choice = *node.op->choice;
        const int ordinal = seen[node.origin]++;
        const ValueId value = (choice.isOperand ? node.inputs : node.outputs)[choice.index];
        if (graph.gradientOf(node.outputs.front()).isNone() || !isRead(graph.at(value).dtype)) {
            continue;
        }
        places.push_back(
            {.name = fmt::format("{} choice {}", graph.layerName(node.origin), ordinal),
             .layer = node.origin,
             .node = NodeId{static_cast<std::uint32_t>(n)},
             .value = value,
             .among = choice.isOperand ? ValueId{} : node.inputs.front()});
    }
    return places;
}

std::vector<std::string> layersOfHiddenChoices(const Graph& graph) {
    std::set<std::string> layers;
    for (const Node& node : graph.nodes) {
        const bool isHidden = node.body != nullptr ? isOfBody(*node.body)
                                                   : node.op->choice && node.op->choice->isHidden();
        if (node.pass == Pass::forward && isHidden &&
            !graph.gradientOf(node.outputs.front()).isNone()) {
            layers.insert(graph.layerName(node.origin));
        }
    }
    return {layers.begin(), layers.end()};
}

void NearTieChoices::addWanted(const Graph& graph, std::vector<NamedValue>& values) {
    for (const ChoiceSite& place : choiceSitesOf(graph)) {
        values.push_back({place.name, place.layer, place.value});
        if (!place.among.isNone()) {
            values.push_back({place.name + amongSuffix, place.layer, place.among});
        }
    }
}

NearTieChoices::NearTieChoices(std::vector<ObservedValue>& spread, const TieLimit& limit)
    : limit_(limit) {
    std::erase_if(spread, [this](ObservedValue& value) {
        const bool isOurs = value.name.find(" choice ") != std::string::npos;
        if (isOurs) {
            spread_.emplace(value.name, std::move(value.value));
        }
        return isOurs;
    });
}

void NearTieChoices::begin(const Graph& graph, std::vector<NamedValue>& values) {
    for (ChoiceSite& place : choiceSitesOf(graph)) {
        const Node& node = graph.at(place.node);
        const auto theirs = spread_.find(place.name);
        const Value& mine = graph.at(place.value);
        const bool areAlike = theirs != spread_.end() && theirs->second.shape == mine.shape &&
                              theirs->second.dtype == mine.dtype;
        const bool isOfResult = !place.among.isNone();
        if (!areAlike || (isOfResult && !spread_.contains(place.name + amongSuffix))) {
            continue; // the spread side has no buffer for this value
        }
        const PiecewiseGradient& choice = *node.op->choice;
        values.push_back({place.name, place.layer, place.value});
        Aligned aligned{.place = std::move(place),
                        .pieceOf = {},
                        .elementOf = {},
                        .isOfResult = isOfResult,
                        .count = {}};
        if (choice.pieces) {
            aligned.pieceOf = choice.pieces(node.attributes);
        } else {
            aligned.elementOf =
                choice.elements(node.attributes, graph.at(aligned.place.among).shape, mine.shape);
        }
        aligned.count.layer = graph.layerName(aligned.place.layer);
        const ValueId value = aligned.place.value;
        aligned_.emplace(value, std::move(aligned));
    }
}

bool NearTieChoices::align(ValueId value, std::vector<std::byte>& plain) {
    const auto [first, last] = aligned_.equal_range(value);
    bool isChanged = false;
    for (auto at = first; at != last; ++at) {
        Aligned& aligned = at->second;
        const Array& theirs = spread_.find(aligned.place.name)->second;
        if (plain.size() != theirs.bytes.size()) {
            continue;
        }
        aligned.count.choices = elementsOf(theirs.shape);
        const Array* const among =
            aligned.isOfResult ? &spread_.find(aligned.place.name + amongSuffix)->second : nullptr;
        if (aligned.pieceOf) {
            alignPieces(aligned, theirs, among, plain);
        } else {
            alignPositions(aligned, theirs, *among, plain);
        }
        isChanged = isChanged || aligned.count.flipped > 0;
    }
    return isChanged;
}

std::vector<NearTieChoices::Count> NearTieChoices::counts() const {
    std::vector<Count> counts;
    counts.reserve(aligned_.size());
    for (const auto& [value, aligned] : aligned_) {
        counts.push_back(aligned.count);
    }
    return counts;
}

void NearTieChoices::alignPieces(Aligned& aligned, const Array& theirs, const Array* among,
                                 std::vector<std::byte>& plain) const {
    const Numbers one(theirs.dtype, plain.data());
    const Numbers spread(theirs.dtype, theirs.bytes.data());
    const std::size_t size = byteSize(theirs.dtype);
    const double most = limit_.tolerance * std::max(largestOf(theirs), limit_.floor);
    const double slack =
        among == nullptr ? 0 : limit_.slack * std::max(largestOf(*among), limit_.floor);
    const auto& pieceOf = aligned.pieceOf;
    // True if the spread side's own operand lies in that piece, within the slack.
    const auto follows = [&](std::size_t k, int piece) {
        if (among == nullptr) {
            return true;
        }
        const double x = Numbers(among->dtype, among->bytes.data())[k];
        return pieceOf(x - slack) <= piece && piece <= pieceOf(x + slack);
    };
    for (std::size_t k = 0; k < plain.size() / size; ++k) {
        const double a = one[k];
        const double b = spread[k];
        const bool isFinite = std::isfinite(a) && std::isfinite(b);
        if (!isFinite || a == b || pieceOf(a) == pieceOf(b)) {
            continue;
        }
        if (std::abs(a - b) > most || !follows(k, pieceOf(b))) {
            ++aligned.count.mistaken;
            continue;
        }
        ++aligned.count.flipped;
        std::memcpy(plain.data() + k * size, theirs.bytes.data() + k * size, size);
    }
}

void NearTieChoices::alignPositions(Aligned& aligned, const Array& theirs, const Array& among,
                                    std::vector<std::byte>& plain) const {
    const Numbers one(theirs.dtype, plain.data());
    const Numbers spread(theirs.dtype, theirs.bytes.data());
    const Numbers numbers(among.dtype, among.bytes.data());
    const std::size_t size = byteSize(theirs.dtype);
    const auto mapOf = [](const Array& array) {
        const std::size_t rank = array.shape.size();
        return array.shape[rank - 2] * array.shape[rank - 1];
    };
    const std::int64_t map = mapOf(among);
    const auto perMap = static_cast<std::size_t>(mapOf(theirs));
    const double largest = std::max(largestOf(among), limit_.floor);
    for (std::size_t k = 0; k < plain.size() / size; ++k) {
        const double a = one[k];
        const double b = spread[k];
        if (a == b) {
            continue;
        }
        const std::size_t begin = k / perMap * static_cast<std::size_t>(map);
        const auto elementOf = [&](double position) {
            return aligned.elementOf(static_cast<std::int64_t>(k % perMap),
                                     static_cast<std::int64_t>(position));
        };
        const std::int64_t ours = elementOf(a);
        const std::int64_t wanted = elementOf(b);
        const bool areInMap = ours >= 0 && wanted >= 0;
        // Computed from the spread side's own numbers, whose position must be that of a maximum.
        const double gap = !areInMap ? limit_.floor
                                     : numbers[begin + static_cast<std::size_t>(wanted)] -
                                           numbers[begin + static_cast<std::size_t>(ours)];
        if (areInMap && !std::isfinite(gap)) {
            continue;
        }
        const double most = std::max(limit_.tolerance, limit_.slack) * largest;
        if (!areInMap || gap < -limit_.slack * largest || gap > most) {
            ++aligned.count.mistaken;
            continue;
        }
        ++aligned.count.flipped;
        std::memcpy(plain.data() + k * size, theirs.bytes.data() + k * size, size);
    }
}

} // namespace weft
