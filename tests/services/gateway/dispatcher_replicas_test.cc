// Replicas that join and leave while requests are open.
#include "tests/services/gateway/dispatcher_fixture.h"

namespace emptor::services {
namespace {

using DispatcherReplicasTest = DispatcherFixture;

TEST_F(DispatcherReplicasTest, AReplicaJoinsOnceItIsFoundWellAndLeavesWithoutLosingARequest) {
  dispatcher_.emplace(DispatchOptions{},
                      std::vector<ReplicaSetting>{{.max_outstanding = 1}, {.present = false}},
                      [] { return 0.0; });
  const auto first = Arrive(1);
  EXPECT_EQ(first.replica, 0u);
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_TRUE(Actions().empty());  // waits: the second one is not there
  dispatcher_->SetPresent(1, true, now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Tick(now());
  size_t probed = 0;
  for (const DispatchAction& one : dispatcher_->TakeActions()) {
    if (one.kind == Kind::kProbe) probed |= one.replica;
  }
  EXPECT_EQ(probed, 1u);
  dispatcher_->Probed(1, true, now());
  const auto second = Only();
  EXPECT_EQ(second.request, 2u);
  EXPECT_EQ(second.replica, 1u);
  // It leaves: what it has goes on, and nothing new comes.
  dispatcher_->SetPresent(1, false, now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Probed(1, true, now());  // an answer from before
  dispatcher_->Arrive(3, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Succeed(second.attempt, 1, now());
  EXPECT_TRUE(Actions().empty());
  EXPECT_EQ(dispatcher_->StatusOf(1, now()).outstanding, 0);
  EXPECT_EQ(dispatcher_->counts().answered, 1u);
}

TEST_F(DispatcherReplicasTest, AReplicaThatHasLeftIsProbedWhileItHasRequests) {
  Make(2, {.failed_probes = 2});
  const auto first = Arrive(1);
  const auto probes = [&] {
    int count = 0;
    dispatcher_->Tick(now());
    for (const DispatchAction& one : dispatcher_->TakeActions()) {
      if (one.kind == Kind::kProbe && one.replica == first.replica) ++count;
    }
    return count;
  };
  dispatcher_->SetPresent(first.replica, false, now());
  EXPECT_LE(dispatcher_->NextTick(), now());
  EXPECT_EQ(probes(), 1);
  dispatcher_->Probed(first.replica, true, now());
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_NE(Only().replica, first.replica);  // well, and yet it gets nothing new
  for (const bool is_last : {false, true}) {
    ms_ += 1000;
    EXPECT_EQ(probes(), 1);
    EXPECT_TRUE(Actions().empty());
    dispatcher_->Probed(first.replica, false, now());
    if (!is_last) continue;
    const auto moved = Actions();
    ASSERT_EQ(moved.size(), 2u);
    EXPECT_EQ(moved[0].kind, Kind::kCancel);
    EXPECT_EQ(moved[1].kind, Kind::kSend);
    EXPECT_EQ(moved[1].request, 1u);
    EXPECT_NE(moved[1].replica, first.replica);
  }
  ms_ += 1000;
  EXPECT_EQ(probes(), 0);  // its seat is free
}

TEST_F(DispatcherReplicasTest, AServerThatTakesAPlaceIsNotTheOneThatFailedThere) {
  Make(2, {}, 1);
  const auto first = Arrive(1);
  const auto second = Arrive(2);
  ASSERT_NE(first.replica, second.replica);
  dispatcher_->Fail(first.attempt, AttemptFailure::kServerError, milliseconds(0), now());
  EXPECT_TRUE(Actions().empty());  // waits for the other one
  dispatcher_->SetPresent(first.replica, false, now());
  dispatcher_->SetPresent(first.replica, true, now());
  dispatcher_->Probed(first.replica, true, now());
  const auto moved = Only();
  EXPECT_EQ(moved.request, 1u);
  EXPECT_EQ(moved.replica, first.replica);
}

TEST_F(DispatcherReplicasTest, OpenRequestsFollowWhatReplicasServeNow) {
  Make(2, {}, 1);
  Arrive(1);
  Arrive(2);
  for (const uint64_t id : {3, 4}) {
    DispatchRequest facts = Facts();
    facts.replicas = 0b01;
    dispatcher_->Arrive(id, facts, now());
  }
  EXPECT_TRUE(Actions().empty());
  dispatcher_->SetServing([](uint64_t request) -> uint64_t { return request == 3 ? 0b10 : 0; });
  dispatcher_->Tick(now());
  const auto hopeless = Only();
  EXPECT_EQ(hopeless.request, 4u);
  EXPECT_EQ(hopeless.reason, DispatchRefusal::kNoReplica);
  dispatcher_->Leave(1, now());
  dispatcher_->Leave(2, now());
  int sent = 0;
  for (const DispatchAction& one : Actions()) {
    if (one.kind != Kind::kSend) continue;
    EXPECT_EQ(one.request, 3u);
    EXPECT_EQ(one.replica, 1u);
    ++sent;
  }
  EXPECT_EQ(sent, 1);
}

TEST_F(DispatcherReplicasTest, RequestsWaitForAReplicaThatHasJustJoined) {
  dispatcher_.emplace(DispatchOptions{},
                      std::vector<ReplicaSetting>{{.present = false}, {.present = false}},
                      [] { return 0.0; });
  EXPECT_EQ(Arrive(1).reason, DispatchRefusal::kNoReplica);
  dispatcher_->SetPresent(0, true, now());
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->Probed(0, false, now());
  EXPECT_EQ(Only().reason, DispatchRefusal::kNoReplica);  // it is not well
  dispatcher_->SetPresent(1, true, now());
  dispatcher_->Arrive(3, Facts(), now());
  dispatcher_->Probed(1, true, now());
  EXPECT_EQ(Only().replica, 1u);
}

TEST_F(DispatcherReplicasTest, WhoWaitsForAReplicaThatLeavesIsRefused) {
  dispatcher_.emplace(DispatchOptions{}, std::vector<ReplicaSetting>{{.max_outstanding = 1}},
                      [] { return 0.0; });
  Arrive(1);
  dispatcher_->Arrive(2, Facts(), now());
  EXPECT_TRUE(Actions().empty());
  dispatcher_->SetPresent(0, false, now());
  const auto end = Only();
  EXPECT_EQ(end.request, 2u);
  EXPECT_EQ(end.reason, DispatchRefusal::kNoReplica);
}

}  // namespace
}  // namespace emptor::services
