// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run as one types it: its folder, or NAME:RUN on another host, whose copy grows here.

#include <weft/remote.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace weft {

class RunPlace {
public:
    /// `keepsOn`: a line that breaks is taken up again.
    explicit RunPlace(const std::string& word, bool keepsOn = false);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Null for a run of this machine.
    [[nodiscard]] HostLine* line() const { return line_.get(); }
    /// Its name there.
    [[nodiscard]] const std::string& run() const { return run_; }

    /// The copy has all that the run has. Where the line is lost it stays as it is, with a word;
    /// Error{peer} where there is none.
    void bring(bool withSpans = false);
    /// Files whose paths are wanted, too.
    void bringFiles(const std::function<bool(const std::string& path)>& isWanted);
    void bringNewestCheckpoint();

private:
    void tellOfTheLine(const std::stop_token& stop) const;

    std::filesystem::path folder_;
    std::string run_;
    std::unique_ptr<HostLine> line_;
    bool keepsOn_;
    bool isLost_ = false;
    std::jthread teller_; ///< says that the line is lost, and that it is back
};

} // namespace weft
