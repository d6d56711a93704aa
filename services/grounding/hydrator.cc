// The hydrator: spans in, safe text out, one sentence at a time.
#include "services/grounding/hydrator.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "services/grounding/answer_writer.h"
#include "services/grounding/claim_words.h"
#include "services/grounding/record_text.h"
#include "services/grounding/sentence.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxLeadIn = 32;    // spans that wait because they may begin a claim
constexpr size_t kClaimContext = 3;  // words after a number that belong to it
constexpr size_t kMaxWord = 40;      // bytes; a longer word in no source is nonsense of the model

}  // namespace

struct Hydrator::Impl {
  explicit Impl(HydratorOptions options);

  HydratedText Take();
  void Process(Span span);
  void ProcessInSentence(Span span);
  void OnWord(const Span& span);
  void OnNumber(const Span& span);
  void OnIdeograph(const Span& span);
  void OnQuote();
  void OnReference(const Reference& reference);
  void OnCitation(int n);
  void OnFact(const Reference& reference);
  bool CheckPhrase();
  bool CheckName(const std::string& word);
  bool IsKnownWord(const std::string& lower) const;
  const RecordText& TextOf(size_t source) const;

  NumberClaim ClaimOf(const Doubt& doubt) const;
  bool Confirms(int n, const Doubt& doubt) const;
  void ConfirmBySubject();
  bool ConfirmAllBy(int n);
  void Release();
  void Commit(size_t count);
  void Fail(DropRule rule);
  void Count(DropRule rule);
  void Close();
  void StateInstead();
  void AddCitation(int n);

  FactRenderer renderer;
  mutable std::vector<std::optional<RecordText>> texts;  // by source; made when a claim needs it
  std::unordered_set<std::string> question_words;
  bool checks_names = true;

  AnswerLexer lexer;
  AnswerWriter writer;
  Sentence sentence;
  int last_subject = 0;
  bool blank_after_end = false;
  std::set<std::pair<int, std::string>> stated;  // facts already in the answer
  std::vector<Citation> citations;
  HydratorStats stats;
  bool has_content = false;
};

Hydrator::Impl::Impl(HydratorOptions options) : renderer(std::move(options.render)) {
  texts.resize(renderer.options().sources.size());
  AnswerLexer words;
  std::vector<Span> spans = words.Push(CleanText(options.question));
  for (Span& span : words.Finish()) spans.push_back(std::move(span));
  for (const Span& span : spans) question_words.insert(WithoutPossessive(LowerCase(span.text)));
  const std::string& locale = renderer.options().locale;
  checks_names = locale.empty() || locale.rfind("en", 0) == 0 || locale.rfind("zh", 0) == 0;
}

/// Reading a long record costs milliseconds, and a text of references alone needs none of it.
const RecordText& Hydrator::Impl::TextOf(size_t source) const {
  std::optional<RecordText>& text = texts[source];
  if (!text) {
    const Source& read = renderer.options().sources[source];
    text.emplace(read.product() ? RecordText(*read.product()) : RecordText(*read.document()));
  }
  return *text;
}

HydratedText Hydrator::Impl::Take() { return {writer.Take(), std::exchange(citations, {})}; }

void Hydrator::Impl::Process(Span span) {
  if (!sentence.ended) return ProcessInSentence(std::move(span));
  const bool belongs = (span.kind == SpanKind::kReference && span.reference.field.empty()) ||
                       span.kind == SpanKind::kTerminal || span.text == ")" || span.text == "\"";
  if (belongs) return ProcessInSentence(std::move(span));
  if (span.kind == SpanKind::kSpace) {
    blank_after_end = true;
    return;
  }
  Close();
  ProcessInSentence(std::move(span));
}

void Hydrator::Impl::ProcessInSentence(Span span) {
  switch (span.kind) {
    case SpanKind::kNewline:
      Close();
      writer.LineBreak();
      return;
    case SpanKind::kReference:
      return OnReference(span.reference);
    case SpanKind::kDropped:
      if (span.rule == DropRule::kLink) return Fail(span.rule);
      if (!sentence.dropped()) Count(span.rule);
      return writer.Gap();
    default:
      break;
  }
  if (span.kind == SpanKind::kTerminal) sentence.ended = true;
  if (sentence.dropped()) return;
  if (span.kind == SpanKind::kCurrency) return Fail(DropRule::kMoney);
  if (span.kind == SpanKind::kStar) return Fail(DropRule::kRating);
  sentence.held.push_back(span);
  if (span.kind == SpanKind::kWord) OnWord(span);
  if (span.kind == SpanKind::kNumber) OnNumber(span);
  if (span.kind == SpanKind::kIdeograph) OnIdeograph(span);
  if (span.text == "\"") OnQuote();
  const bool opens_clause =
      span.text == ":" || span.text == "\"" || span.text == "(" || span.kind == SpanKind::kBullet;
  if (opens_clause) sentence.at_clause_start = true;
  if (!sentence.dropped()) Release();
}

