// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel for the data: the source with its attributes, some examples, its classes and values, the
// inputs that its fields feed, batch size, held-out part, and how a batch is divided over the
// devices.

#include "workspace/setting_form.h"
#include <weft/samples.h>

#include <QTimer>

class QLabel;
class QToolButton;

namespace weft::ui {

class FeedRows;
class SampleStrip;
class SourceRows;

class DataPanel : public SettingForm {
    Q_OBJECT

public:
    explicit DataPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    class BatchRuler;
    struct LookedAt;
    struct Measured;
    static LookedAt lookAt(const SampleRequest& request);
    static Measured measured(const SampleRequest& request, std::int64_t examples);

    AttributeField* makeSource();
    void lay();
    QLabel* addHead(const QString& title, int at);
    void setSourceOfDesign(const std::string& source);
    void follow();
    void read();
    void take(const LookedAt& found);
    /// Measures fewer examples than `normalise`, to be ready soon.
    void measure();
    void showFigures(const Measured& found);
    /// Measures many examples and then sets mean and std of the source.
    void normalise();
    [[nodiscard]] SampleRequest request() const;
    void showSource();
    /// Returns the problem that the file picker fixes.
    [[nodiscard]] std::optional<Diagnostic> asking() const;
    void showFix();
    void showFeeds();
    void showBatch();
    /// Restores the tab order after rows were created.
    void orderKeys();

    AttributeField* source_;
    QLabel* help_;
    SourceRows* places_;
    QLabel* words_;    ///< the result, or the reason of a failure
    QToolButton* fix_; ///< opens the file picker for a missing file
    SampleStrip* samples_;
    QLabel* figures_;
    QToolButton* normalise_;
    QLabel* feedsHead_ = nullptr;
    FeedRows* feeds_;
    QLabel* restHead_ = nullptr;
    SourceRows* rest_;
    BatchRuler* ruler_;
    QList<QWidget*> ordered_; ///< for comparison only; the widgets may be destroyed
    QTimer soon_;             ///< delays reading while the user types
    DataSettings asked_;
    QString askedIn_;
    int number_ = 0;                    ///< number of the newest request
    std::optional<SampleSource> known_; ///< the newest answer for this kind of source
};

} // namespace weft::ui
