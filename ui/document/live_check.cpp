// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/live_check.h"

#include "document/latest.h"

#include <QElapsedTimer>
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

    void ask(Question question) { asked_.put(std::move(question)); }

private:
    void work(LiveCheck& owner, const std::stop_token& stop) {
        PreviewCache cache;
        while (const auto question = asked_.take(stop)) {
            QElapsedTimer clock;
            clock.start();
            auto answer = std::make_shared<CheckedDesign>();
            answer->revision = question->revision;
            answer->preview = preview(question->design, cache, {.machine = question->machine});
            answer->milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            QMetaObject::invokeMethod(
                &owner, [&owner, answer] { owner.take(answer); }, Qt::QueuedConnection);
        }
    }

    Latest<Question> asked_;
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
