// Sentences of Markdown as it streams.
#include "services/assistant/plan/claim_gate.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using Kind = Statement::Kind;

bool IsBlank(char c) { return c == ' ' || c == '\n'; }

/// Where the sentence that begins the text ends, its marks of sources and blanks included; npos
/// while more text may belong to it.
size_t EndOfSentence(std::string_view text) {
  int depth = 0;  // of brackets
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || c == '(') ++depth;
    if ((c == ']' || c == ')') && depth > 0) --depth;
    const bool has_words =
        text.substr(0, at).find_first_not_of("0123456789 -\n") != std::string_view::npos;
    if (!has_words) continue;
    if (c == '\n') {
      const size_t next = text.find_first_not_of("\n ", at);
      return next == std::string_view::npos ? next : next;
    }
    if (depth > 0) continue;
    const bool is_wide = text.substr(at).starts_with("。") || text.substr(at).starts_with("！") ||
                         text.substr(at).starts_with("？");
    const bool is_mark = c == '.' || c == '!' || c == '?';
    if (!is_wide && !is_mark) continue;
    size_t next = at + (is_wide ? 3 : 1);
    if (is_mark && next < text.size() && !IsBlank(text[next])) continue;
    while (true) {
      const size_t word = text.find_first_not_of(' ', next);
      if (word == std::string_view::npos) return word;
      if (text[word] != '[') return word;
      const size_t close = text.find(']', word);
      if (close == std::string_view::npos) return close;
      const bool is_source =
          text.substr(word + 1, close - word - 1).find_first_not_of("0123456789") ==
          std::string_view::npos;
      if (!is_source) return word;
      next = close + 1;
    }
  }
  return std::string_view::npos;
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

/// Without the mark of a list.
std::string_view WithoutBullet(std::string_view sentence) {
  const size_t begin = sentence.find_first_not_of(" \n");
  if (begin == std::string_view::npos) return {};
  sentence.remove_prefix(begin);
  if (sentence.starts_with("- ")) return sentence.substr(2);
  const size_t digits = sentence.find_first_not_of("0123456789");
  const bool is_number =
      digits != std::string_view::npos && digits > 0 && sentence.substr(digits).starts_with(". ");
  return is_number ? sentence.substr(digits + 2) : sentence;
}

/// The plan's answer stands before all else.
bool Leads(const Statement& statement) {
  return statement.kind == Kind::kAffirm || statement.kind == Kind::kDeny ||
         statement.kind == Kind::kNotStated || statement.kind == Kind::kBest ||
         statement.kind == Kind::kTotal;
}

std::set<std::string> AttributeNames(const std::vector<Source>& sources) {
  std::set<std::string> names;
  for (const Source& source : sources) {
    if (source.product() == nullptr) continue;
    for (const catalog::Attribute& each : source.product()->attributes) {
      names.insert(LowerCase(CleanText(each.name)));
    }
  }
  return names;
}

/// A name of an attribute is no quotation: `the "noise level" is 65 dB`.
std::string WithoutQuotedNames(const std::string& sentence, const std::set<std::string>& names) {
  std::string text;
  for (size_t at = 0; at < sentence.size();) {
    const size_t open = sentence.find('"', at);
    const size_t close = open == std::string::npos ? open : sentence.find('"', open + 1);
    if (close == std::string::npos) return text + sentence.substr(at);
    const std::string quoted = sentence.substr(open + 1, close - open - 1);
    text += sentence.substr(at, open - at);
    // 27" is no quotation either: the next mark may open one.
    if (!names.contains(LowerCase(quoted))) {
      text += '"';
      at = open + 1;
      continue;
    }
    text += quoted;
    at = close + 1;
  }
  return text;
}

}  // namespace

ClaimGate::ClaimGate(ClaimSources sources, std::vector<Statement> plan)
    : names_(AttributeNames(sources.sources)),
      checker_(std::move(sources)),
      plan_(std::move(plan)),
      covered_(plan_.size(), false) {}

HydratedText ClaimGate::Push(HydratedText piece) {
  HydratedText shown;
  for (Citation& citation : piece.citations) citations_.push_back(std::move(citation));
  sentence_ += piece.text;
  for (size_t end = EndOfSentence(sentence_); end != std::string::npos;
       end = EndOfSentence(sentence_)) {
    std::string rest = sentence_.substr(end);
    sentence_.resize(end);
    Close(shown);
    sentence_ = std::move(rest);
  }
  return shown;
}

