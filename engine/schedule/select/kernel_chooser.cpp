// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/kernel_chooser.h"

#include "device/repeat_body.h"
#include "device/staged.h"

#include <type_traits>
#include <utility>

namespace weft {

namespace {

/// Limit of the cache.
constexpr std::size_t mostAnswers = 20'000;

/// A byte string that identifies the request, apart from the chip.
class RequestKey {
public:
    std::string of(const KernelRequest& request) {
        add(request);
        return std::move(key_);
    }

private:
    template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    void add(Number number) { key_.append(reinterpret_cast<const char*>(&number), sizeof number); }
    void add(const std::string& text) {
        add(text.size());
        key_ += text;
    }
    template <class Number>
    void add(const std::vector<Number>& numbers) {
        add(numbers.size());
        for (const Number& number : numbers) {
            add(number);
        }
    }
    void add(const InPlacePair& pair) {
        add(pair.input);
        add(pair.output);
    }
    void add(const Attributes& attributes) {
        add(attributes.entries().size());
        for (const auto& [name, value] : attributes.entries()) {
            add(name);
            add(value.index());
            std::visit([this](const auto& held) { add(held); }, value);
        }
    }
    void add(const TensorPart& part) {
        add(part.dtype);
        add(part.shape);
        add(part.begin);
        add(part.whole);
        add(part.format.tag);
    }
    void add(const RepeatBody& body) {
        add(body.values);
        add(body.operands);
        add(body.results);
        add(body.members);
        add(body.reads);
        add(body.writes);
        add(body.keys);
    }
    void add(const KernelRequest& request) {
        add(request.op);
        add(request.attributes);
        add(request.inputs);
        add(request.outputs);
        add(request.cores);
        add(request.scratchLimit.count);
        add(request.randomKey);
        add(request.mayChooseFormats);
        add(request.inPlace);
        add(request.body != nullptr);
        if (request.body) {
            add(request.body->members);
            add(request.body->reads);
            add(request.body->writes);
        }
        add(request.repeat != nullptr);
        if (request.repeat) {
            add(*request.repeat); // its form is in the attributes
        }
    }

    std::string key_;
};

} // namespace

KernelChoiceCache::Answers& KernelChoiceCache::answersOf(const KernelList& makers, bool isHere,
                                                         const ChipKind& chip) {
    Answers& answers = answersByKey_[{&makers, isHere, chip.generation, chip.library,
                                      chip.plans ? *chip.plans : PlansByName{}}];
    if (answers.size() > mostAnswers) {
        answers.clear();
    }
    return answers;
}

KernelChooser::KernelChooser(const Backend& backend, const KernelList& lastResort,
                             KernelChoiceCache* memory, Precision precision, bool isHere,
                             ChipKind chip)
    : backend_(backend),
      lastResort_(lastResort),
      lists_{&backend.kernels, &lastResort},
      isHere_(isHere),
      chip_(std::move(chip)) {
    if (const auto makers = backend.rounding.find(precision); makers != backend.rounding.end()) {
        lists_.insert(lists_.begin(), &makers->second);
        rounding_ = &*makers;
    }
    cachedAnswers_ =
        memory == nullptr ? nullptr : &memory->answersOf(*lists_.front(), isHere, chip_);
}

KernelChoiceCache::Answer KernelChooser::ask(KernelRequest request, const Suits& suits,
                                             const ChipKind& chip) const {
    KernelChoiceCache::Answer answer;
    request.chip = chip;
    const bool isElsewhere = backend_.space != MemorySpace::host;
    for (const KernelList* list : lists_) {
        for (const KernelMaker& maker :
             request.repeat ? list->ownOf(request.op) : list->of(request.op)) {
            if (std::string lacks = isHere_ && maker.lacks ? maker.lacks() : ""; !lacks.empty()) {
                answer.refusals.push_back({maker.implementation, std::move(lacks)});
                continue;
            }
            ChoiceOrRefusal said = maker.choose(request);
            if (!said) {
                answer.refusals.push_back({maker.implementation, said.error().reason});
                continue;
            }
            said->precision = rounding_ != nullptr && list == &rounding_->second ? rounding_->first
                                                                                 : Precision::exact;
            if (isElsewhere && list == &lastResort_) {
                *said = staged(std::move(*said), request);
            }
            if (!suits || suits(*said)) {
                answer.choice = std::make_shared<const KernelChoice>(std::move(*said));
                return answer;
            }
        }
    }
    return answer;
}

std::shared_ptr<const KernelChoice> KernelChooser::choose(const KernelRequest& request,
                                                          const Refused& refused) const {
    KernelChoiceCache::Answer own;
    const KernelChoiceCache::Answer* answer = &own;
    if (cachedAnswers_ == nullptr) {
        own = ask(request, {}, chip_);
    } else {
        const auto [at, isNew] = cachedAnswers_->try_emplace(RequestKey().of(request));
        if (isNew) {
            at->second = ask(request, {}, chip_);
        }
        answer = &at->second;
    }
    for (const Refusal& why : answer->refusals) {
        refused ? refused(why) : void();
    }
    return answer->choice;
}

std::shared_ptr<const KernelChoice> KernelChooser::chooseSuitable(const KernelRequest& request,
                                                                  const Suits& suits) const {
    auto choice = ask(request, suits, chip_).choice;
    if (choice == nullptr && chip_.plans != nullptr) {
        choice = ask(request, suits, {chip_.generation, chip_.library}).choice;
    }
    return choice;
}

} // namespace weft
