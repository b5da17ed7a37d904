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
    const std::string_view text = event.text();
    const std::size_t textEnd = std::min(text.find('\0'), text.size());
    const std::string_view unit = text.substr(std::min(textEnd + 1, text.size()));
    names.resize(std::max<std::size_t>(names.size(), said.name + std::size_t{1}));
    names[said.name] = {std::string(text.substr(0, textEnd)),
                        std::string(unit.substr(0, unit.find('\0'))), said.lessIsBetter != 0};
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
