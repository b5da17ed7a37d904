// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/design_estimate.h"

#include "document/latest.h"

#include <thread>

namespace weft::ui {

class DesignEstimate::Worker {
public:
    struct Question {
        int number = 0;
        Design design;
        EstimateRequest request;
    };

    explicit Worker(DesignEstimate& owner)
        : thread_([this, &owner](const std::stop_token& stop) { work(owner, stop); }) {}

    void ask(Question question) { asked_.put(std::move(question)); }

private:
    void work(DesignEstimate& owner, const std::stop_token& stop) {
        while (const auto question = asked_.take(stop)) {
            std::shared_ptr<const Estimate> made;
            QString failure;
            try {
                made =
                    std::make_shared<const Estimate>(estimate(question->design, question->request));
            } catch (const std::exception& error) {
                failure = QString::fromUtf8(error.what());
            }
            QMetaObject::invokeMethod(
                &owner,
                [&owner, number = question->number, made, failure] {
                    owner.take(number, made, failure);
                },
                Qt::QueuedConnection);
        }
    }

    Latest<Question> asked_;
    std::jthread thread_; ///< last: ends before what it uses
};

DesignEstimate::DesignEstimate(QObject* parent) : QObject(parent) {}

DesignEstimate::~DesignEstimate() = default;

void DesignEstimate::ask(const Design& design, const EstimateRequest& request) {
    if (!worker_) {
        worker_ = std::make_unique<Worker>(*this);
    }
    worker_->ask({++asked_, design, request});
}

void DesignEstimate::take(int number, std::shared_ptr<const Estimate> answer,
                          const QString& failure) {
    answered_ = number;
    answer_ = std::move(answer);
    failure_ = failure;
    Q_EMIT answered();
}

} // namespace weft::ui
