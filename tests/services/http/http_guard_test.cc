// The request checker: what is refused, what passes, and that cuts change nothing.
#include "services/http/http_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "services/http/syntax.h"
#include "tests/services/http/http_cases.h"

namespace emptor::services {
namespace {

using testing::AcceptedCase;
using testing::RefusedCase;

/// Feeds pieces of at most `piece` bytes until the guard has decided or the bytes are used up.
size_t FeedInPieces(HttpGuard& guard, std::string_view bytes, size_t piece) {
  size_t used = 0;
  while (used < bytes.size()) {
    const size_t taken = guard.Feed(bytes.substr(used, piece));
    used += taken;
    if (taken == 0 || guard.stage() >= HttpGuard::Stage::kComplete) break;
  }
  return used;
}

TEST(HttpGuardTest, RefusesWhatCouldBeReadInTwoWays) {
  const auto cases = testing::RefusedCases();
  ASSERT_GE(cases.size(), 60u);
  for (const RefusedCase& one : cases) {
    for (const size_t piece : {one.bytes.size(), size_t{1}, size_t{7}}) {
      HttpGuard guard{HttpGuardLimits{}};
      FeedInPieces(guard, one.bytes, piece);
      ASSERT_EQ(guard.stage(), HttpGuard::Stage::kRefused) << one.name << " by " << piece;
      EXPECT_EQ(guard.refusal().status, one.status) << one.name << " by " << piece;
      EXPECT_FALSE(guard.refusal().code.empty()) << one.name;
    }
  }
}

TEST(HttpGuardTest, TakesWhatLooksOddButIsWellFormed) {
  for (const AcceptedCase& one : testing::AcceptedCases()) {
    for (const size_t piece : {one.bytes.size(), size_t{1}, size_t{7}}) {
      HttpGuard guard{HttpGuardLimits{}};
      const size_t used = FeedInPieces(guard, one.bytes, piece);
      ASSERT_EQ(guard.stage(), HttpGuard::Stage::kComplete)
          << one.name << " by " << piece << ": " << guard.refusal().message;
      EXPECT_EQ(used, one.bytes.size()) << one.name;
      const GuardedRequest taken = guard.TakeRequest();
      EXPECT_EQ(taken.request.path, one.path) << one.name;
      EXPECT_EQ(taken.request.body, one.body) << one.name;
      EXPECT_EQ(guard.stage(), HttpGuard::Stage::kIdle);
    }
  }
}

TEST(HttpGuardTest, TakesChunkedBodyCutAnywhere) {
  const std::string bytes =
      "POST /echo HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n";
  for (size_t first = 0; first <= bytes.size(); ++first) {
    for (size_t second = first; second <= bytes.size(); ++second) {
      HttpGuard guard{HttpGuardLimits{}};
      guard.Feed(bytes.substr(0, first));
      guard.Feed(bytes.substr(first, second - first));
      guard.Feed(bytes.substr(second));
      ASSERT_EQ(guard.stage(), HttpGuard::Stage::kComplete) << first << " " << second;
      ASSERT_EQ(guard.TakeRequest().request.body, "hello world");
    }
  }
}

// Plain 0.0.5 reads a byte behind such a cut. The piece lies in memory of exactly its size, so that
// AddressSanitizer sees it.
TEST(HttpGuardTest, ReadsNoByteBehindACutAtAPowerOfTwo) {
  for (size_t cut = 64; cut <= 8192; cut *= 2) {
    const std::string start = "GET /hello HTTP/1.1\r\nHost: shop\r\nX-A: ";
    const std::string request =
        start + std::string(cut - 1 - start.size(), 'a') + "\r\nX-B: b\r\n\r\n";
    ASSERT_EQ(request[cut - 1], '\r');
    HttpGuard guard{HttpGuardLimits{}};
    const std::vector<char> first(request.begin(), request.begin() + static_cast<long>(cut));
    EXPECT_EQ(guard.Feed({first.data(), first.size()}), cut);
    guard.Feed(std::string_view(request).substr(cut));
    EXPECT_EQ(guard.stage(), HttpGuard::Stage::kComplete) << "cut at " << cut;
  }
}

TEST(HttpGuardTest, StopsBehindTheFirstOfTwoRequests) {
  const std::string first = "GET /a HTTP/1.1\r\nHost: shop\r\n\r\n";
  const std::string second = "GET /b HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n";
  HttpGuard guard{HttpGuardLimits{}};
  ASSERT_EQ(guard.Feed(first + second), first.size());
  const GuardedRequest a = guard.TakeRequest();
  EXPECT_EQ(a.request.path, "/a");
  EXPECT_TRUE(a.keep_alive);
  ASSERT_EQ(guard.Feed(second), second.size());
  const GuardedRequest b = guard.TakeRequest();
  EXPECT_EQ(b.request.path, "/b");
  EXPECT_FALSE(b.keep_alive);
}

TEST(HttpGuardTest, ReadsWhetherTheConnectionStays) {
  struct Case {
    std::string version, connection;
    bool keep_alive;
  };
  for (const Case& one :
       {Case{"1.1", "", true}, Case{"1.1", "close", false}, Case{"1.1", "Keep-Alive", true},
        Case{"1.1", "foo, CLOSE", false}, Case{"1.1", "foo, close, bar", false},
        Case{"1.0", "", false}, Case{"1.0", "keep-alive", true},
        Case{"1.0", "keep-alive, close", false}}) {
    std::string bytes = "GET / HTTP/" + one.version + "\r\nHost: shop\r\n";
    if (!one.connection.empty()) bytes += "Connection: " + one.connection + "\r\n";
    HttpGuard guard{HttpGuardLimits{}};
    guard.Feed(bytes + "\r\n");
    ASSERT_EQ(guard.stage(), HttpGuard::Stage::kComplete);
    EXPECT_EQ(guard.TakeRequest().keep_alive, one.keep_alive) << one.version << one.connection;
  }
}

TEST(HttpGuardTest, DecodesQueryAndKeepsItsOrder) {
  HttpGuard guard{HttpGuardLimits{}};
  guard.Feed("GET /s?q=quiet+27%22&q=2&empty=&flag&%C3%A9=%26 HTTP/1.1\r\nHost: shop\r\n\r\n");
  ASSERT_EQ(guard.stage(), HttpGuard::Stage::kComplete);
  const Request request = guard.TakeRequest().request;
  const std::vector<std::pair<std::string, std::string>> expected{
      {"q", "quiet 27\""}, {"q", "2"}, {"empty", ""}, {"flag", ""}, {"\xc3\xa9", "&"}};
  EXPECT_EQ(request.query, expected);
  EXPECT_EQ(request.Query("q"), "quiet 27\"");
  EXPECT_EQ(request.Query("absent"), "");
}

TEST(HttpGuardTest, GivesHeaderNamesInLowerCaseAndKeepsRepeats) {
  HttpGuard guard{HttpGuardLimits{}};
  guard.Feed("GET / HTTP/1.1\r\nHost: shop\r\nX-One: a\r\nx-oNE: b\r\n\r\n");
  const Request request = guard.TakeRequest().request;
  EXPECT_EQ(request.Header("x-one"), "a");
  EXPECT_EQ(std::count_if(request.headers.begin(), request.headers.end(),
                          [](const auto& header) { return header.first == "x-one"; }),
            2);
}

TEST(HttpGuardTest, AnswersAnExpectationWithContinue) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
  HttpGuard guard{HttpGuardLimits{}};
  guard.Feed(head);
  EXPECT_TRUE(guard.TakeContinue());
  EXPECT_FALSE(guard.TakeContinue());
  guard.Feed("hi");
  EXPECT_EQ(guard.stage(), HttpGuard::Stage::kComplete);

