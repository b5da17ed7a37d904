// SPDX-License-Identifier: Apache-2.0
#include "base/text/expression.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <variant>
#include <vector>

namespace weft {

namespace {

using Number = std::variant<std::int64_t, double>;

double asReal(const Number& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// An evaluation error, thrown and caught within this file only.
struct Fault {
    std::string problem;
    std::size_t position;
};

/// sum: product (+ - product)*; product: sign (* / sign)*; sign: - sign | atom; atom: number | name
/// | ( sum )
class Reader {
public:
    Reader(std::string_view text, const Attributes& parameters)
        : text_(text), parameters_(parameters) {}

    AttributeValue whole() {
        AttributeValue value;
        if (skipBlanks(), peek() == '[') {
            value = list();
        } else {
            value = std::visit([](auto number) { return AttributeValue(number); }, sum());
        }
        skipBlanks();
        if (at_ < text_.size()) {
            fail(fmt::format("'{}' is not expected here", text_[at_]));
        }
        return value;
    }

private:
    [[noreturn]] void fail(std::string problem) const { throw Fault{std::move(problem), at_}; }

    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            ++at_;
        }
    }

    bool takes(char c) {
        skipBlanks();
        if (peek() != c) {
            return false;
        }
        ++at_;
        return true;
    }

    AttributeValue list() {
        std::vector<Number> numbers;
        takes('[');
        if (!takes(']')) {
            do {
                numbers.push_back(sum());
            } while (takes(','));
            if (!takes(']')) {
                fail("a ']' is missing");
            }
        }
        std::vector<std::int64_t> integers;
        std::vector<double> reals;
        for (const Number& number : numbers) {
            if (const auto* integer = std::get_if<std::int64_t>(&number)) {
                integers.push_back(*integer);
            }
            reals.push_back(asReal(number));
        }
        if (integers.size() == reals.size()) {
            return integers;
        }
        return reals;
    }

    Number sum() {
        Number left = product();
        while (true) {
            skipBlanks();
            const std::size_t at = at_;
            if (takes('+')) {
                left = apply('+', left, product(), at);
            } else if (takes('-')) {
                left = apply('-', left, product(), at);
            } else {
                return left;
            }
        }
    }

    Number product() {
        Number left = sign();
        while (true) {
            skipBlanks();
            const std::size_t at = at_;
            if (takes('*')) {
                left = apply('*', left, sign(), at);
            } else if (takes('/')) {
                left = apply('/', left, sign(), at);
            } else {
                return left;
            }
        }
    }

    Number sign() {
        bool isNegative = false;
        std::size_t at = at_;
        while (takes('-')) {
            isNegative = !isNegative;
            at = at_;
        }
        const Number value = atom();
        return isNegative ? apply('-', std::int64_t{0}, value, at) : value;
    }

    Number atom() {
        skipBlanks();
        const char c = peek();
        if (isDigit(c) || c == '.') {
            return number();
        }
        if (isLetter(c)) {
            return parameter();
        }
        if (!takes('(')) {
            fail(at_ == text_.size() ? "the expression ends too early"
                                     : fmt::format("'{}' is not expected here", c));
        }
        if (++depth_ > 100) {
            fail("parentheses are nested more than 100 deep");
        }
        const Number value = sum();
        --depth_;
        if (!takes(')')) {
            fail("a ')' is missing");
        }
        return value;
    }

    Number number() {
        const char* begin = text_.data() + at_;
        const char* end = text_.data() + text_.size();
        double real = 0;
        const auto [realEnd, realFault] = std::from_chars(begin, end, real);
        if (realFault == std::errc::result_out_of_range) {
            fail("the number is too large or too small");
        }
        if (realFault != std::errc()) {
            fail("the text is not a number");
        }
        std::int64_t integer = 0;
        const auto [integerEnd, integerFault] = std::from_chars(begin, end, integer);
        at_ += static_cast<std::size_t>(realEnd - begin);
        if (integerFault == std::errc() && integerEnd == realEnd) {
            return integer;
        }
        return real;
    }

    Number parameter() {
        const std::size_t begin = at_;
        while (isLetter(peek()) || isDigit(peek())) {
            ++at_;
        }
        const std::string_view name = text_.substr(begin, at_ - begin);
        const AttributeValue* value = parameters_.find(name);
        if (value == nullptr) {
            throw Fault{fmt::format("there is no parameter '{}'", name), begin};
        }
        if (const auto* integer = std::get_if<std::int64_t>(value)) {
            return *integer;
        }
        if (const auto* real = std::get_if<double>(value)) {
            return *real;
        }
        throw Fault{fmt::format("the parameter '{}' is not a number", name), begin};
    }

    static Number apply(char op, const Number& left, const Number& right, std::size_t at) {
        const auto* a = std::get_if<std::int64_t>(&left);
        const auto* b = std::get_if<std::int64_t>(&right);
        if (op == '/' && asReal(right) == 0) {
            throw Fault{"division by zero", at};
        }
        if (a != nullptr && b != nullptr) {
            std::int64_t result = 0;
            bool overflows = false;
            switch (op) {
            case '+': overflows = __builtin_add_overflow(*a, *b, &result); break;
            case '-': overflows = __builtin_sub_overflow(*a, *b, &result); break;
            case '*': overflows = __builtin_mul_overflow(*a, *b, &result); break;
            default:
                overflows = *b == -1 && __builtin_sub_overflow(std::int64_t{0}, *a, &result);
                if (*b != -1) {
                    if (*a % *b != 0) {
                        return static_cast<double>(*a) / static_cast<double>(*b);
                    }
                    result = *a / *b;
                }
            }
            if (overflows) {
                throw Fault{"the result is too large for a whole number", at};
            }
            return result;
        }
        const double x = asReal(left);
        const double y = asReal(right);
        const double result = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
        if (!std::isfinite(result)) {
            throw Fault{"the result is too large", at};
        }
        return result;
    }

    std::string_view text_;
    const Attributes& parameters_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace

Evaluation evaluate(std::string_view text, const Attributes& parameters) {
    try {
        return {Reader(text, parameters).whole(), {}, 0};
    } catch (Fault& fault) {
        return {std::nullopt, std::move(fault.problem), fault.position};
    }
}

} // namespace weft
