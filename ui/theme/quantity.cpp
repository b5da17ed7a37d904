// SPDX-License-Identifier: Apache-2.0
#include "theme/quantity.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <array>
#include <cmath>

namespace weft::ui::quantity {

namespace {

constexpr QChar narrowSpace(0x202F);
constexpr QChar thinSpace(0x2009);
constexpr QChar minus(0x2212);
constexpr QChar times(0x00D7);

QString withSign(QString number) { return number.replace(QLatin1Char('-'), minus); }

/// Formats with three significant digits and without exponent.
QString threeDigits(double value) {
    const double size = std::abs(value);
    const int whole = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    int decimals = std::max(0, 3 - whole);
    // 9.996 becomes 10.0, not 10.00.
    if (decimals > 0 &&
        std::round(size * std::pow(10, decimals)) >= std::pow(10, whole + decimals)) {
        --decimals;
    }
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return withSign(locale.toString(value, 'f', decimals));
}

QString withUnit(const QString& number, const QString& unit) { return number + narrowSpace + unit; }

/// Uses the largest prefix for which the number is at least 1.
QString scaled(double value, const QString& unit) {
    static const std::array prefixes = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    // 999.6 kB becomes 1.00 MB.
    while (std::abs(value) >= 999.5 && step + 1 < prefixes.size()) {
        value /= 1000;
        ++step;
    }
    return withUnit(threeDigits(value), QLatin1String(prefixes[step]) + unit);
}

QString join(const Shape& shape, const QString& between) {
    QStringList sizes;
    for (const std::int64_t size : shape) {
        sizes << QString::number(size);
    }
    return sizes.join(between);
}

} // namespace

QString bytes(double bytes) {
    return std::abs(bytes) < 1000 ? withUnit(withSign(QString::number(static_cast<qint64>(bytes))),
                                             QStringLiteral("B"))
                                  : scaled(bytes, QStringLiteral("B"));
}

QString time(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 90 * 60) {
        const auto minutes = static_cast<qint64>(std::llround(seconds / 60));
        return QCoreApplication::translate("quantity", "%1\u202Fh %2\u202Fmin")
            .arg(minutes / 60)
            .arg(minutes % 60);
    }
    if (size >= 90) {
        const auto whole = static_cast<qint64>(std::llround(seconds));
        return QCoreApplication::translate("quantity", "%1\u202Fmin %2\u202Fs")
            .arg(whole / 60)
            .arg(whole % 60);
    }
    if (size >= 0.9995) {
        return withUnit(threeDigits(seconds), QStringLiteral("s"));
    }
    if (size >= 0.9995e-3) {
        return withUnit(threeDigits(seconds * 1e3), QStringLiteral("ms"));
    }
    return withUnit(threeDigits(seconds * 1e6), QStringLiteral("µs"));
}

QString timeBand(double low, double high) {
    QString from = time(low);
    const QString to = time(high);
    // If both ends have the same unit, writes it once.
    const qsizetype unit = from.indexOf(narrowSpace);
    const bool isOne = from.count(narrowSpace) == 1 && unit >= 0 && to.endsWith(from.mid(unit));
    if (isOne && to.count(narrowSpace) == 1) {
        from.truncate(unit);
    }
    return from + QChar(0x2013) + to;
}

QString predicted(const QString& number) { return QStringLiteral("≈ ") + number; }

QString count(double count) {
    if (std::abs(count) >= 999.5e3) {
        QString text = scaled(count, {});
        return text;
    }
    const auto whole = static_cast<qint64>(std::llround(count));
    QString digits = QString::number(std::abs(whole));
    if (digits.size() > 4) {
        for (qsizetype at = digits.size() - 3; at > 0; at -= 3) {
            digits.insert(at, thinSpace);
        }
    }
    return whole < 0 ? minus + digits : digits;
}

QString counted(double number, const QString& one, const QString& many) {
    return count(number) + QLatin1Char(' ') + (std::llround(number) == 1 ? one : many);
}

QString number(double value, int digits) {
    return withSign(QLocale().toString(value, 'g', digits));
}

QString percent(double share) {
    const double value = share * 100;
    const bool isSmall = std::abs(value) < 9.95;
    QLocale locale;
    return withUnit(withSign(locale.toString(value, 'f', isSmall ? 1 : 0)), QStringLiteral("%"));
}

QString signedPercent(double share) {
    return share > 0 ? QLatin1Char('+') + percent(share) : percent(share);
}

QString rate(double perSecond, const QString& what) {
    return std::abs(perSecond) < 999.5 ? withUnit(threeDigits(perSecond), what + "/s")
                                       : scaled(perSecond, QLatin1Char(' ') + what + "/s");
}

QString flops(double flops) { return scaled(flops, QStringLiteral("FLOP")); }

QString shape(const Shape& shape) { return join(shape, times); }

QString shapeInText(const Shape& shape) { return '[' + join(shape, QStringLiteral(", ")) + ']'; }

QString none() { return QStringLiteral("–"); }

} // namespace weft::ui::quantity