void Hydrator::Impl::OnWord(const Span& span) {
  const std::string lower = LowerCase(span.text);
  sentence.words.push_back(lower);
  if (span.text.size() > kMaxWord && !IsKnownWord(lower)) return Fail(DropRule::kName);
  if (RepeatsItself(sentence.words)) return Fail(DropRule::kName);
  if (!CheckPhrase() || !CheckName(span.text)) return;
  const size_t count = sentence.words.size();
  if (count < 2 || !IsUnitWord(lower) || ParseNumberWord(sentence.words[count - 2]).empty()) return;
  // "thirty hours": the number word becomes a number to be confirmed.
  for (size_t i = sentence.held.size() - 1; i-- > 0;) {
    if (sentence.held[i].kind != SpanKind::kWord) continue;
    if (LowerCase(sentence.held[i].text) == sentence.words[count - 2]) {
      sentence.doubts.push_back({i, count - 2});
    }
    return;
  }
}

void Hydrator::Impl::OnNumber(const Span& span) {
  std::vector<std::string>& words = sentence.words;
  const size_t count = words.size();
  const bool is_scale =
      span.text == "5" && count > 0 &&
      (words.back() == "<rating>" || (count > 2 && words[count - 1] == "of" &&
                                      words[count - 2] == "out" && words[count - 3] == "<rating>"));
  const bool is_code = !std::isdigit(static_cast<unsigned char>(span.text[0]));
  sentence.at_clause_start = false;
  if (is_scale) return words.push_back("<scale>");
  if (DeniesKnowledge(words) && question_words.count(LowerCase(span.text)) != 0) {
    return words.push_back(LowerCase(span.text));  // "does not say anything about 5G"
  }
  words.push_back(is_code ? LowerCase(span.text) : std::string(kNumberWord));
  if (span.text.ends_with("/5") || span.text.ends_with("/10")) return Fail(DropRule::kRating);
  if (CheckPhrase()) sentence.doubts.push_back({sentence.held.size() - 1, words.size() - 1});
}

void Hydrator::Impl::OnIdeograph(const Span& span) {
  sentence.words.push_back(span.text);
  sentence.at_clause_start = false;
  CheckPhrase();
}

/// Text in quotes must be words of a source or of the shopper. 27" is not a quote.
void Hydrator::Impl::OnQuote() {
  const std::vector<Span>& held = sentence.held;
  if (!sentence.in_quotes) {
    sentence.in_quotes = held.size() < 2 || held[held.size() - 2].kind != SpanKind::kNumber;
    return;
  }
  sentence.in_quotes = false;
  for (size_t i = held.size() - 1; i-- > 0 && held[i].text != "\"";) {
    if (held[i].kind != SpanKind::kWord) continue;
    const std::string lower = WithoutPossessive(LowerCase(held[i].text));
    if (!IsKnownWord(lower) && !IsLeadIn(lower) && question_words.count(lower) == 0) {
      return Fail(DropRule::kName);
    }
  }
}

/// False if the words now end with a forbidden phrase; the sentence is then dropped, or the word
/// alone.
bool Hydrator::Impl::CheckPhrase() {
  const auto rule = FindForbiddenPhrase(sentence.words);
  if (!rule) return true;
  const size_t count = sentence.words.size();
  if (*rule == DropRule::kMoney && count > 1 && IsMoneyFact(sentence.words[count - 2])) {
    sentence.held.pop_back();  // "[1:price] dollars": the fact says it already
    sentence.words.pop_back();
    writer.Gap();
    return false;
  }
  Fail(*rule);
  return false;
}

bool Hydrator::Impl::IsKnownWord(const std::string& lower) const {
  const auto in_sources = [&](std::string_view word) {
    for (size_t i = 0; i < texts.size(); ++i) {
      if (TextOf(i).HasWord(word)) return true;
    }
    return false;
  };
  if (IsCommonProperWord(lower) || in_sources(lower)) return true;
  if (question_words.count(lower) != 0 &&
      std::any_of(sentence.words.begin(), sentence.words.end(), IsNegation)) {
    return true;
  }
  const size_t hyphen = lower.find('-');
  return hyphen != std::string::npos && in_sources(std::string_view(lower).substr(0, hyphen)) &&
         in_sources(std::string_view(lower).substr(hyphen + 1));
}

