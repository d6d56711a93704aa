// One walk over the trie for each new position; what it finds is kept.
#include "engine/structure/output_grammar.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace emptor::engine {
namespace {

constexpr size_t kMaxMaskBytes = 8u << 20;
constexpr size_t kMaxDecided = 4096;

/// A stack of return states that many walks share: nodes that point downwards. Node 0 is the
/// bottom: the stack that the walk began with, of which nothing is known.
struct StackNode {
  NfaStateId top = -1;
  int32_t below = -1;
  int depth = 0;
};

/// The position of a walk after the bytes of a trie node.
struct Place {
  int32_t local = 0;
  int32_t stack = 0;
  bool popped = false;  // some shorter beginning came to the end of the rule at the bottom
};

/// One walk over a trie from a local, with the stack below it unknown or known to be `known`.
class Walk {
 public:
  Walk(Pushdown& pushdown, const Pushdown::Position& start, bool exactly)
      : pushdown_(pushdown), nodes_(1), known_(exactly || start.stack.empty()) {
    if (known_) {
      for (const NfaStateId top : start.stack) Push(top);
      base_ = nodes_.back().depth;
    }
    place_ = {start.local, static_cast<int32_t>(nodes_.size() - 1), false};
  }

  const Place& start() const { return place_; }
  int reach() const { return reach_; }
  bool known() const { return known_; }

  /// Whether the unknown stack can continue from that position.
  bool AtBottom(const Place& place) const {
    return !known_ && place.stack == 0 && pushdown_.pops(place.local);
  }

  std::optional<Place> Advance(const Place& from, uint8_t byte) {
    const Pushdown::Step* step = pushdown_.Next(from.local, byte);
    Place to{-1, from.stack, from.popped || AtBottom(from)};
    while (step != nullptr) {
      if (!Take(*step, to)) return std::nullopt;
      if (!pushdown_.pops(to.local) || to.stack == 0) return to;
      const StackNode top = nodes_[static_cast<size_t>(to.stack)];
      to.stack = top.below;
      step = pushdown_.Return(to.local, top.top);
    }
    return std::nullopt;
  }

 private:
  int32_t Push(NfaStateId top) { return Push(top, static_cast<int32_t>(nodes_.size() - 1)); }
  int32_t Push(NfaStateId top, int32_t below) {
    nodes_.push_back({top, below, nodes_[static_cast<size_t>(below)].depth + 1});
    return static_cast<int32_t>(nodes_.size() - 1);
  }

  bool Take(const Pushdown::Step& step, Place& to) {
    const int depth = nodes_[static_cast<size_t>(to.stack)].depth;
    reach_ = std::max(reach_, depth - base_ + step.need);
    to.local = step.local;
    if (known_ && depth + step.need > Pushdown::kMaxDepth) {
      to.local = pushdown_.WithinStep(step, Pushdown::kMaxDepth - depth);
      if (to.local < 0) return false;
    }
    for (const NfaStateId top : step.push) to.stack = Push(top, to.stack);
    return true;
  }

  Pushdown& pushdown_;
  std::vector<StackNode> nodes_;
  bool known_;
  int base_ = 0;
  int reach_ = 0;
  Place place_;
};

}  // namespace

OutputGrammar::OutputGrammar(std::shared_ptr<const VocabularyTrie> trie, Pushdown pushdown)
    : trie_(std::move(trie)), pushdown_(std::move(pushdown)) {}

OutputGrammar::Position OutputGrammar::Start() const {
  const std::lock_guard lock(mutex_);
  return pushdown_.Start();
}

bool OutputGrammar::accepts(const Position& position) const {
  const std::lock_guard lock(mutex_);
  return pushdown_.accepts(position);
}

bool OutputGrammar::complete(const Position& position) const {
  const std::lock_guard lock(mutex_);
  return pushdown_.accepts(position) && pushdown_.exhausted(position);
}

