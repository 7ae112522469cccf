#include <algorithm>
#include <optional>

#include "core/text.h"
#include "index/filter.h"

namespace ragline {

namespace {

using Kind = FilterNode::Kind;
using Op = FilterNode::Op;

constexpr int kMaxDepth = 64;
constexpr std::string_view kOps[] = {"=", "!=", "<", "<=", ">", ">="};  // by Op
constexpr std::string_view kKeywords[] = {"and", "or", "not", "in", "exists"};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool ends_word(char c) {
  return is_blank(c) || std::string_view("\"'(),=<>").find(c) != std::string_view::npos;
}
bool is_ordering(Op op) { return op >= Op::kLess; }

struct Token {
  enum class Kind { kWord, kString, kOp, kOpen, kClose, kComma, kEnd } kind = Kind::kEnd;
  std::size_t at = 0;
  std::string_view raw{};
  std::string text{};  // a word's or string's value
  Op op = Op::kEqual;

  bool is_operand() const { return kind == Kind::kWord || kind == Kind::kString; }
  bool is(std::string_view keyword) const {
    return kind == Kind::kWord && ascii_lower(raw) == keyword;
  }
  bool is_keyword() const {
    return std::any_of(std::begin(kKeywords), std::end(kKeywords),
                       [&](auto word) { return is(word); });
  }
  // How a message names it.
  std::string shown() const {
    if (kind == Kind::kEnd) return "the end";
    return cat("'", raw.substr(0, 40), raw.size() > 40 ? "..." : "", "'");
  }
};

class FilterParser {
 public:
  explicit FilterParser(std::string_view text) : text_(text) {}

  Result<FilterNode> parse() {
    RAGLINE_CHECK(advance());
    if (token_.kind == Token::Kind::kEnd)
      return error(0, "the filter is empty: give one such as year >= 2020");
    RAGLINE_TRY(FilterNode node, any_of(0));
    if (token_.kind == Token::Kind::kClose)
      return error(token_.at, "this bracket was never opened: remove it");
    if (token_.kind != Token::Kind::kEnd)
      return error(token_.at, cat("expected 'and', 'or' or the end, not ", token_.shown(),
                                  ": quote a value that holds blanks"));
    return node;
  }

 private:
  std::unexpected<Error> error(std::size_t at, std::string_view message) const {
    return fail(ErrorKind::kUsage, cat("--filter: at ", at + 1, ": ", message));
  }

  // Reads the next token into token_.
  Status advance() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    token_ = Token{.at = at_};
    if (at_ == text_.size()) return {};
    const char c = text_[at_];
    if (c == '"' || c == '\'') return read_string(c);
    std::size_t length = 1;
    if (c == '(') {
      token_.kind = Token::Kind::kOpen;
    } else if (c == ')') {
      token_.kind = Token::Kind::kClose;
    } else if (c == ',') {
      token_.kind = Token::Kind::kComma;
    } else if (c == '=' || c == '<' || c == '>' || text_.substr(at_).starts_with("!=")) {
      token_.kind = Token::Kind::kOp;
      const bool two = text_.substr(at_ + 1).starts_with('=');
      length = two ? 2 : 1;
      const bool doubled = c == '=' && two;  // "==" is "="
      const auto spelling = text_.substr(at_, doubled ? 1 : length);
      token_.op =
          static_cast<Op>(std::find(std::begin(kOps), std::end(kOps), spelling) - std::begin(kOps));
    } else {
      token_.kind = Token::Kind::kWord;
      while (at_ + length < text_.size() && !ends_word(text_[at_ + length]) &&
             !text_.substr(at_ + length).starts_with("!="))
        ++length;
      token_.text = text_.substr(at_, length);
    }
    token_.raw = text_.substr(at_, length);
    at_ += length;
    return {};
  }