/// False if `word` is a name that no source contains; the sentence is then dropped.
bool Hydrator::Impl::CheckName(const std::string& word) {
  const bool is_first = std::exchange(sentence.at_clause_start, false);
  const bool was_odd = std::exchange(sentence.first_is_odd, false);
  if (!checks_names || !StartsWithCapital(word)) return true;
  const std::string lower = WithoutPossessive(LowerCase(word));
  if (was_odd) {
    Fail(DropRule::kName);
    return false;
  }
  if (is_first && IsSentenceStarter(lower)) return true;
  if (IsAcronym(word) || IsKnownWord(lower)) return true;
  sentence.first_is_odd = is_first;
  if (is_first) return true;
  Fail(DropRule::kName);
  return false;
}

void Hydrator::Impl::OnReference(const Reference& reference) {
  sentence.at_clause_start = false;
  sentence.first_is_odd = false;
  if (reference.field.empty()) return OnCitation(reference.source);
  OnFact(reference);
}

void Hydrator::Impl::OnCitation(int n) {
  if (renderer.source(n) == nullptr) {
    Count(DropRule::kReference);
    return writer.Gap();
  }
  if (!sentence.dropped() && !ConfirmAllBy(n)) Fail(DropRule::kNumber);
  if (sentence.dropped()) {
    if (sentence.later_subject == 0) sentence.later_subject = n;
    return;
  }
  Commit(sentence.held.size());
  sentence.subject = n;
  if (!sentence.shown || !sentence.cited.insert(n).second) return;
  ++stats.references;
  writer.Cite(n + renderer.options().numbers_before);
  AddCitation(n);
}

void Hydrator::Impl::OnFact(const Reference& reference) {
  const int n = reference.source;
  if (!sentence.dropped()) {
    ConfirmBySubject();
    const int judge = sentence.subject != 0 ? 0 : n;
    if (!sentence.doubts.empty() && !ConfirmAllBy(judge)) Fail(DropRule::kNumber);
  }
  if (sentence.dropped()) {
    if (renderer.source(n) != nullptr && sentence.later_subject == 0) sentence.later_subject = n;
    return;
  }
  const bool denies_budget = reference.field == "budget" && SaysThereIsNone(sentence.words);
  if (denies_budget && renderer.AnyWithinBudget()) return Fail(DropRule::kMoney);
  const auto text = renderer.Render(reference);
  if (renderer.source(n) != nullptr) sentence.subject = n;
  if (!text) return Fail(DropRule::kReference);
  Commit(sentence.held.size());
  writer.Text(*text);
  sentence.shown = has_content = true;
  sentence.closed_by_fact = EndsSentence(*text);
  sentence.words.push_back(FactWord(reference.field));
  sentence.facts.push_back(reference);
  stated.insert({n, reference.field});
  ++stats.references;
}

/// The number in doubt with the words around it.
NumberClaim Hydrator::Impl::ClaimOf(const Doubt& doubt) const {
  const auto& held = sentence.held;
  NumberClaim claim;
  const std::string by_word = ParseNumberWord(LowerCase(held[doubt.at].text));
  claim.token = by_word.empty() ? held[doubt.at].text : by_word;
  for (size_t i = doubt.at + 1; i < held.size() && claim.after.size() < kClaimContext; ++i) {
    const bool is_inch = held[i].text == "\"" || held[i].text == "\u2033";
    if (IsShown(held[i].kind) || is_inch) claim.after.push_back(LowerCase(held[i].text));
  }
  for (size_t i = doubt.word; i-- > 0 && claim.before.size() < kClaimContext;) {
    claim.before.push_back(sentence.words[i]);
  }
  return claim;
}

bool Hydrator::Impl::Confirms(int n, const Doubt& doubt) const {
  return renderer.source(n) != nullptr &&
         TextOf(static_cast<size_t>(n) - 1).Supports(ClaimOf(doubt));
}

/// Clears the doubt about numbers that the subject confirms.
void Hydrator::Impl::ConfirmBySubject() {
  std::erase_if(sentence.doubts,
                [&](const Doubt& doubt) { return Confirms(sentence.subject, doubt); });
}

bool Hydrator::Impl::ConfirmAllBy(int n) {
  ConfirmBySubject();
  std::erase_if(sentence.doubts, [&](const Doubt& doubt) { return Confirms(n, doubt); });
  return sentence.doubts.empty();
}

/// Passes on all spans without doubt, except a tail that may begin a claim.
void Hydrator::Impl::Release() {
  std::vector<Span>& held = sentence.held;
  if (!sentence.doubts.empty()) {
    const auto words_behind =
        std::count_if(held.begin() + static_cast<std::ptrdiff_t>(sentence.doubts.back().at) + 1,
                      held.end(), [](const Span& span) { return IsShown(span.kind); });
    if (words_behind >= static_cast<std::ptrdiff_t>(kClaimContext)) ConfirmBySubject();
    if (!sentence.doubts.empty()) return;
  }
  if (sentence.ended || sentence.first_is_odd || sentence.in_quotes) return;
  size_t keep = 0;
  for (; keep < held.size() && keep < kMaxLeadIn; ++keep) {
    const Span& span = held[held.size() - 1 - keep];
    const bool is_word = IsShown(span.kind);
    const bool may_lead = is_word ? IsLeadIn(LowerCase(span.text)) : true;
    if (!may_lead) break;
  }
  Commit(held.size() - keep);
}

