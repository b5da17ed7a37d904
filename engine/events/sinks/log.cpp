// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include "events/sinks/growing_file.h"
#include "events/sinks/sink_list.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace weft::sinks {

namespace {

/// log.txt: the messages of the run, one per line with UTC time. Derived from the event log, and
/// completed after a kill like metrics.jsonl.
class Log final : public RunSink {
public:
    explicit Log(const std::filesystem::path& path) : Log(path, wholeLinesOf(path)) {}

    void take(const RunReader& /*reader*/, const RunNews& news) override {
        for (const Attempt& attempt : news.attempts) {
            begun_[attempt.number] = attempt.wallClock;
        }
        for (const RunMessage& message : news.messages) {
            if (written_ > 0) {
                --written_;
                continue;
            }
            file_.append(lineOf(message));
        }
        file_.flush();
    }

    void finish() override { file_.finish(); }

private:
    Log(const std::filesystem::path& path, WholeLines lines)
        : file_(path, lines.bytes), written_(lines.count) {}

    [[nodiscard]] std::string lineOf(const RunMessage& message) const {
        static const std::map<int, std::string_view> levels{{1, "warning: "}, {2, "error: "}};
        const auto begun = begun_.find(message.attempt);
        const std::int64_t time = message.time + (begun == begun_.end() ? 0 : begun->second);
        const auto level = levels.find(message.level);
        std::string text = message.text;
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
            text.replace(at, 1, " / ");
        }
        return fmt::format("{} rank {} step {}: {}{}\n", timestampText(time / 1'000'000'000),
                           message.rank, message.step,
                           level == levels.end() ? std::string_view() : level->second, text);
    }

    std::map<std::uint32_t, std::int64_t> begun_;
    GrowingFile file_;
    std::uint64_t written_; ///< number of existing lines to skip
};

} // namespace

void log(SinkList& list) {
    list.kinds.push_back(
        {{"log", "writes log.txt: the messages of the run, with their times"},
         [](const SinkPlace& place) { return std::make_unique<Log>(place.folder / "log.txt"); }});
}

} // namespace weft::sinks