  Status read_string(char quote) {
    token_.kind = Token::Kind::kString;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] == quote) {
        token_.raw = text_.substr(at_, at + 1 - at_);
        at_ = at + 1;
        return {};
      }
      const bool escape = text_[at] == '\\' && at + 1 < text_.size() &&
                          std::string_view("\"'\\").find(text_[at + 1]) != std::string_view::npos;
      if (escape) ++at;
      token_.text += text_[at];
    }
    return error(at_, cat("this quote never closes: add ", quote == '"' ? "\"" : "'"));
  }

  Result<FilterNode> any_of(int depth) { return list_of(Kind::kOr, "or", depth); }

  // Parts joined by one keyword; a single part stands for itself.
  Result<FilterNode> list_of(Kind kind, std::string_view keyword, int depth) {
    FilterNode list;
    list.kind = kind;
    while (true) {
      auto part = kind == Kind::kOr ? list_of(Kind::kAnd, "and", depth) : unary(depth);
      if (!part) return part;
      list.children.push_back(std::move(*part));
      if (!token_.is(keyword)) break;
      RAGLINE_CHECK(advance());
    }
    if (list.children.size() > 1) return list;
    FilterNode only = std::move(list.children.front());
    return only;
  }

  Result<FilterNode> unary(int depth) {
    const std::size_t begin = token_.at;
    if (depth > kMaxDepth)
      return error(begin, cat("nested deeper than ", kMaxDepth, " levels: write it flatter"));
    if (token_.is("not")) {
      RAGLINE_CHECK(advance());
      RAGLINE_TRY(FilterNode inner, unary(depth + 1));
      return negated(std::move(inner));
    }
    if (token_.kind != Token::Kind::kOpen) return predicate();
    RAGLINE_CHECK(advance());
    RAGLINE_TRY(FilterNode inner, any_of(depth + 1));
    if (token_.kind != Token::Kind::kClose)
      return error(token_.at, cat("expected 'and', 'or' or ')', not ", token_.shown(),
                                  ": the bracket opened at ", begin + 1));
    RAGLINE_CHECK(advance());
    return inner;
  }

  static FilterNode negated(FilterNode&& inner) {
    FilterNode node;
    node.kind = Kind::kNot;
    node.children.push_back(std::move(inner));
    return node;
  }

  Result<FilterNode> predicate() {
    if (!token_.is_operand() || token_.is_keyword())
      return error(token_.at, cat("expected a name, not ", token_.shown(), ": as in year >= 2020"));
    const Token first = token_;
    RAGLINE_CHECK(advance());
    if (token_.kind == Token::Kind::kOp) return comparison(first);
    FilterNode node;
    node.name = first.text;
    if (token_.is("exists")) {
      node.kind = Kind::kExists;
      RAGLINE_CHECK(advance());
      return node;
    }
    const bool is_not = token_.is("not");
    if (is_not) RAGLINE_CHECK(advance());
    if (token_.is("in")) {
      node.kind = Kind::kIn;
      RAGLINE_CHECK(read_list(node));
      if (is_not) return negated(std::move(node));
      return node;
    }
    return error(token_.at, cat("expected =, !=, <, <=, >, >=, in or exists after ", first.shown(),
                                ", not ", token_.shown()));
  }

  // "name op value", or "value op name op value" for a range.
  Result<FilterNode> comparison(const Token& first) {
    const Op op = token_.op;
    RAGLINE_TRY(const Token second, value_after());
    if (token_.kind != Token::Kind::kOp || !is_ordering(op) || !is_ordering(token_.op))
      return compare(first.text, op, second);
    const std::size_t at = token_.at;
    const Op upper = token_.op;
    if ((op >= Op::kGreater) != (upper >= Op::kGreater))
      return error(at, cat("a range has both signs in one direction: as in 2010 <= ", second.text,
                           " < 2020"));
    RAGLINE_TRY(const Token third, value_after());
    static constexpr Op kMirrored[] = {Op::kEqual,        Op::kNotEqual, Op::kGreater,
                                       Op::kGreaterEqual, Op::kLess,     Op::kLessEqual};
    FilterNode range;
    RAGLINE_TRY(FilterNode low, compare(second.text, kMirrored[static_cast<int>(op)], first));
    RAGLINE_TRY(FilterNode high, compare(second.text, upper, third));
    range.children.push_back(std::move(low));
    range.children.push_back(std::move(high));
    return range;
  }

  // The operand after the operator that token_ is.
  Result<Token> value_after() {
    const Token op = token_;
    RAGLINE_CHECK(advance());
    if (!token_.is_operand() || token_.is_keyword())
      return error(
          token_.at,
          cat("expected a value after '", op.raw, "', as in year ", op.raw, " 2020",
              token_.is_keyword() ? cat(": quote the word \"", token_.raw, "\"") : std::string()));
    Token value = std::move(token_);
    RAGLINE_CHECK(advance());
    return value;
  }

  Result<FilterNode> compare(const std::string& name, Op op, const Token& value) const {
    FilterNode node;
    node.kind = Kind::kCompare;
    node.op = op;
    node.name = name;
    RAGLINE_CHECK(add_value(node, value));
    return node;
  }

  Status read_list(FilterNode& node) {
    RAGLINE_CHECK(advance());
    if (token_.kind != Token::Kind::kOpen)
      return error(token_.at, cat("expected '(' after 'in', not ", token_.shown(),
                                  ": as in status in (open, \"in review\")"));
    do {
      RAGLINE_CHECK(advance());
      if (!token_.is_operand())
        return error(token_.at, cat("expected a value in the list, not ", token_.shown(),
                                    ": as in status in (open, \"in review\")"));
      RAGLINE_CHECK(add_value(node, token_));
      RAGLINE_CHECK(advance());
    } while (token_.kind == Token::Kind::kComma);
    if (token_.kind != Token::Kind::kClose)
      return error(token_.at, cat("expected ',' or ')' in the list, not ", token_.shown(),
                                  ": quote a value that holds blanks"));
    return advance();
  }

  Status add_value(FilterNode& node, const Token& value) const {
    if (node.name == "effective_from" || node.name == "effective_to")
      if (auto time = parse_time(value.text); !time) return error(value.at, time.error().message);
    node.values.push_back(value.text);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
};

