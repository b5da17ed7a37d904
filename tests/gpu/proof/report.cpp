// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <weft/error.h>

#include <fmt/format.h>

namespace weft::proof {

namespace {

constexpr int faultsTold = 3;

} // namespace

void Case::fail(const std::string& what) {
    ++faults_;
    if (faults_ <= faultsTold) {
        told_ += (told_.empty() ? "" : "; ") + what;
    }
}

void Case::require(bool holds, const std::string& what) {
    if (!holds) {
        fail(what);
    }
}

Report::Report(const ReportRequest& request)
    : stage_(request.stage),
      after_(request.after),
      until_(request.seconds > 0
                 ? std::chrono::steady_clock::now() +
                       std::chrono::milliseconds(static_cast<std::int64_t>(request.seconds * 1e3))
                 : std::chrono::steady_clock::time_point::max()),
      log_(request.log.empty() ? nullptr : std::fopen(request.log.c_str(), "a")) {
    if (!request.log.empty() && log_ == nullptr) {
        throw Error(ErrorCode::file, Where{.file = request.log}, "cannot be written",
                    "name a file that can");
    }
}

Report::~Report() {
    if (log_ != nullptr) {
        static_cast<void>(std::fclose(log_));
    }
}

bool Report::isTimeUp() const { return std::chrono::steady_clock::now() >= until_; }

void Report::run(const std::string& name, const std::function<void(Case&)>& run) {
    if (!after_.empty()) {
        after_ = after_ == name ? std::string() : after_;
        return;
    }
    if (isTimeUp()) {
        ++left_;
        return;
    }
    tell(name, "began", {}, nlohmann::json::object());
    Case one;
    try {
        run(one);
    } catch (const Error& error) {
        one.fail(error.what());
        end(name, one);
        if (error.code() == ErrorCode::device) {
            throw;
        }
        return;
    } catch (const std::exception& error) {
        one.fail(error.what());
    }
    end(name, one);
}

void Report::close() {
    if (left_ > 0) {
        tell("the rest", "skipped", fmt::format("no time was left for {} cases", left_),
             nlohmann::json::object());
    }
}

void Report::end(const std::string& name, const Case& one) {
    if (one.faults_ > 0) {
        hasFailed_ = true;
        const int more = one.faults_ - faultsTold;
        tell(name, "failed", more > 0 ? fmt::format("{}; and {} more", one.told_, more) : one.told_,
             one.figures_);
    } else {
        tell(name, one.skipped_.empty() ? "passed" : "skipped", one.skipped_, one.figures_);
    }
}

void Report::tell(const std::string& name, const std::string& verdict, const std::string& text,
                  const nlohmann::json& figures) {
    nlohmann::json line = {{"stage", stage_}, {"case", name}, {"verdict", verdict}};
    if (!text.empty()) {
        line["text"] = text;
    }
    if (!figures.empty()) {
        line["figures"] = figures;
    }
    if (log_ != nullptr) {
        fmt::print(log_, "{}\n",
                   line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        static_cast<void>(std::fflush(log_));
    }
    if (verdict != "began") {
        fmt::print("{:8} {} {}{}{}{}{}\n", verdict, stage_, name, text.empty() ? "" : ": ", text,
                   figures.empty() ? "" : " ", figures.empty() ? "" : figures.dump());
        static_cast<void>(std::fflush(stdout));
    }
}

} // namespace weft::proof
