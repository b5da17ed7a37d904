// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace weft {

namespace {

/// Largest number of ops in a free chain.
constexpr std::size_t longestChain = 8;
/// A row takes members until they write this much: about what stays in a cache until the row runs.
constexpr Bytes rowLimit{std::int64_t{4} << 20};

using Pattern = std::vector<std::string>;

Pattern chainOf(const std::string& name) {
    Pattern ops;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t plus = std::min(name.find('+', from), name.size());
        ops.push_back(name.substr(from, plus - from));
        from = plus + 1;
    }
    return ops;
}

class Grouping {
public:
    Grouping(LocalPlan& local, const KernelList& kernels)
        : local_(local), freeChains_(kernels.freeChains()) {
        for (const std::string& name : kernels.ops()) {
            if (name.ends_with('*')) {
                rows_.insert(name.substr(0, name.size() - 1));
            } else if (name.find('+') != std::string::npos && !name.ends_with('=')) {
                chains_.push_back(chainOf(name));
            }
        }
        std::ranges::stable_sort(chains_, std::greater<>{}, &Pattern::size);
    }

    void run() {
        findReaders();
        groupOf_.assign(local_.tasks.size(), -1);
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            if (groupOf_[t] < 0 && isCompute(t)) {
                startChain(t);
            }
        }
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            startFreeChain(t);
        }
        startRows();
        rebuild();
    }

