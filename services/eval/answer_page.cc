// Tables first, then conversations as a shopper sees them.
#include "services/eval/answer_page.h"

#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "catalog/encoding/html.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--line:#8884;--good:#1a7f37;--bad:#c62828;--soft:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{margin-bottom:.25rem}h2{margin-top:2.5rem}h3{margin:2rem 0 .5rem;font-size:1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child,.words{text-align:left}
.words{white-space:normal}
meter{width:min(8rem,18vw);vertical-align:middle}
.frame{overflow-x:auto}
.turn{border-left:4px solid var(--good);padding:.1rem 1rem;margin:.75rem 0}
.wrong{border-color:var(--bad)}
.says{margin:.4rem 0;font-weight:600}
.answer{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.note{color:GrayText;font-size:.875rem;overflow-wrap:anywhere}
.failures{margin:.4rem 0;padding-left:1.2rem;color:var(--bad);overflow-wrap:anywhere}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem}
.pair>div{background:var(--soft);padding:.5rem .8rem}
)";

std::string PageOf(std::string_view title, const std::string& body) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{}</title><style>{}</style><h1>{}</h1>{}</html>\n",
      title, kStyle, title, body);
}

/// What a shopper sees of Markdown links: their labels.
std::string ShownText(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t label = text.find('['), middle = text.find("](", label),
                 end = text.find(')', middle);
    const bool is_link =
        middle < end && end != std::string_view::npos &&
        text.substr(label + 1, middle - label - 1).find('[') == std::string_view::npos;
    if (!is_link) {
      const size_t next = label == std::string_view::npos ? text.size() : label + 1;
      shown += catalog::EscapeHtml(text.substr(0, next));
      text.remove_prefix(next);
      continue;
    }
    shown += catalog::EscapeHtml(text.substr(0, label)) + "<b>" +
             catalog::EscapeHtml(text.substr(label + 1, middle - label - 1)) + "</b>";
    text.remove_prefix(end + 1);
  }
  return shown;
}

struct Count {
  size_t right = 0, all = 0;
};
using Counts = std::vector<std::pair<std::string, Count>>;

const CaseTurn& CaseOf(const JudgedTurn& turn) { return turn.conversation->turns[turn.turn]; }

bool IsRight(const JudgedTurn& turn) { return turn.verdict.is_right(); }
bool IsOpen(const JudgedTurn& turn) { return !turn.conversation->is_sealed(); }

Counts CountBy(const std::vector<JudgedTurn>& turns,
               const std::function<std::string(const JudgedTurn&)>& name) {
  std::map<std::string, Count> counts;
  for (const JudgedTurn& turn : turns) {
    Count& count = counts[name(turn)];
    count.right += IsRight(turn);
    ++count.all;
  }
  return {counts.begin(), counts.end()};
}

double ShareOf(const Count& count) {
  return count.all == 0 ? 0 : static_cast<double>(count.right) / static_cast<double>(count.all);
}

std::string CountTable(std::string_view head, const Counts& counts) {
  std::string rows;
  for (const auto& [name, count] : counts) {
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td><meter value=\"{:.3f}\"></meter> {:.0f} %</td>"
        "</tr>",
        catalog::EscapeHtml(name), count.right, count.all, ShareOf(count), 100 * ShareOf(count));
  }
  return fmt::format(
      "<div class=\"frame\"><table><tr><th>{}</th><th>right</th><th>answers</th><th>share</th>"
      "</tr>{}</table></div>",
      head, rows);
}

/// What it means that a check of docs/formats/answer_cases.md fails.
std::string_view MeaningOf(std::string_view check) {
  static const std::map<std::string_view, std::string_view> kMeanings = {
      {"language", "another language than the shopper's"},
      {"cards", "products are shown that do not meet the wish, or too few or too many"},
      {"about", "a product that is asked about is not named"},
      {"fact", "the value of the record is not stated"},
      {"yes_no", "a yes that should be a no, or the other way round"},
      {"winner", "the product named as the best is not the best"},
      {"document", "the right help page is not quoted"},
      {"says", "words that belong to the answer are missing"},
      {"never", "words that must not be in the answer"},
      {"admits", "it does not say that it does not know, or does not have it"},
      {"handoff", "the shopper is not handed over to a person"},
      {"refuses", "it answers what it should decline"},
      {"total", "the sum is missing or wrong"},
      {"truth", "a statement contradicts a record"},
      {"error", "the service refused or failed"}};
  const auto found = kMeanings.find(check);
  return found == kMeanings.end() ? "" : found->second;
}

/// The checks that open answers fail, with the number of answers.
std::string CheckTable(const std::vector<JudgedTurn>& turns) {
  std::map<std::string, size_t> failed;
  for (const JudgedTurn& turn : turns) {
    std::set<std::string> checks;
    for (const Failure& failure : turn.verdict.failures) checks.insert(failure.check);
    for (const std::string& check : checks) failed[check] += IsOpen(turn);
  }
  std::string rows;
  for (const auto& [check, count] : failed) {
    if (count == 0) continue;
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"words\">{}</td></tr>",
                        catalog::EscapeHtml(check), count, MeaningOf(check));
  }
  if (rows.empty()) return "";
  return "<div class=\"frame\"><table><tr><th>check that fails</th><th>answers</th><th "
         "class=\"words\">what is wrong</th></tr>" +
         rows + "</table></div>";
}

