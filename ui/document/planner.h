// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the previews that a window asks for, one after the other on one thread, with one memory of
// what was worked out. Of one asker the newest question counts alone; a more urgent question
// interrupts a less urgent one, which is then answered from its start. Lives on the GUI thread.

#include <weft/preview.h>

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <memory>

namespace weft::ui {

struct PlannerAnswer {
    std::shared_ptr<const Preview> preview; ///< as far as it is; nullptr: it could not be made
    bool isLast = false;
    QString failure = {}; ///< why it could not be made
};

class Planner : public QObject {
    Q_OBJECT

public:
    /// What comes first: the check of what is being edited.
    enum class Urgency : std::uint8_t { check, choice, prediction };
    using Taken = std::function<void(const PlannerAnswer&)>;
    using Work = std::function<std::shared_ptr<const Preview>(const Design&, PreviewCache&,
                                                              const PreviewRequest&)>;

    explicit Planner(QObject* parent = nullptr) : Planner(preview, parent) {}
    /// With work of a test's own.
    explicit Planner(Work work, QObject* parent = nullptr);
    ~Planner() override;

    /// `taken` hears of each part, and of an interrupted answer's again, until the asker asks anew
    /// or is forgotten. The request's own `isWanted` and `deliver` are not heard.
    void ask(const void* asker, Urgency urgency, Design design, PreviewRequest request,
             Taken taken);
    /// Before the asker goes, or when it wants no answer any more.
    void forget(const void* asker);

private:
    struct Question;
    class Worker;
    struct Asked {
        std::uint64_t number = 0;
        Taken taken;
    };
    void take(const void* asker, std::uint64_t number, const PlannerAnswer& answer);

    std::map<const void*, Asked> asked_;
    std::uint64_t number_ = 0; ///< of the newest question
    std::unique_ptr<Worker> worker_;
};

} // namespace weft::ui