private:
    using Members = std::vector<std::size_t>; ///< tasks, in their order

    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }
    [[nodiscard]] const Task& task(std::size_t t) const { return local_.tasks[t]; }
    [[nodiscard]] bool isCompute(std::size_t t) const { return task(t).kind == StepKind::compute; }

    void findReaders() {
        readers_.resize(local_.values.size());
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            for (const int output : task(t).outputs) {
                if (output >= 0) {
                    makers_[local_.storageOf(output)] = t;
                }
            }
            for (const int input : task(t).inputs) {
                if (input >= 0) {
                    readers_[static_cast<std::size_t>(local_.storageOf(input))].push_back(t);
                }
            }
        }
        for (const auto* list : {&local_.results, &local_.slotNext}) {
            for (const int value : *list) {
                if (value >= 0) {
                    kept_.insert(local_.storageOf(value));
                }
            }
        }
        for (std::size_t s = 0; s < local_.slots.size(); ++s) {
            if (local_.slotNext[s] >= 0) {
                homeOf_[local_.slotNext[s]] = local_.slots[s];
            }
        }
    }

    bool isPartial(int value) {
        return std::ranges::any_of(local_.plan->at(at(value).placed).placements,
                                   [](const Placement& p) { return p.isPartial(); });
    }

    void startChain(std::size_t first) {
        for (const Pattern& pattern : chains_) {
            if (pattern.front() == task(first).request.op) {
                if (const auto members = follow(pattern, first)) {
                    take(*members, fmt::format("{}", fmt::join(pattern, "+")));
                    return;
                }
            }
        }
    }

    void startFreeChain(std::size_t first) {
        if (!isOfFreeChain(first)) {
            return;
        }
        Members members{first};
        while (members.size() < longestChain && follow(members)) {
        }
        if (members.size() > 1) {
            std::vector<std::string> ops;
            std::ranges::transform(members, std::back_inserter(ops),
                                   [&](std::size_t m) { return task(m).request.op; });
            take(members, fmt::format("{}", fmt::join(ops, "+")));
        }
    }

    /// True if all inputs and outputs of the task have the same shape and its op may join a free
    /// chain.
    [[nodiscard]] bool isOfFreeChain(std::size_t t) {
        if (groupOf_[t] >= 0 || !isCompute(t) || !freeChains_.has(task(t).request.op)) {
            return false;
        }
        const Shape& shape = at(task(t).outputs.front()).part.shape;
        return std::ranges::all_of(task(t).inputs,
                                   [&](int input) { return at(input).part.shape == shape; });
    }

    /// Appends one more task, which may read only the last member's result. False if there is none.
    bool follow(Members& members) {
        const int between = task(members.back()).outputs.front();
        if (isPartial(between)) {
            return false;
        }
        for (const std::size_t r : readers_[static_cast<std::size_t>(local_.storageOf(between))]) {
            const std::vector<int>& inputs = task(r).inputs;
            if (r <= members.back() || !isOfFreeChain(r) || writesOwnSlot(r, between) ||
                std::ranges::count(inputs, between) != 1 ||
                std::ranges::any_of(inputs, [&](int input) {
                    return input != between && isMadeBy(members, input);
                })) {
                continue;
            }
            members.push_back(r);
            if (!isReadBetween(members)) {
                return true;
            }
            members.pop_back();
        }
        return false;
    }

    /// True if the op writes a slot that it reads itself, apart from `between`: only the first of a
    /// chain works in place.
    [[nodiscard]] bool writesOwnSlot(std::size_t t, int between) {
        return std::ranges::any_of(task(t).outputs, [&](int output) {
            const auto home = homeOf_.find(output);
            return home != homeOf_.end() && std::ranges::any_of(task(t).inputs, [&](int input) {
                       return input >= 0 && input != between &&
                              local_.storageOf(input) == home->second;
                   });
        });
    }

    [[nodiscard]] bool isMadeBy(const Members& members, int value) {
        return std::ranges::any_of(members, [&](std::size_t m) {
            return local_.storageOf(task(m).outputs.front()) == local_.storageOf(value);
        });
    }

    std::optional<Members> follow(const Pattern& pattern, std::size_t first) {
        Members members{first};
        bool isWhole = true;
        for (std::size_t k = 1; k < pattern.size(); ++k) {
            const int between = task(members.back()).outputs.front();
            const auto& readers = readers_[static_cast<std::size_t>(local_.storageOf(between))];
            const auto next = std::ranges::find_if(readers, [&](std::size_t r) {
                return task(r).request.op == pattern[k] && isCompute(r) && groupOf_[r] < 0 &&
                       std::ranges::count(task(r).inputs, between) == 1;
            });
            if (next == readers.end()) {
                return std::nullopt;
            }
            isWhole = isWhole && !isPartial(between);
            members.push_back(*next);
        }
        std::string against = isWhole ? "" : "the value between the ops is a partial sum";
        if (against.empty() && isReadBetween(members)) {
            against = "an op between them in the plan reads one of their values";
        }
        if (!against.empty()) {
            local_.refusals.push_back(fmt::format("{}: {} not grouped: {}", task(first).name,
                                                  fmt::join(pattern, "+"), against));
            return std::nullopt;
        }
        return members;
    }

    /// True if a task between the members reads a result of the group or writes a slot that the
    /// group reads. The group takes the place of its last member, so such a task would come too
    /// early.
    bool isReadBetween(const Members& members) {
        std::set<int> made;
        std::set<int> slots;
        for (const std::size_t m : members) {
            for (const int output : task(m).outputs) {
                made.insert(local_.storageOf(output));
            }
            for (const int input : task(m).inputs) {
                slots.insert(local_.storageOf(input));
            }
        }
        for (std::size_t t = members.front(); t < members.back(); ++t) {
            if (std::ranges::binary_search(members, t)) {
                continue;
            }
            for (const int input : task(t).inputs) {
                if (input >= 0 && made.contains(local_.storageOf(input))) {
                    return true;
                }
            }
            for (const int output : task(t).outputs) {
                const auto home = homeOf_.find(output);
                if (home != homeOf_.end() && slots.contains(home->second)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// What members of a row must share: op, attributes, scalars, and the collective of their
    /// gradients, so that a bucket of gradients is one update.
    struct RowKey {
        std::string op;
        Attributes attributes;
        std::vector<int> scalars;
        int collective = -1;
        bool operator==(const RowKey&) const = default;
    };

    RowKey keyOf(std::size_t t) {
        RowKey key{
            .op = task(t).request.op, .attributes = task(t).request.attributes, .scalars = {}};
        for (const int input : task(t).inputs) {
            if (at(input).part.shape.empty()) {
                key.scalars.push_back(input);
            } else if (const auto maker = makers_.find(local_.storageOf(input));
                       maker != makers_.end() && task(maker->second).kind == StepKind::collective) {
                key.collective = static_cast<int>(maker->second);
            }
        }
        return key;
    }

    void startRows() {
        struct Row {
            RowKey key;
            Members members = {};
            Bytes bytes = {};
        };
        std::vector<Row> open;
        const auto close = [&](const Members& members) {
            if (members.size() > 1 && !isReadBetween(members)) {
                take(members, task(members.front()).request.op + "*");
            }
        };
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            if (groupOf_[t] >= 0 || !isCompute(t) || !rows_.contains(task(t).request.op)) {
                continue;
            }
            RowKey key = keyOf(t);
            auto row = std::ranges::find(open, key, &Row::key);
            if (row == open.end()) {
                row = open.insert(open.end(), Row{.key = std::move(key)});
            }
            row->members.push_back(t);
            for (const int input : task(t).inputs) {
                row->bytes += at(input).bytes;
            }
            if (row->key.collective < 0 && row->bytes >= rowLimit) {
                close(row->members);
                open.erase(row);
            }
        }
        for (const Row& row : open) {
            close(row.members);
        }
    }

    void take(const Members& members, std::string op) {
        for (const std::size_t m : members) {
            groupOf_[m] = static_cast<int>(groups_.size());
        }
        groups_.emplace_back(members, std::move(op));
    }

    bool isReadOutside(int output, const Members& members) {
        const int storage = local_.storageOf(output);
        const auto& readers = readers_[static_cast<std::size_t>(storage)];
        return at(storage).isPinned || kept_.contains(storage) ||
               std::ranges::any_of(
                   readers, [&](std::size_t r) { return !std::ranges::binary_search(members, r); });
    }

    Task groupTask(const Members& members, const std::string& op) {
        const Task& first = task(members.front());
        Task made{.node = first.node, .origin = first.origin};
        made.name = first.name.substr(0, first.name.size() - first.request.op.size()) + op;
        made.request.op = op;
        made.request.attributes = first.request.attributes;
        made.request.randomKey = first.request.randomKey;
        auto body = std::make_shared<GroupBody>();
        std::vector<std::vector<std::size_t>> shares; ///< inputs whose buffers a result may use
        std::map<int, int> reads;                     ///< how often each input is read so far
        for (std::size_t m = 0; m < members.size(); ++m) {
            const std::size_t before = made.inputs.size();
            addReads(made, *body, members, m, op.ends_with('*'));
            for (std::size_t k = before; k < made.inputs.size(); ++k) {
                ++reads[made.inputs[k]];
            }
            addWrites(made, *body, members, m, op.ends_with('*'));
            addInPlace(made, *body, task(members[m]), m, shares, reads);
        }
        made.request.body = body;
        for (const std::size_t m : members) {
            made.flops += task(m).flops;
            made.draws = made.draws || task(m).draws;
        }
        made.members = apart(members, op);
        for (const auto* values : {&made.inputs, &made.outputs}) {
            for (const int value : *values) {
                made.traffic += at(value).bytes;
            }
        }
        return made;
    }

    /// Returns the replacement if the group's kernel refuses: the longest shorter chain at its
    /// beginning, and the remaining tasks.
    std::vector<Task> apart(const Members& members, const std::string& op) {
        std::string shorter;
        std::size_t together = 0;
        for (const Pattern& chain : chains_) {
            const std::string name = fmt::format("{}", fmt::join(chain, "+"));
            if (together == 0 && op.starts_with(name + "+")) {
                shorter = name;
                together = chain.size();
            }
        }
        const auto rest = members.begin() + static_cast<std::ptrdiff_t>(together);
        std::vector<Task> tasks;
        if (together > 0) {
            tasks.push_back(groupTask({members.begin(), rest}, shorter));
        }
        std::for_each(rest, members.end(),
                      [&](std::size_t m) { tasks.push_back(std::move(local_.tasks[m])); });
        return tasks;
    }

    void addReads(Task& made, GroupBody& body, const Members& members, std::size_t m, bool isRow) {
        const Task& member = task(members[m]);
        auto& reads = body.reads.emplace_back();
        const int between = m == 0 || isRow ? -1 : task(members[m - 1]).outputs.front();
        for (std::size_t k = 0; k < member.inputs.size(); ++k) {
            if (between >= 0 && member.inputs[k] == between) {
                reads.push_back(-static_cast<int>(m));
                continue;
            }
            reads.push_back(static_cast<int>(made.inputs.size()));
            made.inputs.push_back(member.inputs[k]);
            made.request.inputs.push_back(member.request.inputs[k]);
        }
        body.members.push_back(member.request);
    }

    void addWrites(Task& made, GroupBody& body, const Members& members, std::size_t m, bool isRow) {
        const Task& member = task(members[m]);
        auto& writes = body.writes.emplace_back();
        for (std::size_t k = 0; k < member.outputs.size(); ++k) {
            const bool isBetween = !isRow && k == 0 && m + 1 < members.size();
            if (isBetween && !isReadOutside(member.outputs[k], members)) {
                writes.push_back(-1);
                continue;
            }
            writes.push_back(static_cast<int>(made.outputs.size()));
            made.outputs.push_back(member.outputs[k]);
            made.request.outputs.push_back(member.request.outputs[k]);
        }
    }

    /// A result may use an operand's buffer if every member on the way allows it and no later
    /// member reads the operand.
    void addInPlace(Task& made, const GroupBody& body, const Task& member, std::size_t m,
                    std::vector<std::vector<std::size_t>>& shares,
                    const std::map<int, int>& reads) {
        auto& mine = shares.emplace_back();
        const bool isRow = made.request.op.ends_with('*');
        for (const auto& [in, out] : member.inPlace) {
            const int read = body.reads[m][in];
            const int write = body.writes[m][out];
            std::vector<std::size_t> from;
            if (read < 0) {
                from = shares[m - 1];
            } else if (m == 0 || isRow) {
                from.push_back(static_cast<std::size_t>(read));
            }
            for (const std::size_t input : from) {
                if (out == 0) {
                    mine.push_back(input);
                }
                if (write >= 0 && reads.at(made.inputs[input]) == 1) {
                    made.inPlace.push_back({input, static_cast<std::size_t>(write)});
                }
            }
        }
    }

    /// Groups take the places of their last members.
    void rebuild() {
        std::vector<Task> tasks;
        tasks.reserve(local_.tasks.size());
        for (std::size_t t = 0; t < local_.tasks.size(); ++t) {
            const int g = groupOf_[t];
            if (g < 0) {
                tasks.push_back(std::move(local_.tasks[t]));
            } else if (const auto& [members, op] = groups_[static_cast<std::size_t>(g)];
                       members.back() == t) {
                tasks.push_back(groupTask(members, op));
            }
        }
        local_.tasks = std::move(tasks);
    }

    LocalPlan& local_;
    const FreeChains& freeChains_;
    std::vector<Pattern> chains_; ///< longest first
    std::set<std::string> rows_;
    std::vector<std::vector<std::size_t>> readers_; ///< per storage
    std::map<int, std::size_t> makers_;             ///< last maker by storage
    std::set<int> kept_;                            ///< storages of results and next slots
    std::map<int, int> homeOf_;                     ///< a slot's next value -> the slot
    std::vector<int> groupOf_;                      ///< per task; -1: none
    std::vector<std::pair<Members, std::string>> groups_;
};

} // namespace

void group(LocalPlan& local, const KernelList& kernels) { Grouping(local, kernels).run(); }

} // namespace weft