bool OutputGrammar::Accept(Position& position, int32_t token) const {
  if (token < 0 || token >= trie_->size() || trie_->bytes(token).empty()) return false;
  const std::lock_guard lock(mutex_);
  const std::string& bytes = trie_->bytes(token);
  return std::all_of(bytes.begin(), bytes.end(), [&](char byte) {
    return pushdown_.Advance(position, static_cast<uint8_t>(byte));
  });
}

/// REQUIRES: mutex_ is held.
OutputGrammar::LocalMask OutputGrammar::WalkTrie(const Position& position, bool exactly) const {
  Walk walk(pushdown_, position, exactly);
  std::vector<int32_t> allowed, open;
  std::vector<Place> places(257);  // before the node of each depth
  places[0] = walk.start();
  const auto nodes = trie_->nodes();
  for (size_t i = 0; i < nodes.size();) {
    const VocabularyTrie::Node& node = nodes[i];
    const Place& from = places[node.depth];
    const std::optional<Place> to = walk.Advance(from, node.byte);
    if (to) {
      places[size_t{node.depth} + 1] = *to;
      const auto tokens = trie_->TokensAt(node);
      allowed.insert(allowed.end(), tokens.begin(), tokens.end());
      ++i;
      continue;
    }
    if (from.popped || walk.AtBottom(from)) {
      const auto tokens = trie_->TokensOf(node);
      open.insert(open.end(), tokens.begin(), tokens.end());
    }
    i = node.after;
  }
  return {TokenMask(std::move(allowed), trie_->size()), std::move(open), walk.reach()};
}

/// REQUIRES: mutex_ is held.
std::shared_ptr<const OutputGrammar::LocalMask> OutputGrammar::FindLocalMask(
    const Position& position) const {
  const auto find = [&](const Key& key, bool exactly) {
    std::shared_ptr<const LocalMask>& mask = local_masks_[key];
    if (!mask) {
      mask = std::make_shared<const LocalMask>(WalkTrie(position, exactly));
      mask_bytes_ += mask->mask.bytes() + mask->open.size() * sizeof(int32_t) + 256;
    }
    return mask;
  };
  if (mask_bytes_ > kMaxMaskBytes) {
    local_masks_.clear();
    decided_.clear();
    mask_bytes_ = 0;
  }
  // An empty stack is known; a return state of no rule distinguishes it from an unknown one.
  const bool is_empty = position.stack.empty();
  const Key key{position.local, is_empty ? std::vector<NfaStateId>{-1} : std::vector<NfaStateId>{}};
  std::shared_ptr<const LocalMask> mask = find(key, false);
  const auto depth = static_cast<int>(position.stack.size());
  if (depth + mask->reach <= Pushdown::kMaxDepth) return mask;
  return is_empty ? mask : find({position.local, position.stack}, true);
}

/// Those of the open tokens that this stack allows. REQUIRES: mutex_ is held.
std::vector<int32_t> OutputGrammar::FindOpen(const Position& position,
                                             const LocalMask& local) const {
  const Key key{position.local, position.stack};
  const auto known = decided_.find(key);
  if (known != decided_.end()) return known->second;
  std::vector<int32_t> allowed;
  for (const int32_t token : local.open) {
    Position walked = position;
    const std::string& bytes = trie_->bytes(token);
    const bool possible = std::all_of(bytes.begin(), bytes.end(), [&](char byte) {
      return pushdown_.Advance(walked, static_cast<uint8_t>(byte));
    });
    if (possible) allowed.push_back(token);
  }
  if (decided_.size() >= kMaxDecided) decided_.clear();
  decided_.emplace(key, allowed);
  return allowed;
}

void OutputGrammar::MaskInto(const Position& position, std::span<const int32_t> ends,
                             std::span<float> logits) const {
  std::shared_ptr<const LocalMask> local;
  std::vector<int32_t> also;
  {
    const std::lock_guard lock(mutex_);
    local = FindLocalMask(position);
    if (!local->open.empty()) also = FindOpen(position, *local);
    if (pushdown_.accepts(position)) also.insert(also.end(), ends.begin(), ends.end());
  }
  local->mask.ApplyInto(logits, also);
}

}  // namespace emptor::engine
