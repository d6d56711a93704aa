// Conversations on disk: what survives, what ends, what is erased, and what damage does.
#include "services/assistant/dialogue/conversation_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "catalog/storage/record_store.h"
#include "services/assistant/dialogue/conversation_store.h"
#include "tests/services/assistant/full_turn.h"
#include "tests/support/child_process.h"
#include "tests/support/file_size_limit.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ConversationTurn TurnOf(const std::string& question) {
  ConversationTurn turn = testing::FullTurn();
  turn.question = question;
  return turn;
}

class ConversationArchiveTest : public ::testing::Test {
 protected:
  ArchiveOptions Options(const std::string& shop = "shop-a") {
    ArchiveOptions options;
    options.directory = path();
    options.shop = shop;
    options.max_trace_bytes = 4096;
    options.now_unix = [this] { return now_.load(); };
    options.counters = counters_;
    options.on_problem = [this](const absl::Status& problem) {
      const std::lock_guard lock(mutex_);
      problems_.push_back(problem.ToString());
    };
    return options;
  }
  std::string path() const { return directory_.path() + "/conversations"; }
  void Open(const ArchiveOptions& options) {
    archive_.reset();
    auto opened = ConversationArchive::Open(options);
    ASSERT_TRUE(opened.ok()) << opened.status();
    archive_ = *std::move(opened);
  }
  void Open() { Open(Options()); }
  /// Writes as another program, or a fault, would.
  void WriteRaw(const catalog::RecordBatch& batch) {
    archive_.reset();
    auto store = catalog::RecordStore::Open(
        path(), {.identity = {.application = "talk", .content_version = 1},
                 .class_of = [](std::string_view each) -> size_t { return each[0] == 't' ? 1 : 0; },
                 .create_if_missing = true});
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE((*store)->Write(batch).ok());
  }
  void PutRaw(const std::string& key, const std::string& value) {
    catalog::RecordBatch batch;
    batch.Put(key, value);
    WriteRaw(batch);
  }
  bool FilesHold(const std::string& text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path())) {
      if (!entry.is_regular_file()) continue;
      std::ostringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      if (bytes.str().find(text) != std::string::npos) return true;
    }
    return false;
  }
  std::string QuestionOf(const std::string& id) const {
    const auto turns = archive_->Find(id);
    return turns && !turns->empty() ? turns->back().question : "";
  }
  /// A store in front of the archive, as a service has it.
  ConversationStore StoreOver(const ArchiveOptions& options, ConversationLimits limits = {}) {
    archive_.reset();
    auto opened = ConversationArchive::Open(options);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return {limits, [] { return std::chrono::steady_clock::now(); }, *std::move(opened), counters_};
  }

  emptor::testing::TemporaryDirectory directory_;
  std::atomic<int64_t> now_{1700000000};
  std::shared_ptr<ConversationCounters> counters_ = std::make_shared<ConversationCounters>();
  std::mutex mutex_;
  std::vector<std::string> problems_;  // guarded by mutex_
  std::unique_ptr<ConversationArchive> archive_;
};

TEST_F(ConversationArchiveTest, ARestartKeepsTheState) {
  Open();
  archive_->Save("c_1", {TurnOf("old"), TurnOf("new")});
  EXPECT_EQ(QuestionOf("c_1"), "new") << "also before it is written";
  Open();
  const auto turns = archive_->Find("c_1");
  ASSERT_TRUE(turns.has_value());
  ASSERT_THAT(*turns, SizeIs(2));
  EXPECT_EQ((*turns)[0].question, "old");
  EXPECT_EQ((*turns)[1].filter, testing::FullTurn().filter);
  EXPECT_EQ(archive_->Find("c_2"), std::nullopt);
  EXPECT_EQ(counters_->stored, 1);
  archive_.reset();
  EXPECT_EQ(counters_->stored, 0) << "of closed shops nothing is counted";
}

