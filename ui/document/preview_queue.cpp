// SPDX-License-Identifier: Apache-2.0
#include "document/preview_queue.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace weft::ui {

struct PreviewQueue::QueuedRequest {
    const void* asker = nullptr;
    std::uint64_t number = 0;
    Urgency urgency = Urgency::check;
    Design design;
    PreviewRequest request;
};

/// The thread with its queue of requests and the request in progress.
class PreviewQueue::Worker {
public:
    Worker(PreviewQueue& owner, PreviewFunction work)
        : owner_(owner),
          previewFunction_(std::move(work)),
          thread_([this](const std::stop_token& stop) { run(stop); }) {}

    void ask(QueuedRequest question) {
        const std::scoped_lock lock(mutex_);
        drop(question.asker);
        isInterrupted_ = isInterrupted_ || (current_ && question.urgency < current_->urgency);
        waiting_.push_back(std::move(question));
        asked_.notify_one();
    }

    void forget(const void* asker) {
        const std::scoped_lock lock(mutex_);
        drop(asker);
    }

private:
    struct Current {
        const void* asker = nullptr;
        Urgency urgency = Urgency::check;
    };

    void drop(const void* asker) {
        std::erase_if(waiting_, [&](const QueuedRequest& one) { return one.asker == asker; });
        isDropped_ = isDropped_ || (current_ && current_->asker == asker);
    }

    void run(const std::stop_token& stop) {
        // A training run needs the cores more than its prediction. On Linux, nice applies to the
        // calling thread.
        [[maybe_unused]] const int niceness = nice(5);
        PreviewCache cache;
        while (std::optional<QueuedRequest> question = next(stop)) {
            bool isCut = false;
            PreviewAnswer answer = answerTo(*question, stop, cache, isCut);
            const std::scoped_lock lock(mutex_);
            current_.reset();
            if (stop.stop_requested() || isDropped_) {
                continue;
            }
            if (isCut) {
                waiting_.insert(waiting_.begin(), std::move(*question));
            } else {
                deliver(*question, std::move(answer));
            }
        }
    }

    /// Returns the most urgent request, the oldest among equals, or std::nullopt when the thread
    /// shall stop.
    std::optional<QueuedRequest> next(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        asked_.wait(lock, stop, [this] { return !waiting_.empty(); });
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        const auto at = std::ranges::min_element(waiting_, {}, &QueuedRequest::urgency);
        QueuedRequest question = std::move(*at);
        waiting_.erase(at);
        current_ = {question.asker, question.urgency};
        isDropped_ = isInterrupted_ = false;
        return question;
    }

    PreviewAnswer answerTo(const QueuedRequest& question, const std::stop_token& stop,
                           PreviewCache& cache, bool& isCut) {
        PreviewRequest request = question.request;
        request.isWanted = [&] {
            isCut = isCut || stop.stop_requested() || isDropped_ || isInterrupted_;
            return !isCut;
        };
        request.deliver = [&](const std::shared_ptr<const Preview>& part) {
            deliver(question, {.preview = part});
        };
        try {
            return {.preview = previewFunction_(question.design, cache, request), .isLast = true};
        } catch (const std::exception& error) {
            return {.preview = nullptr, .isLast = true, .failure = QString::fromUtf8(error.what())};
        }
    }

    void deliver(const QueuedRequest& question, PreviewAnswer answer) {
        QMetaObject::invokeMethod(
            &owner_,
            [&owner = owner_, asker = question.asker, number = question.number,
             answer = std::move(answer)] { owner.takeAnswer(asker, number, answer); },
            Qt::QueuedConnection);
    }

    PreviewQueue& owner_;
    PreviewFunction previewFunction_;
    std::mutex mutex_;
    std::condition_variable_any asked_;
    std::vector<QueuedRequest> waiting_; ///< in order of arrival
    std::optional<Current> current_;
    std::atomic<bool> isDropped_ = false;     ///< the answer in progress is no longer needed
    std::atomic<bool> isInterrupted_ = false; ///< the answer in progress is postponed
    std::jthread thread_; ///< last member: stops before the data that it uses are destroyed
};

PreviewQueue::PreviewQueue(PreviewFunction work, QObject* parent)
    : QObject(parent), worker_(std::make_unique<Worker>(*this, std::move(work))) {}

PreviewQueue::~PreviewQueue() = default;

void PreviewQueue::ask(const void* asker, Urgency urgency, Design design, PreviewRequest request,
                       AnswerCallback taken) {
    pendingRequests_[asker] = {++newestNumber_, std::move(taken)};
    worker_->ask({asker, newestNumber_, urgency, std::move(design), std::move(request)});
}

void PreviewQueue::forget(const void* asker) {
    pendingRequests_.erase(asker);
    worker_->forget(asker);
}

void PreviewQueue::takeAnswer(const void* asker, std::uint64_t number,
                              const PreviewAnswer& answer) {
    const auto found = pendingRequests_.find(asker);
    if (found == pendingRequests_.end() || found->second.number != number) {
        return;
    }
    const AnswerCallback taken = found->second.taken; // copied, as the callback may ask again
    if (answer.isLast) {
        pendingRequests_.erase(found);
    }
    taken(answer);
}

} // namespace weft::ui
