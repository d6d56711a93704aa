// Answers for people at a terminal.
#include "services/cli/answer_printer.h"

#include <fmt/format.h>

#include <utility>

#include "services/grounding/fact_formatter.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

std::string TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

int64_t IntOf(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

std::string MoneyOf(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  if (value == nullptr || !value->is_object()) return {};
  static const FactFormatter formatter("en-US");
  return formatter.Money({IntOf(*value, "amount"), TextOf(*value, "currency")});
}

}  // namespace

std::string PlainMarkdown(std::string_view text, std::string_view base_url) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "**") {
      ++i;
      continue;
    }
    const size_t middle = text[i] == '[' ? text.find("](", i) : std::string_view::npos;
    const size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    const bool is_link = end != std::string_view::npos &&
                         text.substr(i, middle - i).find(']') == std::string_view::npos;
    if (is_link) {
      out += text.substr(i + 1, middle - i - 1);
      out += fmt::format(" ({}{})", base_url, text.substr(middle + 2, end - middle - 2));
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string CardLines(const JsonValue& item) {
  std::string availability = TextOf(item, "availability");
  for (char& c : availability) c = c == '_' ? ' ' : c;
  std::string line = fmt::format("[{}] {}", IntOf(item, "n"), TextOf(item, "title"));
  if (const std::string price = MoneyOf(item, "price"); !price.empty()) line += "  " + price;
  if (const std::string was = MoneyOf(item, "was_price"); !was.empty())
    line += " (was " + was + ")";
  if (!availability.empty()) line += "  " + availability;
  line += "\n    " + TextOf(item, "url") + "\n";
  if (const std::string image = TextOf(item, "image_url"); !image.empty()) {
    line += "    " + image + "\n";
  }
  return line;
}

AnswerPrinter::AnswerPrinter(std::string base_url, std::function<void(std::string_view)> write)
    : base_url_(std::move(base_url)), write_(std::move(write)) {}

void AnswerPrinter::OnEvent(std::string_view name, const JsonValue& data) {
  if (name == "products") {
    ShowProducts(data);
  } else if (name == "delta") {
    write_(PlainMarkdown(TextOf(data, "text"), base_url_));
  } else if (name == "citation") {
    citations_ += fmt::format("[{}] {}\n", IntOf(data, "n"), TextOf(data, "quote"));
  } else if (name == "error") {
    write_(fmt::format("\nerror: {} ({})\n", TextOf(data, "message"), TextOf(data, "code")));
  } else if (name == "done") {
    done_ = true;
    ShowSources(data);
  }
}

void AnswerPrinter::ShowProducts(const JsonValue& data) {
  const JsonValue* items = data.Find("items");
  if (items == nullptr || !items->is_array()) return;
  for (const JsonValue& item : items->as_array()) write_(CardLines(item));
  if (!items->as_array().empty()) write_("\n");
}

void AnswerPrinter::ShowSources(const JsonValue& data) {
  write_("\n");
  if (!citations_.empty()) write_("\nsources\n" + citations_);
  const JsonValue* timings = data.Find("timings");
  const JsonValue* usage = data.Find("usage");
  if (timings == nullptr || usage == nullptr) return;
  const auto number = [](const JsonValue& object, std::string_view field) {
    const JsonValue* value = object.Find(field);
    return value != nullptr && value->is_number() ? value->as_double() : 0;
  };
  write_(fmt::format("\n{}: first token {:.0f} ms, {} tokens, {:.0f} ms in all\n",
                     TextOf(data, "answer_step"), number(*timings, "ttft"),
                     IntOf(*usage, "completion_tokens"), number(*timings, "total")));
}

}  // namespace emptor::services
