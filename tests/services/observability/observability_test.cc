// One JSON object a line whatever the input; metrics by their names.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/observability/access_log.h"
#include "services/observability/log.h"
#include "services/observability/metrics.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LogTest, WritesOneObjectALineWhateverTheText) {
  for (const std::string& text :
       {std::string("a\nb\r\nc"), std::string("\"}\n{\"x\":1"), std::string("\x1b[31mred"),
        std::string("\xff\xfe"), std::string("a\0b", 3), std::string(100000, 'x')}) {
    const std::string line = FormatLogLine("t", LogLevel::kInfo, "e", {{"text", text}});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_LT(line.size(), 4096u);
    EXPECT_TRUE(catalog::ParseJson(line).ok()) << line;
  }
}

TEST(LogTest, SpdlogWritesNothingToStandardOutput) {
  KeepStandardOutputClean();
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  spdlog::warn("the index is rebuilt");
  spdlog::default_logger()->flush();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("the index is rebuilt"));
}

// A pipe that is full and that nobody reads, in place of standard error.
class UnreadStandardError {
 public:
  UnreadStandardError() : before_(dup(STDERR_FILENO)) {
    if (pipe(pipe_) != 0) throw std::runtime_error("pipe");
    const int flags = fcntl(pipe_[1], F_GETFL);
    fcntl(pipe_[1], F_SETFL, flags | O_NONBLOCK);
    const std::string block(4096, 'x');
    while (write(pipe_[1], block.data(), block.size()) > 0) {
    }
    fcntl(pipe_[1], F_SETFL, flags);
    dup2(pipe_[1], STDERR_FILENO);
  }
  ~UnreadStandardError() { Close(); }
  /// From now on a thread reads.
  void StartReading() {
    reader_ = std::jthread([this] {
      char buffer[4096];
      for (ssize_t n; (n = read(pipe_[0], buffer, sizeof buffer)) > 0;) {
        text_.append(buffer, static_cast<size_t>(n));
      }
    });
  }
  /// What was written. Nobody writes to the pipe any more.
  std::string Close() {
    if (pipe_[1] < 0) return text_;
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(std::exchange(pipe_[1], -1));
    if (reader_.joinable()) reader_.join();
    close(pipe_[0]);
    return text_;
  }

 private:
  int before_;
  int pipe_[2];
  std::string text_;
  std::jthread reader_;
};

TEST(QueuedLogTest, AReaderThatHangsDelaysNobody) {
  UnreadStandardError unread;
  {
    const QueuedLog log;
    for (int i = 0; i < 20000; ++i) {
      Log(LogLevel::kInfo, "answer", {{"number", int64_t{i}}});
      spdlog::warn("of a library {}", i);
    }
    Log(LogLevel::kInfo, "last", {});
    unread.StartReading();  // else what is queued could not be written
  }
  const std::string text = unread.Close();
  EXPECT_THAT(text, HasSubstr("\"event\":\"last\""));
  EXPECT_THAT(text, Not(HasSubstr("\"number\":100}"))) << "the oldest are dropped";
  EXPECT_THAT(text, HasSubstr("\"number\":19999}"));
}

TEST(LogTest, WritesEachKindOfValue) {
  EXPECT_EQ(FormatLogLine("t", LogLevel::kWarning, "e",
                          {{"a", int64_t{1}}, {"b", true}, {"c", 0.5}, {"d", std::string("x")}}),
            R"({"ts":"t","level":"warning","event":"e","a":1,"b":true,"c":0.5,"d":"x"})");
}

TEST(AccessLogTest, WritesWhatHappenedAndNoMoreThanThat) {
  AccessRecord record;
  record.method = "POST";
  record.path = "/v1/assist";
  record.request_id = "0123456789abcdef";
  record.peer = "127.0.0.1";
  record.shop = "tools";
  record.user_agent = "curl/7.88";
  record.status = 200;
  record.bytes = 5120;
  record.seconds = 0.5;
  record.is_stream = true;
  record.end = StreamEnd::kShutdown;
  EXPECT_EQ(FormatAccessLine("t", record),
            R"({"ts":"t","level":"info","event":"request","method":"POST","path":"/v1/assist",)"
            R"("status":200,"bytes":5120,"seconds":0.5,"request_id":"0123456789abcdef",)"
            R"("peer":"127.0.0.1","shop":"tools","user_agent":"curl/7.88","stream":true,)"
            R"("end":"shutdown"})");
  EXPECT_EQ(FormatAccessLine("t", {}),
            R"({"ts":"t","level":"info","event":"request","method":"","path":"","status":0,)"
            R"("bytes":0,"seconds":0,"request_id":"","peer":"","end":"finished"})");
}

