// SPDX-License-Identifier: Apache-2.0
#include "base/process/environment.h"
#include "base/text/text.h"
#include "events/sinks/sink_list.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>

namespace weft {

SinkPlace standardOutput() {
    SinkPlace place;
    place.out = &std::cout;
    place.isTerminal = ::isatty(STDOUT_FILENO) == 1;
    const std::string kind = fromEnvironment("TERM");
    // mpirun gives its ranks a pseudo-terminal; only Weft's launcher tells what the real output is.
    const bool isGuess = !fromEnvironment("OMPI_COMM_WORLD_SIZE").empty() &&
                         fromEnvironment("WEFT_HOST_CHANNEL").empty();
    const bool isDumb = kind.empty() || kind == "dumb" || isGuess;
    place.isTerminal = place.isTerminal && !isDumb;
    place.hasColour = place.isTerminal && fromEnvironment("NO_COLOR").empty();
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        place.width = size.ws_col;
    }
    return place;
}

namespace sinks {

namespace {

constexpr double secondsBetweenLines = 5; ///< by the run's clock, if lines cannot be overwritten

/// Formats four significant digits: 0.0312, 97.5, 1.23e-07.
std::string numberText(double value) { return fmt::format("{:.4g}", value); }

/// The progress of a run, and the remaining time from its recent speed.
class Progress {
public:
    explicit Progress(RunGoal goal) : goal_(goal) {}

    [[nodiscard]] const RunGoal& goal() const { return goal_; }
    void add(const StepRecord& record) {
        const double seconds = static_cast<double>(record.time) * 1e-9;
        double part = 0;
        if (goal_.steps > 0) {
            part = static_cast<double>(record.step) / static_cast<double>(goal_.steps);
        }
        if (goal_.epochs > 0) {
            part = std::max(part, record.epoch / goal_.epochs);
        }
        if (goal_.seconds > 0) {
            part = std::max(part, seconds / goal_.seconds);
        }
        part_ = std::min(1.0, part);
        recent_.push_back({seconds, part_});
        // The last minute predicts the rest better than the whole run does.
        while (recent_.size() > 2 && seconds - recent_.front().seconds > 60) {
            recent_.pop_front();
        }
    }

    [[nodiscard]] bool isKnown() const {
        return goal_.steps > 0 || goal_.epochs > 0 || goal_.seconds > 0;
    }
    [[nodiscard]] double part() const { return part_; }
    [[nodiscard]] std::optional<double> secondsLeft() const {
        if (!isKnown() || recent_.size() < 2 || recent_.back().part <= recent_.front().part) {
            return std::nullopt;
        }
        const double perPart = (recent_.back().seconds - recent_.front().seconds) /
                               (recent_.back().part - recent_.front().part);
        return (1 - part_) * perPart;
    }

private:
    struct Point {
        double seconds;
        double part;
    };
    RunGoal goal_;
    double part_ = 0;
    std::deque<Point> recent_;
};

/// Shows a progress bar on a terminal, elsewhere occasional lines. Evaluations, warnings, failures
/// and the end are printed as permanent lines.
class Terminal final : public RunSink {
public:
    explicit Terminal(const SinkPlace& place)
        : place_(place), out_(*place.out), progress_(goalNow()) {}

    void take(const RunReader& reader, const RunNews& news) override {
        for (const Attempt& attempt : news.attempts) {
            attempt_ = attempt.number;
            progress_ = Progress(goalNow());
            lineAt_ = {};
            if (attempt.number > 1) {
                line(fmt::format("attempt {}: continues after step {}", attempt.number,
                                 countText(attempt.stepsBefore)));
            }
        }
        // Shows only the current attempt of a resumed run.
        for (const StepRecord& record : news.steps) {
            if (record.attempt >= attempt_) {
                takeStep(record, reader.metrics());
            }
        }
        for (const RunMessage& message : news.messages) {
            if (message.attempt >= attempt_) {
                takeMessage(message);
            }
        }
        for (const Error& failure : news.failures) {
            line(painted("failed: ", red) + failure.what());
        }
        for (const RunEnd& end : news.ends) {
            if (end.attempt >= attempt_) {
                takeEnd(end);
            }
        }
        if (place_.isTerminal && !bar_.empty()) {
            draw();
        }
        out_.flush();
    }

    void finish() override {
        if (!drawn_.empty()) {
            out_ << '\n';
        } else if (!place_.isTerminal && !bar_.empty()) {
            out_ << bar_ << '\n';
        }
        drawn_.clear();
        bar_.clear();
        out_.flush();
    }

private:
    static constexpr std::string_view green = "32";
    static constexpr std::string_view yellow = "33";
    static constexpr std::string_view red = "31";