void Hydrator::Impl::Commit(size_t count) {
  std::vector<Span>& held = sentence.held;
  for (size_t i = 0; i < count; ++i) {
    const Span& span = held[i];
    if (span.kind == SpanKind::kSpace) {
      writer.Blank();
    } else if (span.kind == SpanKind::kBullet) {
      writer.Bullet(span.text);
    } else if (IsShown(span.kind)) {
      writer.Text(span.text);
      sentence.shown = has_content = true;
      sentence.closed_by_fact = false;
    } else if (span.kind == SpanKind::kTerminal && sentence.closed_by_fact) {
      continue;
    } else if (sentence.shown || span.kind == SpanKind::kPunctuation) {
      writer.Text(span.text);
    }
  }
  held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(count));
}

void Hydrator::Impl::Count(DropRule rule) {
  ++stats.dropped;
  ++stats.by_rule[static_cast<size_t>(rule)];
}

/// Drops what is held and the rest of the sentence.
void Hydrator::Impl::Fail(DropRule rule) {
  if (sentence.dropped()) return;
  Count(rule);
  sentence.rule = rule;
  sentence.held.clear();
  sentence.doubts.clear();
}

/// Ends the sentence: the subject of the answer so far must confirm what is still in doubt.
void Hydrator::Impl::Close() {
  if (!sentence.dropped() && !sentence.doubts.empty()) {
    int judge = sentence.subject != 0 ? 0 : last_subject;
    if (sentence.subject == 0 && judge == 0 && texts.size() == 1) judge = 1;
    if (!ConfirmAllBy(judge)) Fail(DropRule::kNumber);
  }
  if (sentence.in_quotes) Fail(DropRule::kName);  // a quote without an end
  if (!sentence.dropped()) {
    if (const auto rule = FindForbiddenEnding(sentence.words)) Fail(*rule);
  }
  if (sentence.dropped()) {
    StateInstead();
  } else {
    Commit(sentence.held.size());
  }
  for (const Reference& fact : sentence.facts) {
    if (fact.source > 0 && sentence.cited.insert(fact.source).second) AddCitation(fact.source);
  }
  if (sentence.subject != 0) last_subject = sentence.subject;
  if (sentence.dropped()) writer.Gap();
  if (std::exchange(blank_after_end, false)) writer.Blank();
  sentence = Sentence();
}

/// Replaces a dropped sentence about a product by the fact of its record, if it has one.
void Hydrator::Impl::StateInstead() {
  int n = sentence.subject != 0 ? sentence.subject : sentence.later_subject;
  if (n == 0) n = last_subject;
  if (n == 0 && texts.size() == 1) n = 1;
  const std::string field = ReplacementField(sentence.rule);
  const auto fact = field.empty() ? std::nullopt : renderer.PlainFact({n, field, ""});
  const bool is_stated = !fact || !stated.insert({n, field}).second;
  if (is_stated) {
    if (sentence.shown) writer.Text("\u2026");
    return;
  }
  const std::string labelled = std::string(renderer.formatter().Label(field)) + ": " + *fact;
  if (sentence.shown) {
    writer.Blank();
    writer.Text("(" + labelled + ").");
  } else {
    const auto title = renderer.Render({n, "title", ""});
    writer.Blank();
    writer.Text(title.value_or("") + " (" + labelled + ").");
  }
  has_content = true;
  ++stats.replaced;
  ++stats.references;
  sentence.facts.push_back({n, field, ""});
  sentence.cited.insert(n);
  writer.Cite(n + renderer.options().numbers_before);
  AddCitation(n);
  last_subject = n;
}

void Hydrator::Impl::AddCitation(int n) {
  citations.push_back(MakeCitation(renderer, n, sentence.facts));
}

Hydrator::Hydrator(HydratorOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Hydrator::~Hydrator() = default;

HydratedText Hydrator::Push(std::string_view text) {
  for (Span& span : impl_->lexer.Push(text)) impl_->Process(std::move(span));
  return impl_->Take();
}

HydratedText Hydrator::Finish() {
  for (Span& span : impl_->lexer.Finish()) impl_->Process(std::move(span));
  impl_->Close();
  return impl_->Take();
}

const HydratorStats& Hydrator::stats() const { return impl_->stats; }
bool Hydrator::has_content() const { return impl_->has_content; }

}  // namespace emptor::services
