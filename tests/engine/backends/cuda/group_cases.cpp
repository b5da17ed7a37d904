// SPDX-License-Identifier: Apache-2.0
#include "group_cases.h"

#include "device/settled_formats.h"

#include <algorithm>
#include <numeric>

namespace weft::test {

namespace {

TensorPart inDouble(TensorPart part) {
    part.dtype = isFloating(part.dtype) ? DType::f64 : part.dtype;
    return part;
}

/// A group that grows member by member; what it makes is known in double. Operands that lie as the
/// maps do may be kept as bf16, and hold such numbers then.
class Group {
public:
    Group(Oracle& reference, Shape map, bool ofBf16) : reference_(reference), map_(std::move(map)) {
        const Format order = map_.size() == 4 ? channelsLast() : Format{};
        offered_ = ofBf16 ? halved(order, map_.size()) : order;
        held_.length = elementsOf(map_) / map_[1];
    }

    int map() { return take(drawNormal(DType::f32, map_, 1, role())); }
    int perChannel(double from = -1, double to = 1) {
        return take(drawUniform(DType::f32, {map_[1]}, from, to, 1, role()));
    }
    int take(Tensor drawn) {
        const bool isMap = isFloating(drawn.dtype) && drawn.shape.size() == map_.size();
        const Format offered = isMap ? offered_ : Format{};
        if (offered.isHalved()) {
            drawn = fromFormat(toFormat(drawn, offered), DType::f32, drawn.shape, offered);
        }
        formats_.push_back(offered);
        held_.local.inputs.push_back(wholePart(drawn.dtype, drawn.shape));
        held_.local.numbers.push_back(std::move(drawn));
        return static_cast<int>(held_.local.inputs.size()) - 1;
    }

    /// Reads operands, or below zero the first result of a member. `isRead`: the first result of
    /// the last member is read by others.
    void add(const std::string& op, const Attributes& attributes, const std::vector<int>& reads,
             const std::vector<TensorPart>& makes, bool isRead = false) {
        std::vector<TensorPart> parts;
        std::vector<TensorPart> wide;
        std::vector<Tensor> numbers;
        for (const int read : reads) {
            const auto operand = static_cast<std::size_t>(std::max(read, 0));
            const auto member = static_cast<std::size_t>(std::max(-1 - read, 0));
            parts.push_back(read < 0 ? body_.members[member].outputs[0]
                                     : held_.local.inputs[operand]);
            wide.push_back(inDouble(parts.back()));
            const Tensor& number = read < 0 ? made_[member][0] : held_.local.numbers[operand];
            numbers.push_back(isFloating(number.dtype) ? number.as(DType::f64) : number);
        }
        std::vector<TensorPart> wideMakes;
        std::ranges::transform(makes, std::back_inserter(wideMakes), inDouble);
        const Attributes all = completed(attributes, ops_.at(op).attributes);
        made_.push_back(reference_.run(op, all, numbers, wide, wideMakes));
        body_.members.push_back(requestOf(op, all, parts, makes));
        body_.reads.push_back(reads);
        areRead_.push_back(isRead);
        name_ += (name_.empty() ? "" : "+") + op;
    }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] CaseBeside made() {
        for (std::size_t m = 0; m < body_.members.size(); ++m) {
            std::vector<int>& writes = body_.writes.emplace_back();
            for (std::size_t k = 0; k < made_[m].size(); ++k) {
                if (k == 0 && m + 1 < body_.members.size() && !areRead_[m]) {
                    writes.push_back(-1);
                    continue;
                }
                writes.push_back(static_cast<int>(held_.results.size()));
                held_.local.outputs.push_back(body_.members[m].outputs[k]);
                held_.results.push_back(made_[m][k]);
            }
        }
        held_.local.name = name_ + " of " + toString(map_) + " " + offered_.tag;
        held_.attributes = body_.members[0].attributes;
        CaseBeside one{std::move(held_), std::make_shared<const GroupBody>(std::move(body_)),
                       offered_.isHalved() ? Precision::bf16 : Precision::exact};
        if (!offered_.isPlain()) {
            one.offered = {std::move(formats_)};
        }
        return one;
    }

private:
    std::string role() const { return "group " + std::to_string(held_.local.inputs.size()); }