    void takeStep(const StepRecord& record, const std::vector<MetricInfo>& metrics) {
        if (record.split == Split::evaluate) {
            line(fmt::format("evaluation at step {} (epoch {:.2f}): {}", countText(record.step),
                             record.epoch, valuesText(record, metrics, false)));
            return;
        }
        progress_.add(record);
        bar_ = stepText(record, metrics);
        const double seconds = static_cast<double>(record.time) * 1e-9;
        if (!place_.isTerminal && (!lineAt_ || seconds - *lineAt_ >= secondsBetweenLines)) {
            lineAt_ = seconds;
            out_ << bar_ << '\n';
            bar_.clear();
        }
    }

    void takeMessage(const RunMessage& message) {
        const std::string from =
            message.rank > 0 ? fmt::format("rank {}: ", message.rank) : std::string();
        const std::string text = printable(message.text, true);
        switch (message.level) {
        case 0: line(from + text); break;
        case 1: line(painted("warning: ", yellow) + from + text); break;
        default: line(painted("error: ", red) + from + text);
        }
    }

    void takeEnd(const RunEnd& end) {
        static const std::map<EndReason, std::string_view> words{{EndReason::done, "done"},
                                                                 {EndReason::stopped, "stopped"},
                                                                 {EndReason::failed, "failed"},
                                                                 {EndReason::lost, "lost"}};
        const bool isGood = end.reason == EndReason::done || end.reason == EndReason::stopped;
        std::string text = fmt::format("{} at step {}", words.at(end.reason), countText(end.step));
        text = painted(text, isGood ? green : red);
        finish();
        line(end.text.empty() ? text : text + ": " + printable(end.text, true));
    }

    [[nodiscard]] std::string valuesText(const StepRecord& record,
                                         const std::vector<MetricInfo>& metrics,
                                         bool isShort) const {
        std::string text;
        for (const MetricValue& value : record.values) {
            const MetricInfo& metric = metrics[value.metric];
            // Training lines show only loss and speed; the rest is in metrics.jsonl.
            if (!metric.equals.empty()) {
                continue;
            }
            const bool isMinor = metric.name == "learning_rate" || metric.name == "gradient_norm";
            if (isShort && isMinor) {
                continue;
            }
            text += text.empty() ? "" : "  ";
            if (metric.name == "throughput") {
                text += fmt::format("{} {}", numberText(value.value), metric.unit);
            } else {
                text += fmt::format("{} {}{}", metric.name, numberText(value.value),
                                    metric.unit == "%" ? " %" : "");
            }
        }
        return text;
    }

    [[nodiscard]] std::string stepText(const StepRecord& record,
                                       const std::vector<MetricInfo>& metrics) const {
        std::string text = "step " + countText(record.step);
        if (progress_.goal().steps > 0) {
            text += "/" + countText(progress_.goal().steps);
        }
        text += fmt::format("  epoch {:.2f}  {}", record.epoch, valuesText(record, metrics, true));
        if (progress_.isKnown()) {
            const auto left = progress_.secondsLeft();
            text += fmt::format("  {:.0f} %  eta {}", 100 * progress_.part(),
                                left ? clockText(*left) : "-:--");
        }
        return text;
    }

    [[nodiscard]] RunGoal goalNow() const { return place_.goal ? place_.goal() : RunGoal(); }

    /// Prints a permanent line above the bar.
    void line(const std::string& text) {
        erase();
        out_ << text << '\n';
    }

    void erase() {
        if (!drawn_.empty()) {
            out_ << "\r\x1b[K";
            drawn_.clear();
        }
    }

    void draw() {
        std::string text = bar_;
        const auto room = static_cast<std::size_t>(std::max(10, place_.width - 1));
        if (progress_.isKnown() && textWidth(text) + 14 < room) {
            const std::size_t width = std::min<std::size_t>(30, room - textWidth(text) - 4);
            const auto full = static_cast<std::size_t>(
                std::lround(progress_.part() * static_cast<double>(width)));
            text = "[" + painted(std::string(full, '='), green) + std::string(width - full, ' ') +
                   "]  " + text;
        } else if (textWidth(text) > room) {
            text = firstColumns(text, room);
        }
        if (text == drawn_) {
            return;
        }
        erase();
        out_ << text;
        drawn_ = text;
    }

    [[nodiscard]] std::string painted(const std::string& text, std::string_view colour) const {
        return place_.hasColour && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text)
                                                 : text;
    }

    SinkPlace place_;
    std::ostream& out_;
    Progress progress_;
    std::uint32_t attempt_ = 1;    ///< the latest attempt
    std::optional<double> lineAt_; ///< run time of the last plain line
    std::string bar_;              ///< text of the last step, not printed yet
    std::string drawn_;
};

} // namespace

void terminal(SinkList& list) {
    list.kinds.push_back(
        {{"terminal", "shows a progress bar, the loss, the speed and the remaining time"},
         [](const SinkPlace& place) { return std::make_unique<Terminal>(place); }});
}

} // namespace sinks

} // namespace weft
