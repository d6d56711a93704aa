// Fields with their lengths, hashed: no text of one field passes for the beginning of the next.
#include "services/assistant/cache/answer_key.h"

#include <cstring>

#include "retrieval/text/fold.h"
#include "services/assistant/dialogue/conversation_codec.h"
#include "services/faq/private_text.h"
#include "services/proto/answer_trace.pb.h"

namespace emptor::services {
namespace {

class FieldHash {
 public:
  FieldHash& Add(std::string_view field) {
    const uint64_t size = field.size();
    sha_.Update(&size, sizeof size);
    sha_.Update(field.data(), field.size());
    return *this;
  }
  FieldHash& Add(uint64_t number) {
    sha_.Update(&number, sizeof number);
    return *this;
  }
  AnswerKey Finish() { return {sha_.Finish()}; }

 private:
  catalog::Sha256 sha_;
};

std::string FilterBytes(const retrieval::Filter& filter) {
  assistant::v1::Filter message;
  WriteFilter(filter, message);
  return message.SerializeAsString();
}

uint64_t BitsOf(const retrieval::FilterParts& parts) {
  uint64_t bits = 0;
  for (int part = 0; part < retrieval::kFilterPartCount; ++part) {
    if (parts.contains(static_cast<retrieval::FilterPart>(part))) bits |= uint64_t{1} << part;
  }
  return bits;
}

}  // namespace

uint64_t AnswerKey::hash() const {
  uint64_t bits = 0;
  std::memcpy(&bits, digest.data(), sizeof bits);
  return bits;
}

std::optional<AnswerKey> ComputeAnswerKey(const AnswerMaker& maker, const AssistRequest& request) {
  if (MaskPrivate(request.message) != request.message) return std::nullopt;
  FieldHash hash;
  hash.Add(maker.shop).Add(maker.model).Add(maker.prompt_version).Add(maker.default_locale);
  hash.Add(request.locale).Add(request.currency).Add(request.page_product_id);
  hash.Add(static_cast<uint64_t>(request.max_tokens));
  hash.Add(FilterBytes(request.filter)).Add(BitsOf(request.named_filters));
  hash.Add(retrieval::FoldForComparison(request.message));
  return hash.Finish();
}

}  // namespace emptor::services
