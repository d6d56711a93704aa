// Lines of products, a table, an answer of the FAQ.
#include "services/mcp/mcp_text.h"

#include <fmt/format.h>

#include <utility>

#include "services/grounding/fact_formatter.h"
#include "services/grounding/relaxation_text.h"

namespace emptor::services {
namespace {

/// "Kettle K20 (Acme) | $49.99 | in stock | rated 4.5 by 120 | id k20 | https://.../p/k20"
std::string ProductLine(const ShownProduct& shown, std::string_view base_url,
                        const FactFormatter& format) {
  const catalog::Product& product = shown.product;
  std::string line = product.title;
  if (!product.brand.empty()) line += " (" + product.brand + ")";
  if (shown.price.price) line += " | " + format.Money(*shown.price.price);
  if (shown.price.was_price) line += " (was " + format.Money(*shown.price.was_price) + ")";
  line.append(" | ").append(format.Availability(product.availability));
  if (product.rating) {
    line += fmt::format(" | rated {} by {}", format.Rating(product.rating->value),
                        format.Count(product.rating->count));
  }
  return line + fmt::format(" | id {} | {}/p/{}", product.id, base_url, product.id);
}

/// A cell of a table: one line, no bar.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell;
}

}  // namespace

std::string SearchText(const SearchAnswer& answer, std::string_view base_url,
                       std::string_view locale) {
  const ProductSearchResult& result = answer.result;
  if (result.items.empty()) {
    return "No product of the shop meets this. Use other words, or fewer conditions.";
  }
  const FactFormatter format(locale);
  std::string text = fmt::format("{} of {} products:", result.items.size(), result.total);
  if (!result.relaxed.empty()) {
    text.append(" ").append(ExplainRelaxation(result.asked, result.relaxed, locale));
  }
  for (size_t i = 0; i < result.items.size(); ++i) {
    const catalog::Product& product = result.items[i].product;
    const ShownProduct shown{product,
                             catalog::ComputePayablePrice(product, answer.now_unix, answer.market)};
    text += fmt::format("\n{}. {}", i + 1, ProductLine(shown, base_url, format));
  }
  if (result.has_more) {
    text += "\nThere are more: call again with `cursor` set to the `next_cursor` of this answer.";
  }
  return text;
}

std::string ProductText(const ShownProduct& shown, std::string_view base_url,
                        std::string_view locale) {
  std::string text = ProductLine(shown, base_url, FactFormatter(locale));
  if (!shown.product.description.empty()) text += "\n" + shown.product.description;
  for (const auto* list : {&shown.product.options, &shown.product.attributes}) {
    for (const catalog::Attribute& each : *list) text += "\n- " + each.name + ": " + each.value;
  }
  return text;
}

std::string ComparisonText(const ComparisonAnswer& answer) {
  std::string head = "| |";
  std::string rule = "|---|";
  for (const ShownProduct& each : answer.products) {
    head += fmt::format(" {} (id {}) |", Cell(each.product.title), each.product.id);
    rule += "---|";
  }
  std::string text = head + "\n" + rule;
  for (const ComparisonRow& row : answer.rows) {
    text += "\n| " + Cell(row.name) + " |";
    for (const auto& value : row.values)
      text += value ? " " + Cell(*value) + " |" : " not stated |";
  }
  return text;
}

std::string FaqText(const FaqReply& reply) {
  if (reply.decision == retrieval::FaqDecision::kHit) {
    return reply.answer + (reply.link.empty() ? "" : "\n" + reply.link);
  }
  if (reply.alternatives.empty()) return "The shop has published no answer to this.";
  std::string text = "The shop has published no certain answer. Questions that may be meant:";
  for (const FaqAlternative& each : reply.alternatives) text += "\n- " + each.question;
  return text;
}

std::string ToolErrorText(const ApiError& error, std::string_view request_id) {
  if (error.code == "not_found") return error.message + ": take ids from search_products";
  if (error.http_status >= 500) return fmt::format("{} (request {})", error.message, request_id);
  return error.message;
}

}  // namespace emptor::services