std::string operand_text(std::string_view value) {
  const std::string lower = ascii_lower(value);
  const bool bare =
      !value.empty() && std::none_of(value.begin(), value.end(), ends_word) &&
      !value.contains("!=") &&
      std::find(std::begin(kKeywords), std::end(kKeywords), lower) == std::end(kKeywords);
  if (bare) return std::string(value);
  std::string out = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// A part of an and, or or not: in brackets where it is a list itself.
std::string part_text(const FilterNode& node) {
  const bool list = node.kind == Kind::kAnd || node.kind == Kind::kOr;
  return list ? cat('(', filter_text(node), ')') : filter_text(node);
}

}  // namespace

Result<FilterNode> parse_filter(std::string_view expression) {
  return FilterParser(expression).parse();
}

std::string filter_text(const FilterNode& node) {
  std::string out;
  switch (node.kind) {
    case Kind::kAnd:
    case Kind::kOr:
      for (const FilterNode& child : node.children) {
        if (!out.empty()) out += node.kind == Kind::kAnd ? " and " : " or ";
        out += part_text(child);
      }
      return out;
    case Kind::kNot:
      return cat("not ", part_text(node.children.front()));
    case Kind::kExists:
      return cat(operand_text(node.name), " exists");
    case Kind::kCompare:
      return cat(operand_text(node.name), ' ', kOps[static_cast<int>(node.op)], ' ',
                 operand_text(node.values.front()));
    case Kind::kIn:
      break;
  }
  for (const std::string& value : node.values)
    append(out, out.empty() ? "" : ", ", operand_text(value));
  return cat(operand_text(node.name), " in (", out, ')');
}

}  // namespace ragline
