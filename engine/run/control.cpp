// SPDX-License-Identifier: Apache-2.0
#include "run/control.h"

#include "base/files.h"
#include "base/threads.h"
#include <weft/error.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace weft {

namespace {

bool isWish(std::string_view name) {
    return name == "pause" || name == "resume" || name == "step" || name == "stop" ||
           name == "save";
}

void obey(const std::string& wish, RunControls& controls) {
    if (wish == "pause") {
        controls.pause = true;
    } else if (wish == "resume") {
        controls.pause = false;
    } else if (wish == "step") {
        controls.pause = true;
        controls.stepOnce = true;
    } else if (wish == "stop") {
        controls.stop = true;
    } else if (wish == "save") {
        controls.save = true;
    }
}

void takeWishes(const std::filesystem::path& folder, RunControls& controls) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string wish = entry.path().filename().string();
        std::error_code gone;
        // Other names are not ours to touch: a wish is written beside and renamed.
        if (isWish(wish) && std::filesystem::remove(entry.path(), gone)) {
            obey(wish, controls);
        }
    }
}

} // namespace

Control::Control(std::filesystem::path folder, RunControls& controls,
                 std::function<void()> everySecond)
    : thread_(startThread(
          "control", [folder = std::move(folder), &controls,
                      everySecond = std::move(everySecond)](const std::stop_token& stop) {
              std::mutex mutex;
              std::condition_variable_any wake;
              std::unique_lock lock(mutex);
              constexpr int looksPerSecond = 5;
              for (int look = 0; !stop.stop_requested(); ++look) {
                  takeWishes(folder, controls);
                  if (look % looksPerSecond == 0) {
                      everySecond();
                  }
                  wake.wait_for(lock, stop, std::chrono::milliseconds(1000 / looksPerSecond),
                                [] { return false; });
              }
          })) {}

void sendControl(const std::filesystem::path& run, const std::string& wish) {
    const std::filesystem::path folder = run / "control";
    if (!std::filesystem::is_directory(folder)) {
        throw Error(ErrorCode::file, Where{.file = folder.string()},
                    "the run takes no wishes: it does not live",
                    "weft runs lists the runs and their states");
    }
    writeFileWhole(folder / wish, std::string_view{});
}

} // namespace weft