std::string FailureList(const std::vector<Failure>& failures) {
  std::string items;
  for (const Failure& failure : failures) {
    items += fmt::format("<li><b>{}</b>: {}</li>", catalog::EscapeHtml(failure.check),
                         catalog::EscapeHtml(failure.what));
  }
  return items.empty() ? "" : "<ul class=\"failures\">" + items + "</ul>";
}

std::string TurnBlock(const JudgedTurn& turn) {
  std::string cards;
  for (const std::string& id : turn.answer.cards) cards += (cards.empty() ? "" : ", ") + id;
  const std::string note =
      cards.empty() ? "" : "<p class=\"note\">Cards: " + catalog::EscapeHtml(cards) + "</p>";
  return fmt::format(
      "<div class=\"turn {}\"><p class=\"says\">{}</p><p class=\"answer\">{}</p>{}{}</div>",
      IsRight(turn) ? "right" : "wrong", catalog::EscapeHtml(CaseOf(turn).say),
      ShownText(turn.answer.text), note, FailureList(turn.verdict.failures));
}

std::string Conversations(const std::vector<JudgedTurn>& turns) {
  std::set<const CaseConversation*> failed;
  for (const JudgedTurn& turn : turns) {
    if (IsOpen(turn) && !IsRight(turn)) failed.insert(turn.conversation);
  }
  if (failed.empty()) return "<p>Every answer of the open conversations is right.</p>";
  std::string html;
  const CaseConversation* last = nullptr;
  for (const JudgedTurn& turn : turns) {
    if (!failed.contains(turn.conversation)) continue;
    if (turn.conversation != std::exchange(last, turn.conversation)) {
      html += fmt::format("<h3>{} <span class=\"note\">{}</span></h3>",
                          catalog::EscapeHtml(turn.conversation->id),
                          catalog::EscapeHtml(CaseOf(turn).kind));
    }
    html += TurnBlock(turn);
  }
  return html;
}

std::string ChangeBlocks(const std::vector<ChangedAnswer>& changed, bool is_right_now) {
  if (changed.empty()) return "<p>None.</p>";
  std::string html;
  for (const ChangedAnswer& each : changed) {
    std::string checks;
    for (const std::string& check : each.checks) checks += (checks.empty() ? "" : ", ") + check;
    html += fmt::format(
        "<div class=\"turn {}\"><p class=\"says\">{} <span class=\"note\">{}</span></p>"
        "<p class=\"note\">{}: {}</p><div class=\"pair\"><div><b>Before</b><p "
        "class=\"answer\">{}</p></div><div><b>After</b><p "
        "class=\"answer\">{}</p></div></div></div>",
        is_right_now ? "right" : "wrong", catalog::EscapeHtml(each.question),
        catalog::EscapeHtml(each.turn), is_right_now ? "It failed" : "It fails",
        catalog::EscapeHtml(checks), ShownText(each.before), ShownText(each.after));
  }
  return html;
}

}  // namespace

std::string AnswerPage(const std::vector<JudgedTurn>& turns) {
  const Counts totals =
      CountBy(turns, [](const JudgedTurn& turn) { return IsOpen(turn) ? "open" : "sealed"; });
  Count all;
  size_t false_statements = 0;
  for (const auto& [name, count] : totals) {
    all.right += count.right;
    all.all += count.all;
  }
  for (const JudgedTurn& turn : turns) {
    false_statements += static_cast<size_t>(turn.verdict.false_statements);
  }
  std::string body =
      fmt::format("<p>{} of {} answers are right ({:.0f} %). {} false statements.</p>", all.right,
                  all.all, 100 * ShareOf(all), false_statements);
  body += CountTable("cases", totals);
  body +=
      CountTable("kind", CountBy(turns, [](const JudgedTurn& turn) { return CaseOf(turn).kind; }));
  body += CountTable("language", CountBy(turns, [](const JudgedTurn& turn) {
                       return CaseOf(turn).expect.language;
                     }));
  body += CountTable(
      "written by", CountBy(turns, [](const JudgedTurn& turn) { return turn.answer.answer_step; }));
  body += CheckTable(turns);
  body += "<h2>Conversations with a wrong answer</h2>";
  body += Conversations(turns);
  return PageOf("Answers", body);
}

std::string AnswerDiffPage(const AnswerDiff& diff) {
  std::string body = CountTable("run", {{"before", {diff.right_before, diff.shared}},
                                        {"after", {diff.right_after, diff.shared}}});
  body += fmt::format("<h2>Became wrong ({})</h2>", diff.became_wrong.size());
  body += ChangeBlocks(diff.became_wrong, /*is_right_now=*/false);
  body += fmt::format("<h2>Became right ({})</h2>", diff.became_right.size());
  body += ChangeBlocks(diff.became_right, /*is_right_now=*/true);
  return PageOf("Two runs", body);
}

}  // namespace emptor::services
