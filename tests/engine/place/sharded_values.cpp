// SPDX-License-Identifier: Apache-2.0
#include "sharded_values.h"

#include <algorithm>
#include <numeric>

namespace weft::test {

namespace {

using Kind = Placement::Kind;

int below(Random& random, int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random);
}

/// Calls `visit(position in the outer box, position in the inner box)` for each element of `inner`.
template <class Visit>
void forEach(const Box& outer, const Box& inner, Visit visit) {
    const std::int64_t count = inner.elements();
    const Shape sizes = inner.shape();
    const Shape around = outer.shape();
    for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t rest = k;
        std::int64_t at = 0;
        std::int64_t step = 1;
        for (std::size_t dim = sizes.size(); dim-- > 0;) {
            at += (inner.begin[dim] - outer.begin[dim] + rest % sizes[dim]) * step;
            step *= around[dim];
            rest /= sizes[dim];
        }
        visit(static_cast<std::size_t>(at), static_cast<std::size_t>(k));
    }
}

/// Members whose coordinates agree but on the Partial axes; the first stands for all.
bool isFirstShare(const ShardedValue& value, std::size_t member) {
    for (std::size_t axis = 0; axis < value.mesh.axes(); ++axis) {
        if (value.placements[axis].isPartial() && value.mesh.coordinate(member, axis) != 0) {
            return false;
        }
    }
    return true;
}

std::vector<std::size_t> sharesOf(const ShardedValue& value, std::size_t member) {
    std::vector<std::size_t> shares;
    for (std::size_t other = 0; other < value.parts.size(); ++other) {
        bool isShare = true;
        for (std::size_t axis = 0; axis < value.mesh.axes(); ++axis) {
            isShare = isShare &&
                      (value.placements[axis].isPartial() ||
                       value.mesh.coordinate(other, axis) == value.mesh.coordinate(member, axis));
        }
        if (isShare) {
            shares.push_back(other);
        }
    }
    return shares;
}

std::vector<std::int64_t> drawCuts(std::int64_t begin, std::int64_t end, std::int64_t parts,
                                   Random& random) {
    std::vector<std::int64_t> cuts{begin, end};
    while (static_cast<std::int64_t>(cuts.size()) <= parts) {
        cuts.push_back(begin + below(random, static_cast<int>(end - begin) + 1));
    }
    std::ranges::sort(cuts);
    return cuts;
}

} // namespace

std::vector<double> drawWhole(const Shape& shape, Random& random) {
    std::vector<double> whole(static_cast<std::size_t>(elementsOf(shape)));
    std::ranges::generate(whole, [&] { return below(random, 2001) - 1000; });
    return whole;
}

ShardedValue sharding(const std::vector<double>& whole, const Shape& shape, const Mesh& mesh,
                      const Placements& placements, Random& random) {
    ShardedValue value{shape, mesh, placements, {}};
    value.parts.resize(mesh.devices.size());
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        const Box box = boxOf(shape, mesh, placements, member);
        value.parts[member].resize(static_cast<std::size_t>(box.elements()));
        forEach(wholeBox(shape), box,
                [&](std::size_t from, std::size_t to) { value.parts[member][to] = whole[from]; });
    }
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        if (!isFirstShare(value, member)) {
            continue;
        }
        const auto shares = sharesOf(value, member);
        for (std::size_t k = 1; k < shares.size(); ++k) {
            for (std::size_t at = 0; at < value.parts[member].size(); ++at) {
                const double share = below(random, 100) * static_cast<double>(k);
                value.parts[shares[k]][at] = share;
                value.parts[member][at] -= share;
            }
        }
    }
    return value;
}

std::optional<std::vector<double>> gathered(const ShardedValue& value) {
    std::vector<double> whole(static_cast<std::size_t>(elementsOf(value.shape)), 0);
    std::vector<bool> isWritten(whole.size(), false);
    bool agrees = true;
    for (std::size_t member = 0; member < value.parts.size(); ++member) {
        if (!isFirstShare(value, member)) {
            continue;
        }
        const Box box = boxOf(value.shape, value.mesh, value.placements, member);
        forEach(wholeBox(value.shape), box, [&](std::size_t to, std::size_t from) {
            double sum = 0;
            for (const std::size_t share : sharesOf(value, member)) {
                sum += value.parts[share][from];
            }
            agrees = agrees && (!isWritten[to] || whole[to] == sum);
            whole[to] = sum;
            isWritten[to] = true;
        });
    }
    agrees = agrees && std::ranges::find(isWritten, false) == isWritten.end();
    return agrees ? std::optional(whole) : std::nullopt;
}

ShardedValue moved(const ShardedValue& value, const Mesh& to, const Placements& target) {
    ShardedValue made{value.shape, to, target, {}};
    for (std::size_t member = 0; member < to.devices.size(); ++member) {
        made.parts.emplace_back(
            static_cast<std::size_t>(boxOf(value.shape, to, target, member).elements()), 0.0);
    }
    const auto memberOf = [](const Mesh& mesh, DeviceId device) {
        return static_cast<std::size_t>(std::ranges::find(mesh.devices, device) -
                                        mesh.devices.begin());
    };
    for (const BlockTransfer& block :
         blockTransfers(value.shape, value.mesh, value.placements, to, target)) {
        const std::size_t sender = memberOf(value.mesh, block.from);
        const std::size_t receiver = memberOf(to, block.to);
        std::vector<double> content(static_cast<std::size_t>(block.box.elements()));
        forEach(boxOf(value.shape, value.mesh, value.placements, sender), block.box,
                [&](std::size_t from, std::size_t at) { content[at] = value.parts[sender][from]; });
        forEach(boxOf(value.shape, to, target, receiver), block.box,
                [&](std::size_t at, std::size_t from) {
                    double& element = made.parts[receiver][at];
                    element = block.reduces ? element + content[from] : content[from];
                });
    }
    return made;
}

Mesh drawMesh(std::uint32_t devices, Random& random) {
    std::vector<DeviceId> all;
    for (std::uint32_t k = 0; k < devices; ++k) {
        all.push_back({k});
    }
    std::ranges::shuffle(all, random);
    Mesh mesh;
    if (below(random, 2) == 0) {
        mesh.shape = {1 + below(random, static_cast<int>(devices))};
    } else {
        mesh.shape = {1 + below(random, 2), 1 + below(random, 3)};
    }
    all.resize(static_cast<std::size_t>(elementsOf(mesh.shape)));
    mesh.devices = std::move(all);
    return mesh;
}

Placements drawPlacements(const Shape& shape, const Mesh& mesh, Random& random) {
    Placements placements;
    for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
        const int choice = below(random, shape.empty() ? 2 : 4);
        if (choice == 0) {
            placements.push_back({});
        } else if (choice == 1) {
            placements.push_back({.kind = Kind::partialSum});
        } else {
            const int dim = below(random, static_cast<int>(shape.size()));
            std::vector<std::int64_t> outer{0, shape[static_cast<std::size_t>(dim)]};
            for (const Placement& earlier : placements) {
                if (earlier.isSplit() && earlier.dim == dim) {
                    outer = earlier.cuts;
                }
            }
            std::vector<std::int64_t> cuts;
            for (std::size_t part = 0; part + 1 < outer.size(); ++part) {
                const auto row = drawCuts(outer[part], outer[part + 1], mesh.shape[axis], random);
                cuts.insert(cuts.end(), row.begin(), row.end());
            }
            placements.push_back({Kind::split, dim, 1, std::move(cuts)});
        }
    }
    return placements;
}

} // namespace weft::test