TEST(AccessLogTest, OddBytesStayInOneLine) {
  AccessRecord record;
  record.path = "/p/a\nb \xff\"%";
  record.user_agent = "x\x01\xc3\xa9\"";
  record.shop = "\x7f";
  const std::string line = FormatAccessLine("t", record);
  EXPECT_THAT(line, HasSubstr(R"("path":"/p/a%0Ab%20%FF\"%")"));
  EXPECT_THAT(line, HasSubstr(R"("shop":"?","user_agent":"x???\"")"));
  EXPECT_TRUE(catalog::ParseJson(line).ok()) << line;
}

TEST(AccessLogTest, NamesTheTraceOfTheCaller) {
  AccessRecord record;
  record.trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
  EXPECT_THAT(FormatAccessLine("t", record),
              HasSubstr(R"("peer":"","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","end")"));
}

TEST(AccessLogTest, HoldsNoIdByWhichAConversationIsRead) {
  const auto path_of = [](const char* path) {
    AccessRecord record;
    record.path = path;
    return FormatAccessLine("t", record);
  };
  EXPECT_THAT(path_of("/v1/conversations/c_12"), HasSubstr(R"("path":"/v1/conversations/{id}")"));
  EXPECT_THAT(path_of("/v1/conversations/c_12/export"),
              HasSubstr(R"("path":"/v1/conversations/{id}/export")"));
  EXPECT_THAT(path_of("/v1/assist/a_12"), HasSubstr(R"("path":"/v1/assist/{id}")"));
  EXPECT_THAT(path_of("/v1/conversations"), HasSubstr(R"("path":"/v1/conversations")"));
  EXPECT_THAT(path_of("/v1/products/k20"), HasSubstr(R"("path":"/v1/products/k20")"));
}

TEST(AccessLogTest, WritesWhatIsQueuedToStandardErrorBeforeItEnds) {
  ::testing::internal::CaptureStderr();
  {
    const AccessObserver observer = MakeAccessLog();
    for (int status = 200; status < 500; ++status) {
      AccessRecord record;
      record.status = status;
      observer(record);
    }
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 300);
  EXPECT_LT(text.find("\"status\":200,"), text.find("\"status\":499,"));
}

TEST(LogTest, KnowsItsLevels) {
  EXPECT_TRUE(SetLogLevel("off"));
  EXPECT_TRUE(SetLogLevel("info"));
  EXPECT_FALSE(SetLogLevel("loud"));
}

TEST(MetricsTest, CountsAnswersAndDrops) {
  Metrics metrics([] {
    return std::vector<Sample>{{"emptor_engine_kv_blocks_free", "free", false, 7},
                               {"emptor_engine_steps_total", "steps", true, 9}};
  });
  AnswerRecord record;
  record.answer_step = "model";
  record.finish_reason = "stop";
  record.hydrator.by_rule[static_cast<size_t>(DropRule::kMoney)] = 2;
  record.hydrator.references = 3;
  record.claims.by_rule[0] = 4;
  record.claims.by_rule[static_cast<size_t>(ClaimRule::kNumber)] = 1;
  record.done.completion_tokens = 10;
  record.done.timings = {1, 2, 3, 40, 50, 60};
  metrics.CountAnswer(record);
  metrics.CountRequest("/v1/assist", 200, 0.01);
  metrics.ObserveSearch(0.002);
  Job job;
  job.state = JobState::kDone;
  job.report.created = 7;
  job.report.embeddings_skipped = 4;
  catalog::ImportReport before;
  before.created = 2;
  metrics.CountJob(job, before);
  const std::string text = metrics.Text();
  for (const char* line :
       {"emptor_answers_total{result=\"stop\",step=\"model\"} 1",
        "emptor_hydrator_dropped_total{rule=\"money\"} 2", "emptor_hydrator_references_total 3",
        "emptor_claim_verdicts_total{verdict=\"entailed\"} 4",
        "emptor_claim_verdicts_total{verdict=\"number\"} 1",
        "emptor_http_requests_total{code=\"200\",route=\"/v1/assist\"} 1",
        "emptor_import_lines_total{status=\"created\"} 5",
        "emptor_import_embeddings_skipped_total 4", "emptor_job_seconds_count 1",
        "emptor_jobs_total{mode=\"upsert\",state=\"done\"} 1", "\nemptor_engine_kv_blocks_free 7",
        "\nemptor_engine_steps_total 9", "gen_ai_server_time_to_first_token_seconds_count 1",
        "gen_ai_server_token_usage_total{gen_ai_token_type=\"output\"} 10",
        "emptor_search_seconds_count 1"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricsTest, DistinguishesRefusedFromAbandoned) {
  Metrics metrics(nullptr);
  AnswerRecord refused;
  refused.answer_step = "model";
  refused.status = absl::ResourceExhaustedError("full");
  metrics.CountAnswer(refused);
  AnswerRecord left;
  left.answer_step = "model";
  left.abandoned = true;
  metrics.CountAnswer(left);
  EXPECT_THAT(metrics.Text(), HasSubstr("result=\"refused\""));
  EXPECT_THAT(metrics.Text(), HasSubstr("result=\"abandoned\""));
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("time_to_first_token_seconds_count 1")));
}

}  // namespace
}  // namespace emptor::services
