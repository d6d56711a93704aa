// When the search of a shop is saved.
#include "services/shop/index_saver.h"

#include <gtest/gtest.h>

#include <atomic>

namespace emptor::services {
namespace {

using namespace std::chrono_literals;

constexpr SaveLimits kLimits = {.job_changes = 10,
                                .job_share = 0.1,
                                .many_changes = 1000,
                                .many_share = 0.5,
                                .longest_unsaved = 300s,
                                .rest_factor = 20};
const SaveView::Time kStart{1000s};

TEST(PlanSaveTest, DecidesByWhatHasChangedSince) {
  struct Case {
    const char* name;
    size_t records, changes;
    bool job_ended;
    std::optional<std::chrono::seconds> due;  // after the first change
  };
  const Case cases[] = {
      {"nothing changed", 100, 0, true, std::nullopt},
      {"a change", 100, 1, false, 300s},
      {"a job of few rows", 100, 9, true, 300s},
      {"a job of a small share", 1000, 50, true, 300s},
      {"a job", 100, 10, true, 0s},
      {"a job that runs", 100, 999, false, 300s},
      {"a job that runs and has written much", 2000, 1000, false, 0s},
      {"much, but a small share", 2001, 1000, false, 300s},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    SaveView view;
    view.records = each.records;
    view.changes = each.changes;
    view.job_ended = each.job_ended;
    view.first_change = kStart;
    const auto due = PlanSave(kLimits, view);
    ASSERT_EQ(due.has_value(), each.due.has_value());
    if (due) {
      EXPECT_EQ(*due - kStart, *each.due);
    }
  }
}

TEST(PlanSaveTest, RestsAsLongAsItTookManyTimesOver) {
  SaveView view;
  view.records = 100;
  view.changes = 50;
  view.job_ended = true;
  view.first_change = kStart;
  view.last_end = kStart - 10s;
  view.last_took = 2s;
  EXPECT_EQ(*PlanSave(kLimits, view), kStart + 30s);
  view.last_took = 100ms;
  EXPECT_EQ(*PlanSave(kLimits, view), kStart);
  view.last_failed = true;
  EXPECT_EQ(*PlanSave(kLimits, view), kStart + 290s);
}

TEST(IndexSaverTest, SavesOnceAJobHasEnded) {
  std::atomic<int> saves = 0;
  SaveLimits limits = kLimits;
  limits.rest_factor = 0;
  IndexSaver saver(limits, [&saves] {
    ++saves;
    return absl::OkStatus();
  });
  saver.NoteJobEnd();
  saver.WaitUntilIdle();
  EXPECT_EQ(saves, 0);
  saver.NoteChanges(20, 100);
  saver.WaitUntilIdle();
  EXPECT_EQ(saves, 0);
  saver.NoteJobEnd();
  saver.WaitUntilIdle();
  EXPECT_EQ(saves, 1);
  saver.NoteJobEnd();
  saver.WaitUntilIdle();
  EXPECT_EQ(saves, 1);
  saver.Stop();
  saver.NoteChanges(5000, 5000);
  EXPECT_EQ(saves, 1);
}

TEST(IndexSaverTest, AFailureIsTriedAgainLater) {
  std::atomic<int> saves = 0;
  SaveLimits limits = kLimits;
  limits.longest_unsaved = 0s;
  limits.rest_factor = 0;
  IndexSaver saver(
      limits, [&saves] { return ++saves < 3 ? absl::UnavailableError("no") : absl::OkStatus(); });
  saver.NoteChanges(1, 100);
  saver.WaitUntilIdle();
  EXPECT_EQ(saves, 3);
}

TEST(IndexSaverTest, WaitsForTheSaveThatRuns) {
  std::atomic<bool> begun = false, ended = false;
  SaveLimits limits = kLimits;
  limits.longest_unsaved = 0s;
  {
    IndexSaver saver(limits, [&] {
      begun = true;
      begun.notify_all();
      ended = true;
      return absl::OkStatus();
    });
    saver.NoteChanges(1, 1);
    begun.wait(false);
  }
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace emptor::services
