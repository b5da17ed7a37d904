// SPDX-License-Identifier: Apache-2.0
#include "events/log_reader.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <utility>

namespace weft {

LogReader::LogReader(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}

const LogName* LogReader::name(std::uint32_t attempt, NameIndex index) const {
    const auto names = names_.find(attempt);
    return names == names_.end() || index >= names->second.size() ? nullptr : &names->second[index];
}

void LogReader::learn(const EventView& event) {
    if (event.head.kind == EventKind::run) {
        const auto begin = event.as<RunEvent>();
        if (begin.protocol > protocolVersion) {
            Where where;
            where.file = path_.string();
            throw Error(
                ErrorCode::format, std::move(where),
                fmt::format("was written in format {}, but this version of Weft reads format {}",
                            begin.protocol, protocolVersion),
                "read it with a newer version of Weft");
        }
        attempt_ = begin.attempt;
        names_[attempt_] = {LogName{}};
        return;
    }
    if (event.head.kind != EventKind::name) {
        return;
    }
    const auto said = event.as<NameEvent>();
    auto& names = names_[attempt_];
    // Names come in order. A damaged frame may leave a gap of empty names, but an invalid index
    // must not exhaust memory.
    constexpr std::size_t widestGap = 100'000;
    if (said.name > names.size() + widestGap) {
        return;
    }
    std::string_view left = event.text();
    const auto nextPart = [&left] {
        const std::string_view part = left.substr(0, left.find('\0'));
        left.remove_prefix(std::min(part.size() + 1, left.size()));
        return std::string(part);
    };
    names.resize(std::max<std::size_t>(names.size(), said.name + std::size_t{1}));
    LogName& name = names[said.name];
    name.text = nextPart();
    name.unit = nextPart();
    name.lessIsBetter = said.lessIsBetter != 0;
    name.equals = nextPart();
}

bool LogReader::read(std::size_t bytes, const std::function<void(const EventView&)>& take) {
    const std::uint64_t end = file_.position() + bytes;
    while (file_.position() < end) {
        auto frame = file_.next();
        if (!frame) {
            return false;
        }
        std::span<const std::byte> events = *frame;
        while (!events.empty()) {
            const EventView event = takeEvent(events);
            learn(event);
            take(event);
        }
    }
    return true;
}

} // namespace weft
