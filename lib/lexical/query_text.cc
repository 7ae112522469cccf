// The way back from a tree to text. Two things have no operator of their own and are written with
// the words between items: two runs of text that are not one (only OR makes them), and a must whose
// word no '+' can stand before ("404": only AND makes it).
#include "lexical/query.h"
#include "lexical/query_syntax.h"

namespace ragline {

using namespace query_syntax;

namespace {

using Kind = QueryNode::Kind;

bool is_pair(const QueryNode& node) {
  return node.kind == Kind::kGroup || node.kind == Kind::kPhrase;
}

bool is_plain_text(const QueryNode& node) {
  return node.kind == Kind::kText && node.occur == Occur::kShould && node.any_field &&
         node.boost == 1;
}

bool needs_and(const QueryNode& node) {
  return node.occur == Occur::kMust && node.any_field && !is_pair(node) &&
         !begins_signed_word(node.text.front());
}

void append_node(std::string& out, const QueryNode& node);

void append_children(std::string& out, const QueryNode& group) {
  bool linked = false;  // the child before was joined to this one by AND
  for (std::size_t i = 0; i < group.children.size(); ++i) {
    const QueryNode& node = group.children[i];
    const QueryNode* before = i > 0 ? &group.children[i - 1] : nullptr;
    const QueryNode* after = i + 1 < group.children.size() ? &group.children[i + 1] : nullptr;
    if (before && !linked) {
      const bool joins_before = needs_and(node) && !(after && after->occur != Occur::kShould);
      out += joins_before ? " AND " : is_plain_text(*before) && is_plain_text(node) ? " OR " : " ";
    }
    append_node(out, node);
    linked = needs_and(node) && after && after->occur != Occur::kShould;
    if (linked) out += " AND ";
  }
}

void append_node(std::string& out, const QueryNode& node) {
  const bool is_signed = node.occur != Occur::kShould && !needs_and(node);
  if (is_signed) out += node.occur == Occur::kMust ? '+' : '-';
  if (!node.any_field) {
    out += name_of(node.field);
    out += ':';
  }
  switch (node.kind) {
    case Kind::kGroup:
      out += '(';
      append_children(out, node);
      out += ')';
      break;
    case Kind::kPhrase:
      out += '"';
      out += escape_phrase(node.text);
      out += '"';
      if (node.distance) out += '~' + std::to_string(node.distance);
      break;
    case Kind::kText:
      out += escape(node.text, is_signed || !node.any_field);
      break;
    case Kind::kPrefix:
      out += node.text + '*';
      break;
    case Kind::kFuzzy:
      out += node.text + '~' + std::to_string(node.distance);
      break;
  }
  out += boost_text(node.boost);
}

}  // namespace

std::string query_text(const QueryNode& node) {
  std::string out;
  if (node.kind == Kind::kGroup && node.occur == Occur::kShould && node.any_field &&
      node.boost == 1)
    append_children(out, node);
  else
    append_node(out, node);
  return out;
}

}  // namespace ragline