  HttpGuard impatient{HttpGuardLimits{}};
  impatient.Feed(head + "h");
  EXPECT_FALSE(impatient.TakeContinue());
}

TEST(HttpGuardTest, HoldsItsLimitsToTheByte) {
  HttpGuardLimits limits;
  limits.max_header_bytes = 100;
  limits.max_body_bytes = 10;
  const auto stage = [&](const std::string& bytes) {
    HttpGuard guard(limits);
    guard.Feed(bytes);
    return guard.stage();
  };
  const auto with_field = [](size_t n) {
    return "GET / HTTP/1.1\r\nHost: shop\r\nX-A: " + std::string(n, 'v') + "\r\n\r\n";
  };
  size_t largest = 0;
  for (size_t n = 0; n < 100; ++n) {
    if (stage(with_field(n)) == HttpGuard::Stage::kComplete) largest = n;
  }
  EXPECT_EQ(with_field(largest).size(), 100u);
  const std::string post = "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: ";
  EXPECT_EQ(stage(post + "10\r\n\r\n0123456789"), HttpGuard::Stage::kComplete);
  EXPECT_EQ(stage(post + "11\r\n\r\n"), HttpGuard::Stage::kRefused);
  const std::string chunked = "POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(stage(chunked + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"), HttpGuard::Stage::kComplete);
  EXPECT_EQ(stage(chunked + "5\r\n01234\r\n6\r\n"), HttpGuard::Stage::kRefused);
}

