// SPDX-License-Identifier: Apache-2.0
#pragma once
// Report of a stage: one line per case for the user, and JSON for the log. After a crash, a hang or
// a lost device, the log shows which case had begun and has not ended.

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

namespace weft::proof {

/// One case, while it runs.
class Case {
public:
    /// The first few faults are told, the others counted.
    void fail(const std::string& what);
    void require(bool holds, const std::string& what);
    void skip(const std::string& why) { skipped_ = why; }
    void note(const std::string& figure, const nlohmann::json& value) { figures_[figure] = value; }

private:
    friend class Report;

    int faults_ = 0;
    std::string told_;
    std::string skipped_;
    nlohmann::json figures_ = nlohmann::json::object();
};

struct ReportRequest {
    std::string stage;
    std::string log;    ///< JSON lines are appended to it; empty: none
    double seconds = 0; ///< no case begins later; 0: all do
    std::string after;  ///< goes on behind this case; empty: with the first
};

class Report {
public:
    explicit Report(const ReportRequest& request);
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    /// An exception is a fault of the case. If the device failed, results after that are
    /// meaningless in this process, so the exception is thrown on.
    void run(const std::string& name, const std::function<void(Case&)>& run);

    [[nodiscard]] bool isTimeUp() const;
    [[nodiscard]] bool hasFailed() const { return hasFailed_; }
    /// Tells of the cases for which no time was left.
    void close();

private:
    void tell(const std::string& name, const std::string& verdict, const std::string& text,
              const nlohmann::json& figures);
    void end(const std::string& name, const Case& one);

    std::string stage_;
    std::string after_;
    std::chrono::steady_clock::time_point until_;
    std::FILE* log_ = nullptr;
    bool hasFailed_ = false;
    int left_ = 0;
};

} // namespace weft::proof
