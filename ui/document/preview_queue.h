// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes the previews of a window one after another on one thread with a shared cache. A new
// request replaces the earlier one of the same asker. A more urgent request interrupts a less
// urgent one, which later starts again. Lives on the GUI thread.

#include <weft/preview.h>

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>

namespace weft::ui {

struct PreviewAnswer {
    std::shared_ptr<const Preview> preview; ///< the parts so far; nullptr: failed
    bool isLast = false;                    ///< no further part follows
    QString failure = {};                   ///< the reason of a failure
};

class PreviewQueue : public QObject {
    Q_OBJECT

public:
    /// Priorities, highest first: the check of the edited design.
    enum class Urgency : std::uint8_t { check, choice, prediction };  ///< highest first
    using AnswerCallback = std::function<void(const PreviewAnswer&)>; ///< called for each part
    using PreviewFunction = std::function<std::shared_ptr<const Preview>(
        const Design&, PreviewCache&, const PreviewRequest&)>;

    explicit PreviewQueue(QObject* parent = nullptr) : PreviewQueue(preview, parent) {}
    /// Replaces the preview function in tests.
    explicit PreviewQueue(PreviewFunction work, QObject* parent = nullptr);
    ~PreviewQueue() override;

    /// Calls `taken` for each part of the answer, and again if the request was interrupted, until
    /// the asker asks again or is forgotten. Ignores the request's own `isWanted` and `deliver`.
    void ask(const void* asker, Urgency urgency, Design design, PreviewRequest request,
             AnswerCallback taken);
    /// Cancels the asker's request; must be called before the asker is destroyed.
    void forget(const void* asker); ///< cancels the asker's request

private:
    struct QueuedRequest; ///< a design to preview, with its asker and urgency
    class Worker;         ///< thread with the queue of requests
    struct PendingRequest {
        std::uint64_t number = 0; ///< number of the request, to detect outdated answers
        AnswerCallback taken;     ///< called for each part
    };
    void takeAnswer(const void* asker, std::uint64_t number, const PreviewAnswer& answer);

    std::map<const void*, PendingRequest> pendingRequests_; ///< by asker
    std::uint64_t newestNumber_ = 0;                        ///< number of the newest request
    std::unique_ptr<Worker> worker_;                        ///< thread with the queue
};

} // namespace weft::ui
