// What two requests must share to get the same answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/encoding/sha256.h"
#include "services/assistant/events/assist_events.h"

namespace emptor::services {

/// What an answer depends on besides the request and the shop's records.
struct AnswerMaker {
  std::string_view shop;
  std::string_view model;  // "none": code answers
  std::string_view prompt_version;
  std::string_view default_locale;
};

/// SHA-256 over everything that is compared: no two shops and no two models share a key.
struct AnswerKey {
  catalog::Digest digest = {};
  uint64_t hash() const;  // the first bytes of the digest

  friend bool operator==(const AnswerKey&, const AnswerKey&) = default;
};

/// The key of a request that begins a conversation: shop, model, prompt version, locale, currency,
/// the request's filters, product page and length of the answer, and the message after NFKC, case
/// folding and with single blanks. Nothing where the message may identify a person (an e-mail
/// address, a phone, order or account number): its answer is nobody else's. Pure.
std::optional<AnswerKey> ComputeAnswerKey(const AnswerMaker& maker, const AssistRequest& request);

}  // namespace emptor::services
