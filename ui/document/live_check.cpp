// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/live_check.h"

#include <QElapsedTimer>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace weft::ui {

/// The thread, and the one question that waits for it.
class LiveCheck::Worker {
public:
    struct Question {
        Design design;
        std::uint64_t revision = 0;
        MachineSheet machine;
    };

    explicit Worker(LiveCheck& owner)
        : thread_([this, &owner](const std::stop_token& stop) { work(owner, stop); }) {}

    void ask(Question question) {
        const std::scoped_lock lock(mutex_);
        waiting_ = std::move(question);
        asked_.notify_one();
    }

private:
    void work(LiveCheck& owner, const std::stop_token& stop) {
        PreviewCache cache;
        while (true) {
            std::unique_lock lock(mutex_);
            if (!asked_.wait(lock, stop, [this] { return waiting_.has_value(); })) {
                return;
            }
            const Question question = std::move(*waiting_);
            waiting_.reset();
            lock.unlock();
            QElapsedTimer clock;
            clock.start();
            auto answer = std::make_shared<CheckedDesign>();
            answer->revision = question.revision;
            answer->preview = preview(question.design, cache, {.machine = question.machine});
            answer->milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            QMetaObject::invokeMethod(
                &owner, [&owner, answer] { owner.take(answer); }, Qt::QueuedConnection);
        }
    }

    std::mutex mutex_;
    std::condition_variable_any asked_;
    std::optional<Question> waiting_;
    std::jthread thread_; ///< last: ends before what it uses
};

LiveCheck::LiveCheck(DesignDocument& document, QObject* parent)
    : QObject(parent),
      document_(document),
      answer_(std::make_shared<CheckedDesign>()),
      worker_(std::make_unique<Worker>(*this)) {
    connect(&document, &DesignDocument::changed, this, [this](const DesignChange& change) {
        if (!change.isOnlyAppearance) {
            ask();
        }
    });
    ask();
}

LiveCheck::~LiveCheck() = default;

bool LiveCheck::isCurrent() const { return answer_->revision >= needed_; }

void LiveCheck::setMachine(MachineSheet machine) {
    machine_ = std::move(machine);
    ask();
}

void LiveCheck::ask() {
    needed_ = document_.revision();
    worker_->ask({document_.design(), document_.revision(), machine_});
}

void LiveCheck::take(std::shared_ptr<const CheckedDesign> answer) {
    answer_ = std::move(answer);
    emit checked();
}

} // namespace weft::ui
