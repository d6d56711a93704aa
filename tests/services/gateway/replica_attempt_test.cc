// Whose fault the end of an attempt is.
#include "services/gateway/replica_attempt.h"

#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using Kind = AttemptEnd::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

HttpStreamEnd Head(int status) { return {.status = {}, .http_status = status, .was_sent = true}; }

HttpStreamEnd Broken(absl::StatusCode code, int status = 0, bool was_sent = true) {
  return {.status = absl::Status(code, "why"), .http_status = status, .was_sent = was_sent};
}

TEST(ClassifyEndTest, TellsTheReplicasFaultFromTheClients) {
  const struct {
    const char* name;
    HttpStreamEnd end;
    const char* body;
    Kind kind;
    AttemptFailure failure;  // of kFailed
  } cases[] = {
      {"no connection", Broken(absl::StatusCode::kUnavailable, 0, false), "", Kind::kFailed,
       AttemptFailure::kUnreachable},
      {"a certificate", Broken(absl::StatusCode::kFailedPrecondition), "", Kind::kFailed,
       AttemptFailure::kUnreachable},
      {"lost", Broken(absl::StatusCode::kUnavailable), "", Kind::kFailed, AttemptFailure::kLost},
      {"lost within a head of 400", Broken(absl::StatusCode::kUnavailable, 400), "", Kind::kFailed,
       AttemptFailure::kLost},
      {"lost within the body of 400",
       Broken(absl::StatusCode::kUnavailable, 400),
       "{",
       Kind::kRejected,
       {}},
      {"lost within the body of 500", Broken(absl::StatusCode::kUnavailable, 500), "{",
       Kind::kFailed, AttemptFailure::kServerError},
      {"lost within the answer", Broken(absl::StatusCode::kUnavailable, 200), "{", Kind::kFailed,
       AttemptFailure::kLost},
      {"silence", Broken(absl::StatusCode::kDeadlineExceeded), "", Kind::kFailed,
       AttemptFailure::kTimeout},
      {"400", Head(400), "", Kind::kRejected, {}},
      {"422", Head(422), "", Kind::kRejected, {}},
      {"501", Head(501), "", Kind::kRejected, {}},
      {"401", Head(401), "", Kind::kFailed, AttemptFailure::kServerError},
      {"403", Head(403), "", Kind::kFailed, AttemptFailure::kServerError},
      {"408", Head(408), "", Kind::kFailed, AttemptFailure::kTimeout},
      {"429", Head(429), "", Kind::kFailed, AttemptFailure::kBusy},
      {"500", Head(500), "", Kind::kFailed, AttemptFailure::kServerError},
      {"503", Head(503), "", Kind::kFailed, AttemptFailure::kBusy},
      {"504", Head(504), "", Kind::kFailed, AttemptFailure::kTimeout},
      {"302", Head(302), "", Kind::kFailed, AttemptFailure::kBadAnswer},
      {"204", Head(204), "", Kind::kFailed, AttemptFailure::kBadAnswer},
      {"no JSON", Head(200), "<html>", Kind::kFailed, AttemptFailure::kBadAnswer},
      {"an error", Head(200), R"({"error":{"message":"no"}})", Kind::kFailed,
       AttemptFailure::kServerError},
      {"an error of the client",
       Head(200),
       R"({"error":{"message":"no","code":400}})",
       Kind::kRejected,
       {}},
      {"an answer",
       Head(200),
       R"({"choices":[{"text":"a","finish_reason":"stop"}]})",
       Kind::kAnswered,
       {}},
  };
  for (const auto& each : cases) {
    const AttemptEnd end = ClassifyEnd(each.end, nullptr, each.body);
    EXPECT_EQ(end.kind, each.kind) << each.name;
    if (each.kind == Kind::kFailed) {
      EXPECT_EQ(end.failure, each.failure) << each.name;
    }
  }
}

TEST(ClassifyEndTest, AStreamThatEndedInOrderWithoutItsAnswerIsNotLost) {
  const auto of = [](absl::Status end) {
    const StreamEvents events{.end = std::move(end)};
    return ClassifyEnd(Head(200), &events, {});
  };
  EXPECT_EQ(of(absl::OkStatus()).kind, Kind::kAnswered);
  EXPECT_EQ(of(absl::UnavailableError("it ended")).failure, AttemptFailure::kBadAnswer);
  EXPECT_EQ(of(absl::DataLossError("garbage")).failure, AttemptFailure::kBadAnswer);
  EXPECT_EQ(of(absl::OutOfRangeError("too long")).failure, AttemptFailure::kTooLarge);
}

TEST(ClassifyEndTest, APauseHoweverLongIsOne) {
  HttpStreamEnd end = Head(503);
  for (const seconds asked : {seconds::max(), seconds(9223372036854775), seconds(86401)}) {
    end.retry_after = asked;
    EXPECT_EQ(ClassifyEnd(end, nullptr, "").pause, seconds(86400)) << asked.count();
  }
  end.retry_after = seconds(-5);
  EXPECT_EQ(ClassifyEnd(end, nullptr, "").pause, seconds(0));
  end.retry_after = seconds(7);
  EXPECT_EQ(ClassifyEnd(end, nullptr, "").pause, seconds(7));
}

class ReplicaAttemptTest : public ::testing::Test {
 protected:
  /// How an attempt ends whose request's time is over.
  AttemptEnd EndOf(bool is_stream, const HttpStreamEnd& end, milliseconds first_token) {
    AttemptEnd got;
    ReplicaAttempt attempt(is_stream, {.deadline = steady_clock::now(), .first_token = first_token},
                           {.on_events = [](std::string_view) { return true; },
                            .has_room = [] { return true; },
                            .on_end = [&](AttemptEnd given) { got = std::move(given); }});
    attempt.OnEnd(end);
    return got;
  }
};

TEST_F(ReplicaAttemptTest, TheEndOfTheRequestsTimeIsTheReplicasFaultOnlyAfterLongSilence) {
  const HttpStreamEnd late = Broken(absl::StatusCode::kDeadlineExceeded);
  for (const bool is_stream : {true, false}) {
    EXPECT_EQ(EndOf(is_stream, late, milliseconds(30000)).failure, AttemptFailure::kLate);
    // The silence before a whole answer says nothing.
    EXPECT_EQ(EndOf(is_stream, late, milliseconds(0)).failure,
              is_stream ? AttemptFailure::kTimeout : AttemptFailure::kLate);
    // The replica may see it first.
    EXPECT_EQ(EndOf(is_stream, Head(504), milliseconds(30000)).failure, AttemptFailure::kLate);
  }
}

TEST_F(ReplicaAttemptTest, OfALongErrorTheStatusDecides) {
  AttemptEnd got;
  ReplicaAttempt attempt(false, {.deadline = steady_clock::now() + seconds(600)},
                         {.on_events = [](std::string_view) { return true; },
                          .has_room = [] { return true; },
                          .on_end = [&](AttemptEnd given) { got = std::move(given); }});
  const std::string piece(16384, 'x');
  int pieces = 0;
  while (attempt.OnPiece(422, piece)) ASSERT_LT(++pieces, 10);
  attempt.OnEnd(Head(422));
  EXPECT_EQ(got.kind, Kind::kRejected);
  EXPECT_EQ(got.http_status, 422);
  EXPECT_EQ(got.error.message.size(), 300u);
}

}  // namespace
}  // namespace emptor::services
