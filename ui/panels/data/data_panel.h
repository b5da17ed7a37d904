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
    explicit DataPanel(WindowContext& context, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    class BatchRuler;
    struct SourceReading;
    struct Measurement;
    static SourceReading readSource(const SampleRequest& request);
    static Measurement measureSource(const SampleRequest& request, std::int64_t examples);

    AttributeField* makeSource();
    void layOutRows();
    QLabel* addHeading(const QString& title, int at);
    void setDesignSource(const std::string& source);
    void restartReading();
    void requestReading(); ///< reads on another thread
    void takeReading(const SourceReading& found);
    void measure(); ///< measures fewer examples than `normalise`, to be ready soon
    void showMeasurement(const Measurement& found);
    void normalise(); ///< measures many examples and then sets mean and std of the source
    [[nodiscard]] SampleRequest request() const;
    void showSource();
    /// Returns the problem that the file picker fixes.
    [[nodiscard]] std::optional<Diagnostic> missingFileProblem() const;
    void showFix();
    void showFeeds();
    void showBatch();
    void restoreTabOrder(); ///< restores the tab order after rows were created

    AttributeField* source_;
    QLabel* help_;
    SourceRows* fileRows_;
    QLabel* readingLabel_;   ///< the result, or the reason of a failure
    QToolButton* fixButton_; ///< opens the file picker for a missing file
    SampleStrip* samples_;
    QLabel* measurementLabel_;
    QToolButton* normaliseButton_;
    QLabel* feedsHeading_ = nullptr;
    FeedRows* feeds_;
    QLabel* otherHeading_ = nullptr;
    SourceRows* otherRows_;
    BatchRuler* batchRuler_;
    QList<QWidget*> tabOrder_; ///< for comparison only; the widgets may be destroyed
    QTimer readDelay_;         ///< delays reading while the user types
    DataSettings requestedSettings_;
    QString requestedFolder_;
    int requestNumber_ = 0;                   ///< number of the newest request
    std::optional<SampleSource> knownSource_; ///< the newest answer for this kind of source
};

} // namespace weft::ui
