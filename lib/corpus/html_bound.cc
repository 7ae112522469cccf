#include <algorithm>
#include <string>
#include <string_view>

#include "core/text.h"
#include "corpus/html.h"
#include "corpus/lines.h"

namespace ragline {

namespace {

constexpr int kMaxDepth = 200;
constexpr int kMaxAttributes = 50;

constexpr std::string_view kPhrasing[] = {
    "a",    "abbr",  "acronym", "b",      "bdi",    "bdo", "big",   "cite", "code", "data", "del",
    "dfn",  "em",    "font",    "i",      "ins",    "kbd", "label", "mark", "nobr", "q",    "s",
    "samp", "small", "span",    "strike", "strong", "sub", "sup",   "time", "tt",   "u",    "var"};
// Without an end tag.
constexpr std::string_view kVoid[] = {"area",  "base", "br",   "col",   "embed",  "hr",    "img",
                                      "input", "link", "meta", "param", "source", "track", "wbr"};
// With an end tag that may be missing: they nest no deeper than what stands between them.
constexpr std::string_view kClosedByOthers[] = {
    "body",   "colgroup", "dd",    "dt", "head",  "html", "li",    "optgroup",
    "option", "p",        "tbody", "td", "tfoot", "th",   "thead", "tr"};
// Their content is no markup. It is dropped with the tags, but for a title.
constexpr std::string_view kRaw[] = {"iframe", "noembed",  "noframes", "script",
                                     "style",  "textarea", "title",    "xmp"};

template <std::size_t n>
bool is_one_of(const std::string_view (&names)[n], std::string_view name) {
  return std::ranges::binary_search(names, name);
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

class Bounder {
 public:
  explicit Bounder(std::string_view html) : html_(html) { out_.reserve(html.size()); }

  std::string run() {
    while (at_ < html_.size()) {
      const auto tag = std::min(html_.find('<', at_), html_.size());
      out_.append(html_, at_, tag - at_);
      at_ = tag;
      if (at_ < html_.size()) take_markup();
    }
    return std::move(out_);
  }

 private:
  void take_markup() {
    const std::string_view rest = html_.substr(at_);
    if (rest.starts_with("<!--")) return skip_to(rest.find("-->", 2), 3);
    if (rest.starts_with("<!") || rest.starts_with("<?")) return skip_to(rest.find('>'), 1);
    const bool closes = rest.size() > 1 && rest[1] == '/';
    std::size_t i = closes ? 2 : 1;
    const std::size_t name_begin = i;
    if (i >= rest.size() || !is_ascii_letter(rest[i])) {  // "a < b"
      out_ += '<';
      ++at_;
      return;
    }
    while (i < rest.size() && !is_space(rest[i]) && rest[i] != '/' && rest[i] != '>') ++i;
    const std::string name =
        ascii_lower(rest.substr(name_begin, std::min<std::size_t>(i - name_begin, 32)));
    std::size_t kept = i;
    const std::size_t end = tag_end(rest, i, kept);
    at_ += end;
    if (end == 0) {  // never closed: nothing follows that could be text
      at_ = html_.size();
      return;
    }
    const std::string_view attributes = rest.substr(i, kept - i);
    if (closes ? keep_end_tag(name) : keep_start_tag(name, attributes)) {
      out_.append(rest.substr(0, kept));
      if (out_.back() != '>') out_ += '>';
    }
    if (!closes && is_one_of(kRaw, name)) take_raw(name);
  }

  void skip_to(std::size_t end, std::size_t length) {
    at_ = end == std::string_view::npos ? html_.size() : at_ + end + length;
  }

  // The byte behind the '>' of the tag whose attributes begin at `i`; 0 when it has none. `kept` is
  // where its fiftieth attribute ends.
  static std::size_t tag_end(std::string_view tag, std::size_t i, std::size_t& kept) {
    int attributes = 0;
    bool in_attribute = false;
    for (; i < tag.size(); ++i) {
      const char c = tag[i];
      if (c == '>') {
        if (attributes <= kMaxAttributes) kept = i + 1;
        return i + 1;
      }
      if (c == '=' && in_attribute) {
        std::size_t value = i + 1;
        while (value < tag.size() && is_space(tag[value])) ++value;
        if (value < tag.size() && (tag[value] == '"' || tag[value] == '\'')) {
          i = tag.find(tag[value], value + 1);
          if (i == tag.npos) return 0;
          in_attribute = false;
        }
      } else if (is_space(c) || c == '/') {
        in_attribute = false;
      } else if (!in_attribute) {
        in_attribute = true;
        if (++attributes == kMaxAttributes + 1) kept = i;
      }
    }
    return 0;
  }

  bool keep_start_tag(const std::string& name, std::string_view attributes) {
    if (is_one_of(kRaw, name)) return name == "title";
    if (is_one_of(kPhrasing, name)) {
      const bool hidden = attributes.find("hidden") != attributes.npos ||
                          attributes.find("none") != attributes.npos;
      if (!hidden || depth_ + hidden_ >= kMaxDepth) return false;
      ++hidden_;
      return true;
    }
    if (name == "plaintext") return false;
    if (is_one_of(kVoid, name) || is_one_of(kClosedByOthers, name)) return true;
    return ++depth_ <= kMaxDepth;
  }
  bool keep_end_tag(const std::string& name) {
    if (is_one_of(kRaw, name)) return false;
    if (is_one_of(kPhrasing, name)) return hidden_ > 0 && hidden_-- > 0;
    if (is_one_of(kVoid, name) || is_one_of(kClosedByOthers, name)) return true;
    const bool keep = depth_ <= kMaxDepth;
    if (depth_ > 0) --depth_;
    return keep;
  }

  // Up to and with the end tag.
  void take_raw(const std::string& name) {
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (true) {
      end = html_.find("</", end);
      if (end == html_.npos) {
        at_ = html_.size();
        return;
      }
      if (ascii_lower(html_.substr(end + 2, name.size())) == name) break;
      end += 2;
    }
    if (name == "title") append(out_, html_.substr(begin, end - begin), "</title>");
    at_ = std::min(html_.find('>', end), html_.size() - 1) + 1;
  }

  std::string_view html_;
  std::string out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int hidden_ = 0;  // open phrasing elements that were kept
};

}  // namespace

std::string bounded_html(std::string_view html) { return Bounder(html).run(); }

}  // namespace ragline