TEST(HttpGuardTest, LimitsAllChunkExtensionsTogetherToTheByte) {
  const auto stage = [](size_t last) {
    std::string bytes = "POST / HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 4; ++i) bytes += "1;" + std::string(999, 'x') + "\r\na\r\n";
    HttpGuard guard{HttpGuardLimits{}};
    guard.Feed(bytes + "0;" + std::string(last - 1, 'x') + "\r\n\r\n");
    return guard.stage();
  };
  EXPECT_EQ(stage(96), HttpGuard::Stage::kComplete);
  EXPECT_EQ(stage(97), HttpGuard::Stage::kRefused);
}

TEST(HttpGuardTest, NamesAFoldedLineAsTheReason) {
  for (const char* line : {" Host: shop", "\tb"}) {
    HttpGuard guard{HttpGuardLimits{}};
    guard.Feed(std::string("GET / HTTP/1.1\r\nX-A: a\r\n") + line + "\r\n\r\n");
    ASSERT_EQ(guard.stage(), HttpGuard::Stage::kRefused);
    EXPECT_EQ(guard.refusal().message, "header: folded line");
  }
}

TEST(SyntaxTest, AnEscapeEndsWithItsText) {
  const std::string_view text = "a%20b";
  EXPECT_EQ(PercentDecode(text.substr(0, 4), false), "a ");
  EXPECT_EQ(PercentDecode(text.substr(0, 3), false), std::nullopt);
  EXPECT_EQ(PercentDecode(text.substr(0, 2), false), std::nullopt);
}

TEST(HttpGuardTest, ResultDoesNotDependOnRandomCuts) {
  std::mt19937 random(20240707);
  for (const RefusedCase& one : testing::RefusedCases()) {
    for (int round = 0; round < 5; ++round) {
      HttpGuard guard{HttpGuardLimits{}};
      size_t used = 0;
      while (used < one.bytes.size() && guard.stage() != HttpGuard::Stage::kRefused) {
        const size_t piece = 1 + random() % (1 + one.bytes.size() / 3);
        used += guard.Feed(std::string_view(one.bytes).substr(used, piece));
      }
      EXPECT_EQ(guard.refusal().status, one.status) << one.name;
    }
  }
}

TEST(BodyBufferTest, HoldsWhatCameAndLittleMore) {
  for (const size_t expected : {size_t{0}, size_t{5000000}}) {
    BodyBuffer buffer(expected);
    EXPECT_EQ(buffer.capacity(), 0u) << "nothing before bytes come";
    std::string all;
    for (int i = 0; all.size() < 5000000; ++i) {
      const std::string piece(static_cast<size_t>(i * 37 % 9000), static_cast<char>('a' + i % 26));
      buffer.Append(std::string_view(piece).substr(0, 5000000 - all.size()));
      all += piece.substr(0, 5000000 - all.size());
      EXPECT_EQ(buffer.size(), all.size());
      EXPECT_LE(buffer.capacity(), std::max<size_t>(2 * all.size(), 16 * 1024));
    }
    if (expected > 0) {
      EXPECT_EQ(buffer.capacity(), expected);
    }
    EXPECT_EQ(buffer.Take(), all);
    EXPECT_EQ(buffer.capacity(), 0u);
  }
}

}  // namespace
}  // namespace emptor::services