    Oracle& reference_;
    OpList ops_ = allOps();
    Shape map_;
    Format offered_;
    std::string name_;
    KernelCase held_;
    GroupBody body_;
    std::vector<Format> formats_;
    std::vector<std::vector<Tensor>> made_; ///< by member
    std::vector<bool> areRead_;
};

/// Channels and runs of whole packs, and of none; more rows than a block has.
const std::vector<Shape>& maps() {
    static const std::vector<Shape> all{{2, 8, 3, 4}, {3, 5, 7, 3}, {40, 16, 4, 8}, {9, 24}};
    return all;
}

void addNorms(Oracle& reference, std::map<std::string, std::vector<CaseBeside>>& cases) {
    for (const Shape& map : maps()) {
        const TensorPart part = wholePart(DType::f32, map);
        const TensorPart channels = wholePart(DType::f32, {map[1]});
        for (const bool ofBf16 : {false, true}) {
            for (const bool hasStatistics : {false, true}) {
                for (const unsigned links : {1U, 2U, 3U}) {
                    Group group(reference, map, ofBf16);
                    const int x = group.map();
                    std::vector<int> reads{x};
                    if (hasStatistics) {
                        reads.push_back(group.perChannel());
                        reads.push_back(group.perChannel(0.1, 2));
                    }
                    reads.push_back(group.perChannel());
                    reads.push_back(group.perChannel());
                    std::vector<TensorPart> makes{part};
                    makes.resize(hasStatistics ? 1 : 3, channels);
                    group.add(hasStatistics ? "batch_norm_inference" : "batch_norm", {}, reads,
                              makes);
                    if ((links & 1U) != 0) {
                        group.add("add", {}, {group.map(), -1}, {part});
                    }
                    if ((links & 2U) != 0) {
                        group.add("relu", {}, {links == 3U ? -2 : -1}, {part});
                    }
                    cases[group.name()].push_back(group.made());
                }
            }
        }
    }
}

/// dy through a ReLU, and before that a sum, to the sums of a norm and of a bias.
void addSums(Oracle& reference, std::map<std::string, std::vector<CaseBeside>>& cases) {
    for (const Shape& map : maps()) {
        const TensorPart part = wholePart(DType::f32, map);
        const TensorPart channels = wholePart(DType::f32, {map[1]});
        for (const unsigned bits : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
            const bool ofBf16 = (bits & 1U) != 0;
            const bool isSum = (bits & 2U) != 0;
            const bool isRead = (bits & 4U) != 0;
            Group group(reference, map, ofBf16);
            const int dy = group.map();
            if (isSum) {
                group.add("add", {}, {dy, group.map()}, {part});
            }
            group.add("relu_gradient", {}, {group.map(), isSum ? -1 : dy}, {part}, isRead);
            const int mean = group.perChannel();
            const int variance = group.perChannel(0.1, 2);
            group.add("batch_norm_dgamma", {{"epsilon", 0.25}},
                      {group.map(), mean, variance, isSum ? -2 : -1}, {channels, channels});
            cases[group.name()].push_back(group.made());
            Group bias(reference, map, ofBf16);
            const int first = bias.map();
            if (isSum) {
                bias.add("add", {}, {first, bias.map()}, {part});
            }
            bias.add("relu_gradient", {}, {bias.map(), isSum ? -1 : first}, {part}, isRead);
            bias.add("bias_gradient", {{"dim", std::int64_t{1}}}, {isSum ? -2 : -1}, {channels});
            cases[bias.name()].push_back(bias.made());
        }
    }
}

void addPoolings(Oracle& reference, std::map<std::string, std::vector<CaseBeside>>& cases) {
    using List = std::vector<std::int64_t>;
    for (const Shape& map : {Shape{2, 8, 7, 6}, Shape{1, 3, 5, 5}}) {
        for (const bool ofBf16 : {false, true}) {
            const Attributes pool{{"kernel", List{3, 2}},
                                  {"stride", List{2, 1}},
                                  {"padding", List{1, 0, 1, 0}},
                                  {"size", List{map[2], map[3]}}};
            const Shape windows{map[0], map[1], (map[2] - 1) / 2 + 1, map[3] - 1};
            Group group(reference, map, ofBf16);
            Tensor positions = drawIntegers(DType::u8, windows, 6, 1, "positions");
            const int position = group.take(std::move(positions));
            const int dy = group.take(drawNormal(DType::f32, windows, 1, "dy"));
            const TensorPart part = wholePart(DType::f32, map);
            group.add("max_pool2d_gradient", pool, {position, dy}, {part});
            group.add("relu_gradient", {}, {group.map(), -1}, {part});
            cases[group.name()].push_back(group.made());
        }
    }
}

} // namespace

std::map<std::string, std::vector<CaseBeside>> groupCases(Oracle& reference) {
    std::map<std::string, std::vector<CaseBeside>> cases;
    addNorms(reference, cases);
    addSums(reference, cases);
    addPoolings(reference, cases);
    return cases;
}

} // namespace weft::test
