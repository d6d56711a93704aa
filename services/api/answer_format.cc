// Events with ids, and parts of UI messages.
#include "services/api/answer_format.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "services/api/reply_codec.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;

/// Above every id of an answer, so that ids keep increasing.
constexpr int64_t kLastWordsId = 1000000;

ErrorEvent Restarting() {
  return {"unavailable", "the service is restarting, please try again", true};
}

StreamOptions OptionsOf() {
  StreamOptions options;
  options.headers = {{"Cache-Control", "no-store"},
                     {"X-Accel-Buffering", "no"},
                     {"X-Content-Type-Options", "nosniff"}};
  return options;
}

std::string FinishReasonOf(const DoneEvent& done) {
  const bool is_known = done.finish_reason == "stop" || done.finish_reason == "length";
  return is_known ? done.finish_reason : "other";
}

/// Writes the parts of one message.
class UiMessageWriter {
 public:
  explicit UiMessageWriter(std::string base_url) : base_url_(std::move(base_url)) {}

  std::string Write(const AssistEvent& event) {
    out_.clear();
    std::visit([this](const auto& each) { Add(each); }, event);
    return std::exchange(out_, {});
  }

 private:
  void Add(const StartEvent& start) {
    Begin("start").Member("messageId", start.id).Key("messageMetadata").BeginObject();
    WriteStartMembers(start, part_);
    part_.EndObject();
    End();
  }
  void Add(const ProductsEvent& products) {
    Begin("data-products").Member("id", "products").Key("data").BeginObject();
    part_.Key("items");
    WriteCards(products.items, base_url_, part_);
    part_.EndObject();
    for (const ProductCard& card : products.items) {
      titles_.emplace_back(card.product.id, card.product.title);
    }
    End();
  }
  void Add(const HandoffEvent& handoff) {
    Begin("data-handoff").Member("id", "handoff").Key("data").BeginObject();
    WriteHandoffMembers(handoff, part_);
    part_.EndObject();
    End();
  }
  void Add(const DeltaEvent& delta) {
    if (!std::exchange(has_text_, true)) {
      Begin("text-start").Member("id", kTextId);
      End();
    }
    Begin("text-delta").Member("id", kTextId).Member("delta", delta.text);
    End();
  }
  void Add(const Citation& citation) {
    Begin("data-citation").Member("id", fmt::format("citation-{}", ++citations_)).Key("data");
    WriteCitation(citation, part_);
    End();
    if (cited_.insert(citation.n).second) AddSource(citation);
  }
  void Add(const ErrorEvent& error) {
    EndText();
    Begin("error").Member("errorText", error.message);
    End();
    out_ += kDone;
  }
  void Add(const DoneEvent& done) {
    EndText();
    Begin("finish").Member("finishReason", FinishReasonOf(done)).Key("messageMetadata");
    part_.BeginObject();
    WriteDoneMembers(done, part_);
    part_.EndObject();
    End();
    out_ += kDone;
  }

  void AddSource(const Citation& citation) {
    const std::string id = std::to_string(citation.n);
    if (citation.product_id.empty()) {
      Begin("source-document").Member("sourceId", id).Member("mediaType", "text/plain");
      part_.Member("title", citation.title.empty() ? citation.passage_id : citation.title);
    } else {
      Begin("source-url").Member("sourceId", id);
      part_.Member("url", base_url_ + "/p/" + citation.product_id);
      for (const auto& [product, title] : titles_) {
        if (product == citation.product_id) part_.Member("title", title);
      }
    }
    End();
  }
  void EndText() {
    if (!std::exchange(has_text_, false)) return;
    Begin("text-end").Member("id", kTextId);
    End();
  }
  JsonWriter& Begin(std::string_view type) { return part_.BeginObject().Member("type", type); }
  void End() { out_ += "data: " + part_.EndObject().Take() + "\n\n"; }

  static constexpr const char* kTextId = "text";
  static constexpr const char* kDone = "data: [DONE]\n\n";

  const std::string base_url_;
  JsonWriter part_;
  std::string out_;
  std::vector<std::pair<std::string, std::string>> titles_;  // by product id
  std::set<int> cited_;
  int citations_ = 0;
  bool has_text_ = false;
};

}  // namespace

AnswerFormat MakeEventFormat(const std::string& base_url, const std::string& request_id) {
  AnswerFormat format;
  format.options = OptionsOf();
  format.options.last_words =
      FormatSse(kLastWordsId, "error", EventJson(Restarting(), base_url, request_id));
  format.write = [base_url, request_id](int64_t id, const AssistEvent& event) {
    return FormatSse(id, EventName(event), EventJson(event, base_url, request_id));
  };
  return format;
}

AnswerFormat MakeUiMessageFormat(const std::string& base_url) {
  AnswerFormat format;
  format.options = OptionsOf();
  format.options.headers.emplace_back(kUiMessageHeader, "v1");
  format.options.last_words = UiMessageWriter(base_url).Write(Restarting());
  format.write = [writer = std::make_shared<UiMessageWriter>(base_url)](
                     int64_t, const AssistEvent& event) { return writer->Write(event); };
  return format;
}

}  // namespace emptor::services
