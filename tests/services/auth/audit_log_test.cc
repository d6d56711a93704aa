// The chain of the audit log: every change of a line is found.
#include "services/auth/audit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

class AuditLogTest : public ::testing::Test {
 protected:
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  void Write(const std::vector<std::string>& lines) const {
    std::ofstream file(path_, std::ios::trunc);
    for (const std::string& line : lines) file << line << "\n";
  }
  std::string Problem() const { return std::string(VerifyAuditLog(path_).status().message()); }

  const emptor::testing::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/audit.log";
  AuditLog log_{path_, [] { return int64_t{1700000000}; }};
};

TEST_F(AuditLogTest, EachLineFollowsFromTheOneBefore) {
  EXPECT_TRUE(absl::IsNotFound(VerifyAuditLog(path_).status()));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        log_.Append({"own", "POST /admin/shops/tools/delete", "", 200, "127.0.0.1", "r1"}).ok());
  }
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0],
              HasSubstr(R"({"n":1,"time":"2023-11-14T22:13:20Z","actor":"own",)"
                        R"("action":"POST /admin/shops/tools/delete","subject":"","status":200)"));
  const auto summary = VerifyAuditLog(path_);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->lines, 3u);
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(AuditLogTest, AChangedRemovedOrInsertedLineIsFound) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(log_.Append({"own", "action " + std::to_string(i), "", 200}).ok());
  }
  const auto good = Lines();
  ASSERT_EQ(good.size(), 5u);
  for (size_t i = 0; i + 1 < good.size(); ++i) {
    auto changed = good;
    changed[i].replace(changed[i].find("own"), 3, "him");
    Write(changed);
    EXPECT_THAT(Problem(), HasSubstr(":" + std::to_string(i + 2) + ": does not follow")) << i;
    auto removed = good;
    removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(i));
    Write(removed);
    EXPECT_THAT(Problem(), HasSubstr("does not follow")) << i;
    auto inserted = good;
    inserted.insert(inserted.begin() + static_cast<std::ptrdiff_t>(i), good[i]);
    Write(inserted);
    EXPECT_THAT(Problem(), HasSubstr("does not follow")) << i;
  }
  Write(good);
  const std::string last = VerifyAuditLog(path_)->last_hash;
  Write({good.begin(), good.end() - 1});
  EXPECT_NE(VerifyAuditLog(path_)->last_hash, last) << "who kept the hash sees the cut";
}

TEST_F(AuditLogTest, HostileTextStaysOneLine) {
  const std::string hostile = "\"}\n{\"n\":9\x1b[2J\xff" + std::string(100000, '\x01');
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(log_.Append({hostile, hostile, hostile, 200, hostile, hostile}).ok());
  }
  EXPECT_EQ(Lines().size(), 3u);
  EXPECT_TRUE(VerifyAuditLog(path_).ok()) << Problem();
}

TEST_F(AuditLogTest, ManyWritersMakeOneChain) {
  AuditLog other(path_);  // as another process has it
  std::vector<std::thread> writers;
  for (AuditLog* log : {&log_, &other, &log_}) {
    writers.emplace_back([log] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(log->Append({"own", "x", "", 200}).ok());
    });
  }
  for (std::thread& writer : writers) writer.join();
  const auto summary = VerifyAuditLog(path_);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->lines, 60u);
}

}  // namespace
}  // namespace emptor::services
