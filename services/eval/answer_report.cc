// Sums over judged turns.
#include "services/eval/answer_report.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/eval/answer_words.h"

namespace emptor::services {
namespace {

using Turns = std::vector<const JudgedTurn*>;

const CaseTurn& CaseOf(const JudgedTurn& turn) { return turn.conversation->turns[turn.turn]; }

Turns Select(const std::vector<JudgedTurn>& turns,
             const std::function<bool(const JudgedTurn&)>& wanted) {
  Turns found;
  for (const JudgedTurn& turn : turns) {
    if (wanted(turn)) found.push_back(&turn);
  }
  return found;
}

size_t Count(const Turns& turns, const std::function<bool(const JudgedTurn&)>& holds) {
  return static_cast<size_t>(std::count_if(turns.begin(), turns.end(),
                                           [&](const JudgedTurn* turn) { return holds(*turn); }));
}

std::string Share(size_t part, size_t all) {
  return all == 0 ? fmt::format("{:>16}", "-")
                  : fmt::format("{:>5.3f} {:>4}/{:<5}",
                                static_cast<double>(part) / static_cast<double>(all), part, all);
}

bool IsRight(const JudgedTurn& turn) { return turn.verdict.is_right(); }

double Percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto place = static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[place];
}

/// Sentences with their figures and the labels of links masked.
std::set<std::string> PatternsOf(const Turns& turns, size_t& sentences) {
  std::set<std::string> patterns;
  for (const JudgedTurn* turn : turns) {
    for (const std::string& sentence : SentencesOf(turn->answer.text)) {
      std::string pattern;
      bool in_label = false;
      for (const char c : sentence) {
        if (c == '[') in_label = true;
        if (c == ')' || c == ']') in_label = false;
        if (!in_label && std::isdigit(static_cast<unsigned char>(c)) == 0) pattern += c;
      }
      patterns.insert(pattern);
      ++sentences;
    }
  }
  return patterns;
}

struct Sums {
  size_t turns = 0, right = 0, follows = 0, kept = 0, false_statements = 0, wrong_cards = 0,
         with_cards = 0, denials = 0;
  double facts = 0, words = 0;
};

Sums SumOf(const Turns& turns) {
  Sums sums;
  sums.turns = turns.size();
  sums.right = Count(turns, IsRight);
  const auto follows = [](const JudgedTurn& turn) { return CaseOf(turn).follows; };
  sums.follows = Count(turns, follows);
  sums.kept = Count(turns, [&](const JudgedTurn& turn) { return follows(turn) && IsRight(turn); });
  for (const JudgedTurn* turn : turns) {
    const Verdict& verdict = turn->verdict;
    sums.false_statements += static_cast<size_t>(verdict.false_statements);
    sums.wrong_cards += verdict.wrong_card;
    sums.with_cards += CaseOf(*turn).expect.cards.has_value();
    sums.denials += verdict.false_denial;
    sums.facts += verdict.facts;
    sums.words += static_cast<double>(
        std::count(turn->answer.text.begin(), turn->answer.text.end(), ' ') + 1);
  }
  return sums;
}

std::string TotalLines(std::string_view name, const Turns& turns) {
  const Sums sums = SumOf(turns);
  const double count = std::max<double>(1, static_cast<double>(sums.turns));
  std::string text = fmt::format("{}\n", name);
  text += fmt::format("  right                    {}\n", Share(sums.right, sums.turns));
  text += fmt::format("  right on later turns     {}\n", Share(sums.kept, sums.follows));
  text += fmt::format("  a wrong card             {}\n", Share(sums.wrong_cards, sums.with_cards));
  text += fmt::format("  denies what is there     {}\n", Share(sums.denials, sums.turns));
  text += fmt::format("  false statements         {:>5} in {} answers of {:.2f} facts\n",
                      sums.false_statements, sums.turns, sums.facts / count);
  text += fmt::format("  words an answer          {:>5.1f}\n", sums.words / count);
  return text;
}

std::string KindLines(const std::vector<JudgedTurn>& turns,
                      const std::function<std::string(const JudgedTurn&)>& name) {
  std::map<std::string, std::pair<size_t, size_t>> sums;
  for (const JudgedTurn& turn : turns) {
    auto& [right, all] = sums[name(turn)];
    right += IsRight(turn);
    ++all;
  }
  std::string text;
  for (const auto& [each, sum] : sums) {
    text += fmt::format("  {:<24} {}\n", each, Share(sum.first, sum.second));
  }
  return text;
}

std::string CheckLines(const Turns& turns) {
  std::map<std::string, size_t> failed;
  for (const JudgedTurn* turn : turns) {
    std::set<std::string> checks;
    for (const Failure& failure : turn->verdict.failures) checks.insert(failure.check);
    for (const std::string& check : checks) ++failed[check];
  }
  std::string text = "checks that failed, in turns\n";
  for (const auto& [check, count] : failed) text += fmt::format("  {:<24} {:>5}\n", check, count);
  return text;
}

std::string TimeLines(const Turns& turns) {
  std::vector<double> first, understand;
  for (const JudgedTurn* turn : turns) {
    first.push_back(turn->answer.first_token_ms);
    understand.push_back(turn->answer.understand_ms);
  }
  size_t sentences = 0;
  const size_t patterns = PatternsOf(turns, sentences).size();
  return fmt::format(
      "milliseconds: first text p50 {:.1f}, p99 {:.1f}; understanding p50 {:.2f}, p99 {:.2f}\n"
      "sentence patterns: {} of {} sentences\n",
      Percentile(first, 0.5), Percentile(first, 0.99), Percentile(understand, 0.5),
      Percentile(understand, 0.99), patterns, sentences);
}

std::string FailureLines(const JudgedTurn& turn) {
  std::string text = fmt::format("{} turn {} [{}] {}\n", turn.conversation->id, turn.turn + 1,
                                 CaseOf(turn).kind, CaseOf(turn).say);
  text += fmt::format("    said: {}\n", turn.answer.text);
  std::string cards;
  for (const std::string& id : turn.answer.cards) cards += " " + id;
  if (!cards.empty()) text += fmt::format("    cards:{}\n", cards);
  for (const Failure& failure : turn.verdict.failures) {
    text += fmt::format("    {}: {}\n", failure.check, failure.what);
  }
  return text;
}

bool IsOpen(const JudgedTurn& turn) { return !turn.conversation->is_sealed(); }
bool IsSealed(const JudgedTurn& turn) { return turn.conversation->is_sealed(); }

}  // namespace

