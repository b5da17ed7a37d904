// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions of a program made up for tst_uncalled: the names say which of them it calls.

namespace weft::madeup {

int calledByMain();
int calledByCalled();
int calledThroughAPointer();
int calledByNobody();
int calledByUncalled();

class Shape {
public:
    virtual ~Shape();
    [[nodiscard]] virtual int corners() const = 0;
};

class Triangle final : public Shape {
public:
    explicit Triangle(int size);
    [[nodiscard]] int corners() const override; // a table of virtual functions leads to it
    [[nodiscard]] int sizeCalledByNobody() const;

private:
    int size_;
};

class NeverMade final : public Shape {
public:
    NeverMade();
    [[nodiscard]] int corners() const override;
};

} // namespace weft::madeup
