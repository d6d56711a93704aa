// Questions about the shop itself: returns, delivery, payment (data/lexicon/policies.txt).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct PolicyTopic {
  std::string name;   // "return window"
  std::string words;  // English words that entries about it hold, for the search
};

/// The topic of the longest phrase that the message holds, in five languages. Pure.
std::optional<PolicyTopic> FindPolicyTopic(const FoldedMessage& message);

/// What words of the message or of the goods in focus make of the topic: "delivery time" of a sofa
/// is "large item delivery". Nothing where they change nothing. Pure.
std::optional<PolicyTopic> NarrowPolicyTopic(const PolicyTopic& topic, const FoldedMessage& said);

/// The topic whose phrases are nearest to the message, which is known to ask about a policy;
/// nothing where none is near. Pure.
std::optional<PolicyTopic> NearestPolicyTopic(std::string_view message);

/// How near a text is to topics, by name: at most five, the lengths of the vector is 1. Empty: it
/// is near none. Pure.
using TopicVector = std::map<std::string, double, std::less<>>;
TopicVector TopicsNear(std::string_view text);

/// The sum of `a` and `share` times `b`, of length 1. Pure.
TopicVector AddTopics(const TopicVector& a, const TopicVector& b, double share);

/// Cosine of two texts' topics, from 0 to 1. Pure.
double TopicSimilarity(const TopicVector& a, const TopicVector& b);

}  // namespace emptor::services