double ShareRight(const std::vector<JudgedTurn>& turns) {
  const auto right = std::count_if(turns.begin(), turns.end(), IsRight);
  return turns.empty() ? 0 : static_cast<double>(right) / static_cast<double>(turns.size());
}

std::string AnswerReportText(const std::vector<JudgedTurn>& turns, bool failures) {
  const Turns open = Select(turns, IsOpen), sealed = Select(turns, IsSealed);
  std::string text = TotalLines("open cases", open);
  if (!sealed.empty()) text += TotalLines("sealed cases", sealed);
  text += "right, by kind\n" +
          KindLines(turns, [](const JudgedTurn& turn) { return CaseOf(turn).kind; });
  text += "right, by language\n" +
          KindLines(turns, [](const JudgedTurn& turn) { return CaseOf(turn).expect.language; });
  text += "answers, by step\n" +
          KindLines(turns, [](const JudgedTurn& turn) { return turn.answer.answer_step; });
  text += CheckLines(open) + TimeLines(Select(turns, [](const JudgedTurn&) { return true; }));
  if (!failures) return text;
  for (const JudgedTurn* turn : open) {
    if (!IsRight(*turn)) text += "\n" + FailureLines(*turn);
  }
  return text;
}

std::string AnswerReportJson(const std::vector<JudgedTurn>& turns) {
  std::string lines;
  for (const JudgedTurn& turn : turns) {
    catalog::JsonWriter writer;
    writer.BeginObject()
        .Member("turn", fmt::format("{}#{}", turn.conversation->id, turn.turn + 1))
        .Member("kind", CaseOf(turn).kind)
        .Member("language", CaseOf(turn).expect.language)
        .Member("follows", CaseOf(turn).follows)
        .Member("sealed", turn.conversation->is_sealed())
        .Member("right", IsRight(turn))
        .Member("answer_step", turn.answer.answer_step)
        .Member("false_statements", turn.verdict.false_statements)
        .Member("facts", turn.verdict.facts)
        .Member("first_text_ms", turn.answer.first_token_ms);
    writer.Key("failed").BeginArray();
    for (const Failure& failure : turn.verdict.failures) writer.String(failure.check);
    writer.EndArray();
    if (IsOpen(turn)) {
      writer.Member("question", CaseOf(turn).say).Member("said", turn.answer.text);
    }
    writer.EndObject();
    lines += writer.text() + "\n";
  }
  return lines;
}

}  // namespace emptor::services
