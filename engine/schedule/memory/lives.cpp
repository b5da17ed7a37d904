// SPDX-License-Identifier: Apache-2.0
#include "schedule/memory/lives.h"

#include <map>

namespace weft {

namespace {

class Lives {
public:
    explicit Lives(const Program& program) : program_(program) {
        for (const ProgramPort& port : program.feeds) {
            if (port.isHeld && port.buffer.arena == ArenaKind::work) {
                fed_.try_emplace(port.buffer.offset, &port);
            }
        }
        for (const auto& [offset, port] : fed_) {
            lives_.push_back({.offset = offset,
                              .size = port->buffer.size.count,
                              .first = 0,
                              .last = lastStep(),
                              .port = port});
        }
        for (std::size_t k = 0; k < program.steps.size(); ++k) {
            read(k);
            write(k);
        }
        handBack();
    }

    [[nodiscard]] std::vector<BlockLife> take() { return std::move(lives_); }

private:
    [[nodiscard]] std::size_t lastStep() const {
        return program_.steps.empty() ? 0 : program_.steps.size() - 1;
    }

    [[nodiscard]] bool isFed(const Buffer& buffer) const {
        auto at = fed_.upper_bound(buffer.offset);
        return at != fed_.begin() &&
               buffer.offset < std::prev(at)->first + std::prev(at)->second->buffer.size.count;
    }
    [[nodiscard]] bool counts(const Buffer& buffer) const {
        return buffer.arena == ArenaKind::work && buffer.size.count > 0 && !isFed(buffer);
    }

    /// Visits the lives that hold some of these bytes now.
    template <class Visit>
    void forEachAt(const Buffer& buffer, const Visit& visit) {
        auto at = current_.upper_bound(buffer.offset);
        at = at == current_.begin() ? at : std::prev(at);
        while (at != current_.end() && at->first < buffer.offset + buffer.size.count) {
            const auto next = std::next(at);
            if (at->first + lives_[at->second].size > buffer.offset) {
                visit(at);
            }
            at = next;
        }
    }

    void read(std::size_t k) {
        for (const Buffer& buffer : program_.steps[k].inputs) {
            if (counts(buffer)) {
                forEachAt(buffer, [&](auto at) { lives_[at->second].last = k; });
            }
        }
    }

    void write(std::size_t k) {
        const Step& step = program_.steps[k];
        for (std::size_t output = 0; output < step.outputs.size(); ++output) {
            const Buffer& buffer = step.outputs[output];
            if (!counts(buffer)) {
                continue;
            }
            forEachAt(buffer, [&](auto at) {
                BlockLife& before = lives_[at->second];
                // In place: the new value takes over the old value's bytes.
                before.last = before.last == k && before.first < k ? k - 1 : before.last;
                current_.erase(at);
            });
            current_[buffer.offset] = lives_.size();
            lives_.push_back({.offset = buffer.offset,
                              .size = buffer.size.count,
                              .first = k,
                              .last = k,
                              .output = static_cast<int>(output)});
        }
        if (step.scratch.size.count > 0) {
            lives_.push_back({.offset = step.scratch.offset,
                              .size = step.scratch.size.count,
                              .first = k,
                              .last = k,
                              .output = -1});
        }
    }

    /// Results are read when everything has ended.
    void handBack() {
        for (const ProgramPort& port : program_.results) {
            if (port.isHeld && counts(port.buffer)) {
                forEachAt(port.buffer, [&](auto at) { lives_[at->second].last = lastStep(); });
            }
        }
    }

    const Program& program_;
    std::map<std::int64_t, const ProgramPort*> fed_;
    std::map<std::int64_t, std::size_t> current_; ///< offset -> life
    std::vector<BlockLife> lives_;
};

} // namespace

std::vector<BlockLife> livesOf(const Program& program) { return Lives(program).take(); }

} // namespace weft
