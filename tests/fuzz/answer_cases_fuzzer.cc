// Any bytes as answer cases and as types: refused, or read such that an answer can be judged.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "services/eval/answer_judge.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto types = services::ParseCaseTypes(text);
  const auto cases = services::ParseCases(text);
  if (!cases.ok()) return 0;
  catalog::Product product;
  product.id = "a";
  product.title = "Kettle";
  product.attributes = {{"noise level", "72 dB"}};
  const services::GoldRecords records({product},
                                      types.ok() ? *std::move(types) : services::CaseTypes(), 0);
  (void)records.Check(*cases).ok();
  services::ShownAnswer answer;
  answer.cards = {"a"};
  answer.text = "Yes, [it](/p/a) is at 72 dB [1].";
  for (const services::CaseConversation& conversation : *cases) {
    std::vector<services::ShownAnswer> answers;
    for (size_t i = 0; i < conversation.turns.size(); ++i) {
      answers.push_back(answer);
      services::JudgeAnswer(conversation, answers, records);
    }
  }
  return 0;
}
