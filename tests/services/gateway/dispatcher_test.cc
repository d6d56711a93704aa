// Events in, actions out.
#include "tests/services/gateway/dispatcher_fixture.h"

namespace emptor::services {
namespace {

using DispatcherTest = DispatcherFixture;

TEST_F(DispatcherTest, AFailureBeforeTheFirstByteGoesToAnotherReplica) {
  Make(3);
  const auto first = Arrive(1);
  EXPECT_EQ(first.kind, Kind::kSend);
  const auto second = Fail(first, AttemptFailure::kUnreachable);
  EXPECT_EQ(second.kind, Kind::kSend);
  EXPECT_NE(second.replica, first.replica);
  const auto third = Fail(second, AttemptFailure::kServerError);
  EXPECT_EQ(third.kind, Kind::kSend);
  const auto end = Fail(third, AttemptFailure::kServerError);
  EXPECT_EQ(end.kind, Kind::kRefuse);
  EXPECT_EQ(end.reason, DispatchRefusal::kFailed);
  EXPECT_EQ(end.failure, AttemptFailure::kServerError);
  EXPECT_EQ(dispatcher_->open_requests(), 0u);
}

TEST_F(DispatcherTest, AFailureAfterTheFirstByteEndsTheRequest) {
  Make(3);
  const auto sent = Arrive(1);
  EXPECT_TRUE(dispatcher_->Commit(sent.attempt, now()));
  const auto end = Fail(sent, AttemptFailure::kLost);
  EXPECT_EQ(end.kind, Kind::kBreak);
  EXPECT_EQ(end.reason, DispatchRefusal::kLostMidStream);
}

TEST_F(DispatcherTest, ARequestThatIsLostTwiceIsPoisonForAWhile) {
  Make(4);
  const auto first = Arrive(1, 77);
  const auto end = Fail(Fail(first, AttemptFailure::kLost), AttemptFailure::kLost);
  EXPECT_EQ(end.reason, DispatchRefusal::kPoison);
  EXPECT_EQ(Arrive(2, 77).reason, DispatchRefusal::kPoison);
  EXPECT_EQ(Arrive(3, 78).kind, Kind::kSend);
  ms_ += 600000;
  dispatcher_->Arrive(4, {.prompt_tokens = 1, .digest = 77, .deadline = now() + milliseconds(9)},
                      now());
  EXPECT_EQ(Only().kind, Kind::kSend);
}

TEST_F(DispatcherTest, RequestsWaitForRoomAndLeaveInTime) {
  Make(1, {.max_waiting = 1}, 1);
  const auto first = Arrive(1);
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  const auto shed = Arrive(3);
  EXPECT_EQ(shed.kind, Kind::kRefuse);
  EXPECT_EQ(shed.request, 3u);
  EXPECT_EQ(shed.reason, DispatchRefusal::kOverloaded);
  dispatcher_->Succeed(first.attempt, 5, now());
  const auto second = Only();
  EXPECT_EQ(second.request, 2u);
  dispatcher_->Arrive(4, Facts(), now());
  ms_ += 10001;
  dispatcher_->Tick(now());
  const auto late = Only();
  EXPECT_EQ(late.request, 4u);
  EXPECT_EQ(late.reason, DispatchRefusal::kOverloaded);
}

TEST_F(DispatcherTest, ABusyReplicaIsLeftAloneForAsLongAsItAsks) {
  Make(2);
  const auto first = Arrive(1);
  const auto second = Fail(first, AttemptFailure::kBusy, 3000);
  EXPECT_EQ(second.kind, Kind::kSend);
  EXPECT_NE(second.replica, first.replica);
  for (uint64_t id = 2; id < 10; ++id) EXPECT_EQ(Arrive(id).replica, second.replica);
  ms_ += 3000;
  EXPECT_EQ(Arrive(10).replica, first.replica);
}

TEST_F(DispatcherTest, AnEjectedReplicaGetsOneTrial) {
  Make(2, {.breaker = {.failures_in_row = 1}});
  const auto first = Arrive(1);
  const auto second = Fail(first, AttemptFailure::kServerError);
  EXPECT_TRUE(dispatcher_->StatusOf(first.replica, now()).ejected);
  EXPECT_EQ(Arrive(2).replica, second.replica);
  ms_ += 1000;
  const auto trial = Arrive(3);
  EXPECT_EQ(trial.replica, first.replica);
  EXPECT_EQ(Arrive(4).replica, second.replica);
  EXPECT_TRUE(dispatcher_->Commit(trial.attempt, now()));
  EXPECT_FALSE(dispatcher_->StatusOf(first.replica, now()).ejected);
}

TEST_F(DispatcherTest, AnEjectedReplicaReturnsAlsoWithoutARetryBudget) {
  Make(2, {.breaker = {.failures_in_row = 1}, .retries = {.per_success = 0, .at_start = 0}});
  const auto first = Arrive(1);
  EXPECT_EQ(Fail(first, AttemptFailure::kServerError).kind, Kind::kRefuse);
  ASSERT_TRUE(dispatcher_->StatusOf(first.replica, now()).ejected);
  ms_ += 1000;
  // A trial that fails costs its client nothing, and its retry is not the budget's.
  const auto failed = Arrive(2);
  ASSERT_EQ(failed.replica, first.replica);
  const auto retry = Fail(failed, AttemptFailure::kServerError);
  EXPECT_EQ(retry.kind, Kind::kSend);
  EXPECT_NE(retry.replica, first.replica);
  EXPECT_EQ(dispatcher_->counts().trial_retries, 1u);
  dispatcher_->Succeed(retry.attempt, 1, now());
  ms_ += 2000;
  const auto trial = Arrive(3);
  ASSERT_EQ(trial.replica, first.replica);
  dispatcher_->Succeed(trial.attempt, 1, now());
  EXPECT_FALSE(dispatcher_->StatusOf(first.replica, now()).ejected);
}

TEST_F(DispatcherTest, ALongAnswerDoesNotKeepItsReplicaOnTrial) {
  Make(2, {.breaker = {.failures_in_row = 1}});
  const auto first = Arrive(1);
  Fail(first, AttemptFailure::kServerError);
  ms_ += 1000;
  const auto slow = Arrive(2);
  ASSERT_EQ(slow.replica, first.replica);
  ms_ += 3999;
  EXPECT_NE(Arrive(3).replica, first.replica);
  ms_ += 1;
  const auto next = Arrive(4);
  EXPECT_EQ(next.replica, first.replica);
  dispatcher_->Succeed(slow.attempt, 1, now());  // that was a trial, too
  EXPECT_FALSE(dispatcher_->StatusOf(first.replica, now()).ejected);
}

TEST_F(DispatcherTest, ARequestThatAReplicaCanTakeIsNotShedForThoseThatWaitForAnother) {
  Make(2, {.max_waiting = 1}, 1);
  DispatchRequest of_first = Facts(), of_second = Facts();
  of_first.replicas = 1;
  of_second.replicas = 2;
  dispatcher_->Arrive(1, of_first, now());
  dispatcher_->Arrive(2, of_first, now());  // waits: the queue is full
  Actions();
  dispatcher_->Arrive(3, of_second, now());
  const auto sent = Only();
  EXPECT_EQ(sent.kind, Kind::kSend);
  EXPECT_EQ(sent.request, 3u);
  EXPECT_EQ(sent.replica, 1u);
  of_second.patience = milliseconds(0);
  dispatcher_->Succeed(sent.attempt, 1, now());
  dispatcher_->Arrive(4, of_second, now());  // nor when it may not wait at all
  EXPECT_EQ(Only().kind, Kind::kSend);
}

TEST_F(DispatcherTest, TheEndOfItsTimeAndALargeAnswerAreNoFaultOfTheReplica) {
  Make(2, {.breaker = {.failures_in_row = 1}});
  for (const AttemptFailure failure : {AttemptFailure::kLate, AttemptFailure::kTooLarge}) {
    const auto sent = Arrive(failure == AttemptFailure::kLate ? 1 : 2);
    const auto end = Fail(sent, failure);
    EXPECT_EQ(end.kind, Kind::kRefuse);  // another replica would fare no better
    EXPECT_EQ(end.failure, failure);
    EXPECT_FALSE(dispatcher_->StatusOf(sent.replica, now()).ejected);
    EXPECT_EQ(dispatcher_->StatusOf(sent.replica, now()).failures, 0u);
  }
}

TEST_F(DispatcherTest, WholeAnswersAreNotHedged) {
  Make(2, {.hedge_after = milliseconds(200)});
  DispatchRequest whole = Facts();
  whole.may_hedge = false;
  dispatcher_->Arrive(1, whole, now());
  Only();
  ms_ += 1000;
  dispatcher_->Tick(now());
  EXPECT_TRUE(Actions().empty());
}

TEST_F(DispatcherTest, CountsHowClientsEnd) {
  Make(1);
  Arrive(1);
  Arrive(2);
  Arrive(3);
  dispatcher_->Leave(1, now());
  dispatcher_->Leave(2, now(), ClientEnd::kTooSlow);
  dispatcher_->Leave(3, now(), ClientEnd::kStopped);
  EXPECT_EQ(dispatcher_->counts().left, 1u);
  EXPECT_EQ(dispatcher_->counts().too_slow, 1u);
  EXPECT_EQ(dispatcher_->counts().stopped, 1u);
}

TEST_F(DispatcherTest, ARequestThatNoOtherTakesWaitsForTheTrial) {
  Make(2, {.breaker = {.failures_in_row = 1}});
  const auto first = Arrive(1);
  const auto second = Fail(first, AttemptFailure::kServerError);
  for (int i = 0; i < 2; ++i) dispatcher_->Probed(second.replica, false, now());
  // Moved, and waiting: the other one is ejected and has failed it, so that it ends.
  const auto actions = Actions();
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[1].kind, Kind::kRefuse);
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Probed(first.replica, true, now());
  ms_ += 999;
  dispatcher_->Tick(now());
  EXPECT_TRUE(Actions().empty());
  EXPECT_EQ(dispatcher_->NextTick(), now() + milliseconds(1));
  ms_ += 1;
  dispatcher_->Tick(now());
  const auto trial = Only();
  EXPECT_EQ(trial.request, 2u);
  EXPECT_EQ(trial.replica, first.replica);
  // Another one waits until the trial has shown that the replica is back.
  dispatcher_->Arrive(3, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  EXPECT_TRUE(dispatcher_->Commit(trial.attempt, now()));
  EXPECT_EQ(Only().request, 3u);
}

TEST_F(DispatcherTest, WhatAReplicaSaidWhileItWentDownIsVoidOnceItIsBack) {
  Make(2);
  const auto first = Arrive(1);
  Fail(first, AttemptFailure::kBusy, 30000);
  EXPECT_EQ(dispatcher_->StatusOf(first.replica, now()).availability, Availability::kDown);
  dispatcher_->Probed(first.replica, false, now());
  dispatcher_->Probed(first.replica, true, now());
  EXPECT_EQ(dispatcher_->StatusOf(first.replica, now()).availability, Availability::kUp);
}

TEST_F(DispatcherTest, FailedProbesTakeAReplicaDownAndMoveItsRequests) {
  Make(2);
  const auto first = Arrive(1);
  dispatcher_->Probed(first.replica, false, now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Probed(first.replica, false, now());
  const auto actions = Actions();
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[0].kind, Kind::kCancel);
  EXPECT_EQ(actions[1].kind, Kind::kSend);
  EXPECT_NE(actions[1].replica, first.replica);
  EXPECT_FALSE(dispatcher_->CanServe(uint64_t{1} << first.replica, now()));
  dispatcher_->Probed(first.replica, true, now());
  EXPECT_TRUE(dispatcher_->CanServe(uint64_t{1} << first.replica, now()));
}

TEST_F(DispatcherTest, AReplicaThatCannotBeReachedIsProbedAtOnce) {
  Make(2);
  dispatcher_->Tick(now());
  dispatcher_->TakeActions();
  for (size_t i = 0; i < 2; ++i) dispatcher_->Probed(i, true, now());
  const auto first = Arrive(1);
  ms_ += 10;
  EXPECT_GT(dispatcher_->NextTick(), now());
  Fail(first, AttemptFailure::kUnreachable);
  EXPECT_LE(dispatcher_->NextTick(), now());
  dispatcher_->Tick(now());
  dispatcher_->Probed(first.replica, false, now());
  EXPECT_EQ(dispatcher_->NextTick(), now() + milliseconds(50));
}

TEST_F(DispatcherTest, WithoutAReplicaARequestIsRefusedAtOnce) {
  Make(1);
  for (int i = 0; i < 2; ++i) dispatcher_->Probed(0, false, now());
  EXPECT_EQ(Arrive(1).reason, DispatchRefusal::kNoReplica);
  DispatchRequest other = Facts();
  other.replicas = 0;
  dispatcher_->Arrive(2, other, now());
  EXPECT_EQ(Only().reason, DispatchRefusal::kNoReplica);
}

TEST_F(DispatcherTest, AHedgeRunsBesideAndTheFirstByteDecides) {
  Make(2, {.hedge_after = milliseconds(200)});
  const auto first = Arrive(1);
  ms_ += 200;
  EXPECT_LE(dispatcher_->NextTick(), now());
  dispatcher_->Tick(now());
  const auto second = Only();
  EXPECT_EQ(second.kind, Kind::kSend);
  EXPECT_NE(second.replica, first.replica);
  EXPECT_TRUE(dispatcher_->Commit(second.attempt, now()));
  const auto cancel = Only();
  EXPECT_EQ(cancel.kind, Kind::kCancel);
  EXPECT_EQ(cancel.attempt, first.attempt);
  EXPECT_FALSE(dispatcher_->Commit(first.attempt, now()));
  dispatcher_->Succeed(second.attempt, 5, now());
  EXPECT_EQ(dispatcher_->counts().hedges, 1u);
  EXPECT_EQ(dispatcher_->counts().answered, 1u);
}

TEST_F(DispatcherTest, AClientThatLeavesCancelsItsAttempt) {
  Make(1, {}, 1);
  const auto first = Arrive(1);
  dispatcher_->Arrive(2, Facts(), now());
  dispatcher_->Leave(1, now());
  const auto actions = Actions();
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[0].kind, Kind::kCancel);
  EXPECT_EQ(actions[0].attempt, first.attempt);
  EXPECT_EQ(actions[1].request, 2u);
  dispatcher_->Leave(1, now());  // again: nothing
  EXPECT_TRUE(Actions().empty());
}

TEST_F(DispatcherTest, RetriesEndWithTheBudget) {
  Make(2, {.breaker = {.failures_in_row = 1000, .window = 1000}, .retries = {.at_start = 3}});
  int refused_at_once = 0;
  for (uint64_t id = 1; id <= 10; ++id) {
    const auto end = Fail(Arrive(id), AttemptFailure::kServerError);
    if (end.kind == Kind::kRefuse) ++refused_at_once;
    if (end.kind == Kind::kSend) {
      EXPECT_EQ(Fail(end, AttemptFailure::kServerError).kind, Kind::kRefuse);
    }
  }
  EXPECT_EQ(refused_at_once, 7);
  EXPECT_EQ(dispatcher_->counts().attempts, 13u);
}

TEST_F(DispatcherTest, ARefusalOfTheRequestItselfIsNoFaultOfTheReplica) {
  Make(2);
  for (uint64_t id = 1; id <= 5; ++id) EXPECT_TRUE(dispatcher_->Reject(Arrive(id).attempt, now()));
  EXPECT_FALSE(dispatcher_->StatusOf(0, now()).ejected);
  EXPECT_EQ(dispatcher_->open_requests(), 0u);
}

TEST_F(DispatcherTest, ADrainRefusesNewRequestsOnly) {
  Make(1);
  const auto first = Arrive(1);
  dispatcher_->Drain();
  EXPECT_EQ(Arrive(2).reason, DispatchRefusal::kDraining);
  dispatcher_->Succeed(first.attempt, 1, now());
  EXPECT_EQ(dispatcher_->counts().answered, 1u);
}

}  // namespace
}  // namespace emptor::services
