// SPDX-License-Identifier: Apache-2.0
#include "events/mirror_status.h"

#include "base/files/lock_file.h"
#include "base/text/json.h"
#include "base/text/lenient_json.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr const char* wordName = "mirror.json";
constexpr const char* lockName = "mirror.lock";

constexpr std::array states{RunState::living, RunState::done, RunState::stopped,
                            RunState::failed, RunState::lost, RunState::waiting};

} // namespace

RunState runStateNamed(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(states, [&](RunState one) { return nameOf(one) == name; });
    return found == states.end() ? RunState::unknown : *found;
}

std::optional<MirrorStatus> readMirrorStatus(const fs::path& folder) {
    const fs::path path = folder / wordName;
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) {
        return std::nullopt;
    }
    Json said = Json::object();
    try {
        said = objectIn(readFile(path, std::size_t{64} << 10U));
    } catch (const Error&) {
        // The state of a copy whose file cannot be read is unknown.
    }
    MirrorStatus word{.host = textAt(said, "host"),
                      .run = textAt(said, "run"),
                      .state = runStateNamed(textAt(said, "state")),
                      .attempt = static_cast<std::uint32_t>(
                          std::clamp<std::int64_t>(numberAt(said, "attempt", 0), 0, 1 << 30)),
                      .queue = textAt(said, "queue"),
                      .cause = textAt(said, "cause"),
                      .isUp = flagAt(said, "up", false),
                      .why = textAt(said, "why"),
                      .since = numberAt(said, "since", 0)};
    if (word.isUp && !isMirrorHeld(folder)) {
        word.isUp = false;
        word.why = "no process follows the run from this machine";
        word.since = facts.st_mtime;
    }
    return word;
}

void writeMirrorStatus(const fs::path& folder, const MirrorStatus& word) {
    writeFileWhole(folder / wordName, jsonText(Json{{"host", word.host},
                                                    {"run", word.run},
                                                    {"state", nameOf(word.state)},
                                                    {"attempt", word.attempt},
                                                    {"queue", word.queue},
                                                    {"cause", word.cause},
                                                    {"up", word.isUp},
                                                    {"why", word.why},
                                                    {"since", word.since}}));
}

FileHandle holdMirror(const fs::path& folder) { return lockFile(folder / lockName); }

bool isMirrorHeld(const fs::path& folder) { return isLocked(folder / lockName); }

std::string whyOf(const MirrorStatus& word) {
    switch (stateOf(word)) {
    case RunState::waiting: return word.queue;
    case RunState::unknown: {
        if (word.since == 0) {
            return "nothing received yet" + (word.why.empty() ? "" : ": " + word.why);
        }
        const std::time_t since = word.since;
        std::tm parts{};
        localtime_r(&since, &parts);
        return fmt::format("nothing received since {:%H:%M}: {}", parts, word.why);
    }
    default: return word.cause;
    }
}

RunState stateOf(const MirrorStatus& word) {
    const bool mayHaveGoneOn = word.state == RunState::living || word.state == RunState::waiting;
    return mayHaveGoneOn && !word.isUp ? RunState::unknown : word.state;
}

} // namespace weft
