#include "corpus/html.h"

#include <gumbo.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <vector>

#include "analysis/language.h"
#include "core/text.h"
#include "core/utf8.h"
#include "corpus/html_flow.h"
#include "corpus/plain.h"

namespace ragline {

namespace {

bool is_element(const GumboNode* node) {
  return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}
GumboTag tag_of(const GumboNode* node) {
  return is_element(node) ? node->v.element.tag : GUMBO_TAG_UNKNOWN;
}

std::string_view attribute(const GumboNode* node, const char* name) {
  const GumboAttribute* found = gumbo_get_attribute(&node->v.element.attributes, name);
  return found ? std::string_view(found->value) : std::string_view();
}

int heading_level(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6
             ? static_cast<int>(tag) - static_cast<int>(GUMBO_TAG_H1) + 1
             : 0;
}

bool is_left_out(const GumboNode* node) {
  switch (tag_of(node)) {
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_SVG:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_BUTTON:
    case GUMBO_TAG_AUDIO:
    case GUMBO_TAG_VIDEO:
    case GUMBO_TAG_CANVAS:
      return true;
    default:
      break;
  }
  const GumboVector* attributes = &node->v.element.attributes;
  if (attributes->length == 0) return false;
  if (gumbo_get_attribute(attributes, "hidden") || attribute(node, "aria-hidden") == "true")
    return true;
  if (attribute(node, "role") == "navigation") return true;
  std::string style = ascii_lower(attribute(node, "style"));
  std::erase(style, ' ');
  return style.find("display:none") != style.npos;
}

// Elements that stand on lines of their own and need no more than that.
bool is_boundary(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_CENTER:
    case GUMBO_TAG_DETAILS:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_FIELDSET:
    case GUMBO_TAG_FIGCAPTION:
    case GUMBO_TAG_FIGURE:
    case GUMBO_TAG_FOOTER:
    case GUMBO_TAG_FORM:
    case GUMBO_TAG_HEADER:
    case GUMBO_TAG_HGROUP:
    case GUMBO_TAG_HR:
    case GUMBO_TAG_LEGEND:
    case GUMBO_TAG_MAIN:
    case GUMBO_TAG_P:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_TABLE:
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
    case GUMBO_TAG_TR:
      return true;  // the last four in tables that are layout
    default:
      return false;
  }
}

// Visits every node, parents before and after their children, with a stack of our own: a tree may
// be deep.
template <class Enter, class Leave>
void walk_tree(const GumboNode* root, Enter enter, Leave leave) {
  struct Frame {
    const GumboNode* node;
    unsigned next;
  };
  std::vector<Frame> stack;
  if (enter(root)) stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const GumboVector& children = frame.node->v.element.children;
    if (frame.next == children.length) {
      leave(frame.node);
      stack.pop_back();
      continue;
    }
    const auto* child = static_cast<const GumboNode*>(children.data[frame.next++]);
    if (enter(child)) stack.push_back({child, 0});
  }
}

// Tables that hold headings or tables.
std::unordered_set<const GumboNode*> layout_tables(const GumboNode* root) {
  std::unordered_set<const GumboNode*> layout;
  std::vector<const GumboNode*> tables;
  walk_tree(
      root,
      [&](const GumboNode* node) {
        if (!is_element(node)) return false;
        const bool table = tag_of(node) == GUMBO_TAG_TABLE;
        if ((table || heading_level(tag_of(node))) && !tables.empty()) layout.insert(tables.back());
        if (table) tables.push_back(node);
        return true;
      },
      [&](const GumboNode* node) {
        if (tag_of(node) == GUMBO_TAG_TABLE) tables.pop_back();
      });
  return layout;
}

class Extractor {
 public:
  Extractor(const GumboNode* root, ParsedDocument& parsed)
      : document_(parsed.document), flow_(parsed), layout_(layout_tables(root)) {
    walk_tree(
        root, [this](const GumboNode* node) { return enter(node); },
        [this](const GumboNode* node) { leave(node); });
    flow_.finish();
  }