HydratedText ClaimGate::Finish() {
  HydratedText shown;
  if (!WithoutBullet(sentence_).empty()) Close(shown);
  sentence_.clear();
  citations_.clear();
  return shown;
}

/// A yes, a no and "it does not say" are the plan's.
bool ClaimGate::Contradicts(const ClaimVerdict& verdict) const {
  if (plan_.empty()) return false;
  const bool is_silent = std::any_of(plan_.begin(), plan_.end(), [](const Statement& each) {
    return each.kind == Kind::kNotStated;
  });
  if (verdict.is_denial && !is_silent) return true;
  if (!verdict.answer) return false;
  if (plan_[0].kind == Kind::kNotStated) return true;
  const bool decides = plan_[0].kind == Kind::kAffirm || plan_[0].kind == Kind::kDeny;
  if (!decides) return false;
  if (*verdict.answer != (plan_[0].kind == Kind::kAffirm)) return true;
  // "Yes, its run time is 60 min" is no answer to a question about a brush.
  return !plan_[0].key.empty() && !verdict.stated.empty() &&
         std::none_of(verdict.stated.begin(), verdict.stated.end(), [&](const StatedClaim& each) {
           return each.key == plan_[0].key || each.is_best;
         });
}

void ClaimGate::Close(HydratedText& shown) {
  ClaimVerdict verdict = checker_.Check(WithoutBullet(sentence_), subject_);
  if (verdict.is_entailed && Contradicts(verdict)) {
    verdict.is_entailed = false;
    verdict.rule = ClaimRule::kPolarity;
  }
  ++stats_.by_rule[static_cast<size_t>(verdict.rule)];
  const auto is_of_sentence = [&](const Citation& citation) {
    const bool is_stated =
        std::any_of(verdict.stated.begin(), verdict.stated.end(),
                    [&](const StatedClaim& each) { return each.source == citation.n; });
    return is_stated || sentence_.find("[" + std::to_string(citation.n) + "]") != std::string::npos;
  };
  if (verdict.is_entailed) {
    ++stats_.kept;
    shown.text += WithoutQuotedNames(sentence_, names_);
    if (verdict.subject != 0) subject_ = verdict.subject;
    Cover(verdict);
  } else {
    ++stats_.dropped;
  }
  std::deque<Citation> rest;
  for (Citation& citation : citations_) {
    if (!is_of_sentence(citation)) {
      rest.push_back(std::move(citation));
    } else if (verdict.is_entailed) {
      shown.citations.push_back(std::move(citation));
    }
  }
  citations_ = std::move(rest);
  judged_.push_back({std::string(Trimmed(sentence_)), std::move(verdict)});
}

void ClaimGate::Cover(const ClaimVerdict& verdict) {
  stated_.insert(stated_.end(), verdict.stated.begin(), verdict.stated.end());
  for (size_t i = 0; i < plan_.size(); ++i) {
    const Statement& statement = plan_[i];
    const auto states = [&](const std::string& key) {
      return std::any_of(stated_.begin(), stated_.end(), [&](const StatedClaim& each) {
        return each.source == statement.source && (key.empty() || each.key == key);
      });
    };
    const bool is_answer =
        verdict.answer && ((*verdict.answer && statement.kind == Kind::kAffirm) ||
                           (!*verdict.answer && statement.kind == Kind::kDeny));
    const bool has_keys = std::all_of(statement.keys.begin(), statement.keys.end(), states);
    if (is_answer || (statement.kind == Kind::kState && states(statement.key)) ||
        (statement.kind == Kind::kRecommend && has_keys && states(statement.key))) {
      covered_[i] = true;
    }
    if (statement.kind == Kind::kNotStated && verdict.is_denial) covered_[i] = true;
  }
}

std::vector<Statement> ClaimGate::TakeLead() {
  if (std::exchange(has_led_, true) || plan_.empty() || !Leads(plan_[0]) || covered_[0]) return {};
  covered_[0] = true;
  return {plan_[0]};
}

std::vector<Statement> ClaimGate::Missing() const {
  std::vector<Statement> missing;
  for (size_t i = 0; i < plan_.size(); ++i) {
    if (!covered_[i]) missing.push_back(plan_[i]);
  }
  return missing;
}

}  // namespace emptor::services