TEST_F(ConversationArchiveTest, AnExpiredOneIsGoneAlsoFromTheFiles) {
  Open();
  archive_->Save("c_old", {TurnOf("qzjxkwvb-old")});
  ASSERT_TRUE(archive_->Flush().ok());
  ASSERT_TRUE(FilesHold("qzjxkwvb-old"));
  now_ += 3600;
  archive_->Save("c_new", {TurnOf("qzjxkwvb-new")});
  now_ += 23 * 3600 + 1;
  EXPECT_EQ(QuestionOf("c_old"), "") << "before any sweep";
  EXPECT_EQ(QuestionOf("c_new"), "qzjxkwvb-new");
  archive_->Sweep();
  ASSERT_TRUE(archive_->Flush().ok());
  EXPECT_FALSE(FilesHold("qzjxkwvb-old"));
  EXPECT_TRUE(FilesHold("qzjxkwvb-new"));
  now_ += 3600;
  Open();
  ASSERT_TRUE(archive_->Flush().ok());
  EXPECT_FALSE(FilesHold("qzjxkwvb-new")) << "swept at the opening";
  EXPECT_EQ(counters_->expired, 2u);
}

TEST_F(ConversationArchiveTest, AnErasedOneIsGoneWithItsTracesAlsoFromTheFiles) {
  Open();
  archive_->Save("c_1", {TurnOf("qzjxkwvb-one")});
  archive_->SaveTrace("c_1", "a_1", "qzjxkwvb-trace");
  archive_->Save("c_12", {TurnOf("qzjxkwvb-two")});
  archive_->SaveTrace("c_12", "a_2", "qzjxkwvb-other");
  archive_->SaveTrace("", "a_3", "of a client that keeps its conversation");
  archive_->SaveTrace("c_gone", "a_4", "of a conversation that was erased meanwhile");
  EXPECT_EQ(archive_->FindTrace("a_4"), std::nullopt);
  ASSERT_TRUE(archive_->Flush().ok());
  ASSERT_TRUE(FilesHold("qzjxkwvb-one") && FilesHold("qzjxkwvb-trace"));
  archive_->Forget("c_1");
  EXPECT_EQ(archive_->Find("c_1"), std::nullopt);
  ASSERT_TRUE(archive_->Flush().ok());
  EXPECT_FALSE(FilesHold("qzjxkwvb-one"));
  EXPECT_FALSE(FilesHold("qzjxkwvb-trace"));
  Open();
  EXPECT_EQ(archive_->Find("c_1"), std::nullopt);
  EXPECT_EQ(archive_->FindTrace("a_1"), std::nullopt);
  EXPECT_EQ(QuestionOf("c_12"), "qzjxkwvb-two");
  EXPECT_EQ(archive_->FindTrace("a_2"), "qzjxkwvb-other");
  EXPECT_TRUE(archive_->FindTrace("a_3").has_value());
  archive_.reset();
  EXPECT_EQ(ConversationArchive::ReadTrace(path(), "a_2").value(), "qzjxkwvb-other");
  EXPECT_EQ(ConversationArchive::ReadTrace(path(), "a_1").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ConversationArchive::ReadTrace(path() + "-none", "a_1").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ConversationArchiveTest, KeepsAnswersWithinTheirBounds) {
  ArchiveOptions options = Options();
  options.max_answers = 3;
  Open(options);
  ConversationHead head;
  head.owner = "ann";
  archive_->SaveAnswer("c_1", 0, {.id = "a_early"});  // it is not stored yet
  archive_->Save("c_1", {TurnOf("one")}, head);
  for (uint32_t i = 0; i < 5; ++i) {
    archive_->SaveAnswer("c_1", i, {.id = "a_" + std::to_string(i), .answered_unix = now_});
  }
  for (const bool restarts : {false, true}) {
    if (restarts) Open(options);
    const auto answers = archive_->FindAnswers("c_1");
    ASSERT_THAT(answers, SizeIs(3));
    EXPECT_EQ(answers[0].id, "a_2");
    EXPECT_EQ(answers[2].id, "a_4");
    EXPECT_THAT(archive_->ListOwned("ann"), SizeIs(1));
    EXPECT_THAT(archive_->ListOwned(""), SizeIs(0));
  }
  options.max_answer_bytes = 1;
  Open(options);
  EXPECT_THAT(archive_->FindAnswers("c_1"), SizeIs(0)) << "the bound on bytes";
  EXPECT_TRUE(archive_->Contains("c_1"));
}

TEST_F(ConversationArchiveTest, AnErasureIsFinishedAfterKill9) {
  Open();
  archive_->Save("c_1", {TurnOf("qzjxkwvb-one")});
  ASSERT_TRUE(archive_->Flush().ok());
  // As a process leaves it that is killed between the write and the rewriting of the files.
  catalog::RecordBatch batch;
  batch.Delete("c/c_1");
  batch.Put("e/", "1");
  WriteRaw(batch);
  ASSERT_TRUE(FilesHold("qzjxkwvb-one"));
  Open();
  ASSERT_TRUE(archive_->Flush().ok());
  EXPECT_FALSE(FilesHold("qzjxkwvb-one"));
  EXPECT_EQ(counters_->dropped, 0u);
}

TEST_F(ConversationArchiveTest, ErasuresAreWrittenAtOnceAndRewrittenTogether) {
  Open();
  archive_->Save("c_1", {TurnOf("qzjxkwvb-one")});
  archive_->Save("c_2", {TurnOf("qzjxkwvb-two")});
  ASSERT_TRUE(archive_->Flush().ok());
  std::atomic<int> written{0};
  for (const char* id : {"c_1", "c_2", "c_unknown"}) {
    archive_->Forget(id, [&](const absl::Status& status) {
      EXPECT_TRUE(status.ok()) << status;
      ++written;
    });
  }
  ASSERT_TRUE(archive_->Flush().ok());
  EXPECT_EQ(written, 3);
  EXPECT_FALSE(FilesHold("qzjxkwvb-one"));
  EXPECT_FALSE(FilesHold("qzjxkwvb-two"));
}

TEST_F(ConversationArchiveTest, DamagedValuesAreDroppedWithAReport) {
  Open();
  archive_->Save("c_good", {TurnOf("good")});
  PutRaw("c/c_bad", "\xff\xff not a message");
  PutRaw("t//a_bad", "\xff\xff");
  PutRaw("unknown", "x");
  Open();
  EXPECT_EQ(archive_->Find("c_bad"), std::nullopt);
  EXPECT_EQ(QuestionOf("c_good"), "good");
  EXPECT_EQ(counters_->dropped, 3u);
  ASSERT_THAT(problems_, SizeIs(1));
  EXPECT_THAT(problems_[0], HasSubstr("dropped 3 values"));
  Open();
  EXPECT_EQ(counters_->dropped, 3u) << "they were deleted";
}

TEST_F(ConversationArchiveTest, AnotherShopsConversationIsNeverOpened) {
  Open(Options("shop-a"));
  archive_->Save("c_1", {TurnOf("of a")});
  Open(Options("shop-b"));
  EXPECT_EQ(archive_->Find("c_1"), std::nullopt);
  EXPECT_EQ(counters_->dropped, 1u);
}

TEST_F(ConversationArchiveTest, ADamagedDatabaseIsBegunAgain) {
  Open();
  archive_->Save("c_1", {TurnOf("lost")});
  archive_.reset();
  std::ofstream(path() + "/SEAL", std::ios::trunc) << "no seal";
  Open();
  EXPECT_EQ(archive_->Find("c_1"), std::nullopt);
  EXPECT_THAT(problems_, SizeIs(1));
  archive_->Save("c_2", {TurnOf("kept")});
  Open();
  EXPECT_EQ(QuestionOf("c_2"), "kept");
}

TEST_F(ConversationArchiveTest, NumberAndBytesAreBounded) {
  ArchiveOptions options = Options();
  options.max_conversations = 2;
  Open(options);
  for (const char* id : {"c_1", "c_2", "c_1", "c_3"}) archive_->Save(id, {TurnOf(id)});
  EXPECT_EQ(archive_->Find("c_2"), std::nullopt) << "the least recently used";
  EXPECT_EQ(QuestionOf("c_1"), "c_1");
  for (int i = 0; i < 10; ++i) {
    archive_->SaveTrace("c_1", "a_" + std::to_string(i), std::string(1000, 'x'));
  }
  EXPECT_EQ(archive_->FindTrace("a_5"), std::nullopt);
  EXPECT_TRUE(archive_->FindTrace("a_9").has_value());
  EXPECT_LE(counters_->trace_bytes, 4096);
  options.max_conversations = 1;
  options.max_trace_bytes = 0;
  Open(options);
  EXPECT_EQ(counters_->stored, 1);
  EXPECT_EQ(counters_->trace_bytes, 0);
}

TEST_F(ConversationArchiveTest, TheStoreReadsBackWhatItNoLongerHolds) {
  ConversationStore store = StoreOver(Options(), {.conversations = 2});
  const auto first = store.Open("");
  const std::string id = first.id;
  ASSERT_TRUE(store.Append(first, TurnOf("first")));
  for (int i = 0; i < 5; ++i) store.Open("");
  EXPECT_EQ(store.size(), 2u);
  const auto back = store.Open(id);
  EXPECT_EQ(back.id, id);
  ASSERT_THAT(back.turns, SizeIs(1));
  EXPECT_EQ(back.turns[0].question, "first");
  EXPECT_EQ(counters_->loaded, 1u);
  ASSERT_TRUE(store.Erase(id).ok());
  EXPECT_FALSE(store.Append(back, TurnOf("late"))) << "an answer that was under way";
  const auto fresh = store.Open(id);
  EXPECT_NE(fresh.id, id);
  EXPECT_THAT(fresh.turns, IsEmpty());
}

TEST_F(ConversationArchiveTest, AFullDiskPasses) {
  Open();
  archive_->Save("c_1", {TurnOf("before")});
  ASSERT_TRUE(archive_->Flush().ok());
  {
    emptor::testing::FileSizeLimit disk;
    ASSERT_TRUE(disk.Set(1));
    archive_->Save("c_1", {TurnOf("lost")});
    EXPECT_EQ(archive_->Flush().code(), absl::StatusCode::kResourceExhausted);
    archive_->Save("c_2", {TurnOf("lost, too")});
    EXPECT_FALSE(archive_->Flush().ok());
  }
  EXPECT_EQ(counters_->failed_writes, 2u);
  EXPECT_THAT(problems_, SizeIs(1)) << "one report until a write succeeds";
  archive_->Save("c_1", {TurnOf("after")});
  EXPECT_TRUE(archive_->Flush().ok());
  Open();
  EXPECT_EQ(QuestionOf("c_1"), "after");
}

TEST_F(ConversationArchiveTest, ManyThreadsSaveFindAndForget) {
  Open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string id = "c_" + std::to_string(t) + "_" + std::to_string(i % 10);
        archive_->Save(id, {TurnOf(id)});
        archive_->SaveTrace(id, "a_" + id, id);
        const auto found = archive_->Find(id);
        EXPECT_TRUE(found && found->back().question == id);
        if (i % 10 == 9) archive_->Forget(id);
        if (i % 25 == 24) {
          EXPECT_TRUE(archive_->Flush().ok());
        }
        archive_->Find("c_0_0");
        archive_->FindTrace("a_c_0_0");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Open();
  EXPECT_EQ(counters_->stored, 36);
  EXPECT_EQ(archive_->Find("c_2_9"), std::nullopt);
  EXPECT_EQ(QuestionOf("c_2_8"), "c_2_8");
}

TEST_F(ConversationArchiveTest, KeepsOneOwner) {
  Open();
  EXPECT_EQ(ConversationArchive::Open(Options()).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace emptor::services