 private:
  bool enter(const GumboNode* node) {
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE ||
        node->type == GUMBO_NODE_CDATA) {
      flow_.text(node->v.text.text);
      return false;
    }
    if (!is_element(node)) return false;
    if (tag_of(node) == GUMBO_TAG_HEAD) take_title(node);
    if (is_left_out(node)) return false;
    switch (tag_of(node)) {
      case GUMBO_TAG_HTML:
        if (auto language = language_from_code(attribute(node, "lang")))
          document_.language = language_code(*language);
        break;
      case GUMBO_TAG_BR:
        flow_.line_break();
        break;
      case GUMBO_TAG_IMG:
        flow_.text(attribute(node, "alt"));
        break;
      case GUMBO_TAG_UL:
      case GUMBO_TAG_DL:
      case GUMBO_TAG_MENU:
        flow_.begin_list(false, 1);
        break;
      case GUMBO_TAG_OL: {
        const auto first = parse_integer(attribute(node, "start"));
        flow_.begin_list(true, first && *first > 0 ? static_cast<std::uint64_t>(*first) : 1);
        break;
      }
      case GUMBO_TAG_LI:
      case GUMBO_TAG_DT:
        flow_.begin_item(true);
        break;
      case GUMBO_TAG_DD:
        flow_.begin_item(false);
        break;
      case GUMBO_TAG_PRE:
        flow_.begin_pre();
        break;
      case GUMBO_TAG_BLOCKQUOTE:
        flow_.begin_quote();
        break;
      default:
        enter_flow(node);
    }
    return true;
  }

  // Headings, tables, boundaries.
  void enter_flow(const GumboNode* node) {
    const GumboTag tag = tag_of(node);
    if (heading_level(tag)) return flow_.begin_heading();
    if (tag == GUMBO_TAG_TABLE) {
      tables_.push_back(!layout_.contains(node));
      if (tables_.back()) return flow_.begin_table();
    }
    if (in_data_table()) {
      if (tag == GUMBO_TAG_TR) return flow_.begin_row();
      if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH) return flow_.begin_cell(tag == GUMBO_TAG_TH);
    }
    if (is_boundary(tag)) flow_.boundary();
  }

  void leave(const GumboNode* node) {
    const GumboTag tag = tag_of(node);
    switch (tag) {
      case GUMBO_TAG_UL:
      case GUMBO_TAG_DL:
      case GUMBO_TAG_MENU:
      case GUMBO_TAG_OL:
        return flow_.end_list();
      case GUMBO_TAG_LI:
      case GUMBO_TAG_DT:
      case GUMBO_TAG_DD:
        return flow_.boundary();
      case GUMBO_TAG_PRE:
        return flow_.end_pre();
      case GUMBO_TAG_BLOCKQUOTE:
        return flow_.end_quote();
      default:
        break;
    }
    if (const int level = heading_level(tag)) return flow_.end_heading(level);
    if (tag == GUMBO_TAG_TABLE) {
      const bool data = tables_.back();
      tables_.pop_back();
      if (data) return flow_.end_table();
    }
    if (in_data_table()) {
      if (tag == GUMBO_TAG_TR) return flow_.end_row();
      if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH) return;
    }
    if (is_boundary(tag)) flow_.boundary();
  }

  bool in_data_table() const { return !tables_.empty() && tables_.back(); }

  void take_title(const GumboNode* head) {
    const GumboVector& children = head->v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      const auto* child = static_cast<const GumboNode*>(children.data[i]);
      if (tag_of(child) != GUMBO_TAG_TITLE || child->v.element.children.length == 0) continue;
      const auto* text = static_cast<const GumboNode*>(child->v.element.children.data[0]);
      if (text->type != GUMBO_NODE_TEXT) continue;
      const std::string_view title = trim(text->v.text.text);
      document_.title = title.substr(0, utf8_floor(title, 512));
      std::ranges::replace(document_.title, '\n', ' ');
      return;
    }
  }

  Document& document_;
  HtmlFlow flow_;
  std::unordered_set<const GumboNode*> layout_;
  std::vector<bool> tables_;  // the open ones: whether they hold data
};

}  // namespace

void parse_html(ParsedDocument& parsed) {
  if (parsed.document.text.size() > kMaxHtml) return parse_plain(parsed);
  const std::string markup = bounded_html(parsed.document.text);
  auto destroy = [](GumboOutput* output) { gumbo_destroy_output(&kGumboDefaultOptions, output); };
  const std::unique_ptr<GumboOutput, decltype(destroy)> output(
      gumbo_parse_with_options(&kGumboDefaultOptions, markup.data(), markup.size()), destroy);
  parsed.extractor = "html";
  Extractor extract(output->root, parsed);
}

}  // namespace ragline
