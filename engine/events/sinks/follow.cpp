// SPDX-License-Identifier: Apache-2.0
#include <weft/sinks.h>

#include <exception>
#include <vector>

namespace weft {

namespace {

/// The sinks that have not failed.
class Living {
public:
    Living(std::span<const std::unique_ptr<RunSink>> sinks,
           const std::function<void(const Error&)>& broken)
        : broken_(broken) {
        for (const auto& sink : sinks) {
            sinks_.push_back(sink.get());
        }
    }

    template <class Act>
    void each(Act act) {
        std::erase_if(sinks_, [&](RunSink* sink) {
            try {
                act(*sink);
                return false;
            } catch (const Error& error) {
                broken_(error);
            } catch (const std::exception& error) {
                broken_(Error(ErrorCode::bug, {}, error.what(),
                              "the run continues without this output"));
            }
            return true;
        });
    }

private:
    std::vector<RunSink*> sinks_;
    const std::function<void(const Error&)>& broken_;
};

} // namespace

void followRun(RunReader& reader, std::span<const std::unique_ptr<RunSink>> sinks,
               const std::stop_token& stop, const std::function<void(const Error&)>& broken) {
    Living living(sinks, broken);
    while (true) {
        // Checked before reading, so that everything written before the stop or the end is read.
        const bool isLast = stop.stop_requested() || !reader.mayGrow();
        bool isMore = true;
        while (isMore) {
            const RunNews news = reader.read();
            isMore = news.isMore;
            if (!news.isEmpty()) {
                living.each([&](RunSink& sink) { sink.take(reader, news); });
            }
        }
        if (isLast) {
            break;
        }
        // Ten reads a second are enough for people and cost the run nothing.
        for (int i = 0; i < 2 && !stop.stop_requested(); ++i) {
            reader.waitForGrowth(std::chrono::milliseconds(50));
        }
    }
    living.each([](RunSink& sink) { sink.finish(); });
}

} // namespace weft
