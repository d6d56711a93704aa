// Rows of the scheduler's table: what a step finds, and what it plans.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/scheduler/policy.h"
#include "gtest/gtest.h"

namespace emptor::engine {

inline SequenceView Waiting(int known) { return {.running = false, .known_tokens = known}; }
/// With one token left it decodes.
inline SequenceView Running(int known, int computed, int blocks) {
  return {.running = true,
          .decodes = computed + 1 == known,
          .known_tokens = known,
          .computed_tokens = computed,
          .blocks = blocks};
}

inline SequenceView With(SequenceView view, const std::function<void(SequenceView&)>& change) {
  change(view);
  return view;
}
inline SequenceView Batch(SequenceView view) {
  view.priority = 1;
  return view;
}
/// Of a tenant for whom so much was done.
inline SequenceView Of(int tenant, uint64_t served, SequenceView view) {
  view.tenant = tenant;
  view.tenant_served = served;
  return view;
}
inline SequenceView Cached(int known, int blocks, int nobody_holds) {
  return {.known_tokens = known, .cached_blocks = blocks, .cached_free = nobody_holds};
}
inline SequenceView Overtaken(int times, SequenceView view) {
  view.overtaken = times;
  return view;
}
inline SequenceView Due(double seconds, SequenceView view) {
  view.seconds_left = seconds;
  return view;
}

/// A prompt, however few tokens are left of it.
inline SequenceView Prompt(SequenceView view) {
  view.decodes = false;
  return view;
}
inline SequenceView Drafts(int drafts, SequenceView view) {
  view.draft_tokens = drafts;
  return view;
}

struct PolicyCase {
  std::string name;
  SchedulerLimits limits;
  std::vector<SequenceView> sequences;
  int free_blocks;
  std::vector<StepWork> work;
  std::vector<int> preempted;
  std::vector<int> overtaken = {};
  std::vector<int> infeasible = {};
  EngineView engine = {};
};

inline const SchedulerLimits kLimits{.block_tokens = 4, .max_running = 3, .max_step_tokens = 8};

/// Tested in policy_test.cc, with the rows of every file.
class PolicyTest : public ::testing::TestWithParam<PolicyCase> {};

inline std::string NameOf(const ::testing::TestParamInfo<PolicyCase>& tested) {
  return tested.param.name;
}

}  // namespace emptor::engine
