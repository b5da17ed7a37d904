// SPDX-License-Identifier: Apache-2.0
#pragma once
// One subcommand, in a file of its own: it adds its options to the parser and says what to do with
// them. Exit codes: 0 fine, 1 the run failed, 2 usage, 3 the design has errors, 4 the world failed
// (file, device, peer).

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft {

enum ExitCode : int { fine = 0, runFailed = 1, usageWrong = 2, designWrong = 3, worldFailed = 4 };

/// Adds the subcommand to `app`; what it returns runs it and gives the exit code.
using AddCommand = std::function<int()> (*)(CLI::App& app);

std::function<int()> addNew(CLI::App& app);
std::function<int()> addRun(CLI::App& app);
std::function<int()> addResume(CLI::App& app);
std::function<int()> addEval(CLI::App& app);
std::function<int()> addInfer(CLI::App& app);
std::function<int()> addProve(CLI::App& app);
std::function<int()> addBench(CLI::App& app);
std::function<int()> addExport(CLI::App& app);
std::function<int()> addCheck(CLI::App& app);
std::function<int()> addExplain(CLI::App& app);
std::function<int()> addPlan(CLI::App& app);
std::function<int()> addCompare(CLI::App& app);
std::function<int()> addDevices(CLI::App& app);
std::function<int()> addCalibrate(CLI::App& app);
std::function<int()> addLayers(CLI::App& app);
std::function<int()> addRuns(CLI::App& app);
std::function<int()> addAttach(CLI::App& app);
std::function<int()> addShow(CLI::App& app);
std::function<int()> addTell(CLI::App& app);

} // namespace weft
