// Hyperscan in block mode. What experience with it has taught (each measured on Debian's 5.4.0):
//   - every pattern has an id of its own: 10,000 literals that share one take 30 s to compile, else 0.2 s
//   - literals go through the regex interface, every byte escaped: the literal interface compiles some ordinary sets and then
//     fails every scan (hyperscan #303)
//   - no start of match, no UTF-8 mode, no UCP: spans come from RE2 on the line, Unicode from byte_regex()
//   - matches may arrive out of order, and each end of a repeat is a match: patterns with repeats are scanned to the first match,
//     then again behind its line
#include "grep/finder.h"

#ifdef RAGLINE_HYPERSCAN
#include <hs/hs.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "core/text.h"
#include "grep/bytes.h"

namespace ragline {

namespace {

struct Database {
  hs_database_t* database = nullptr;
  hs_scratch_t* scratch = nullptr;  // to clone from
  Certainty certainty = Certainty::kSure;
  bool restart = false;
  bool ascii_lines = false;  // it is blind to lines that are not ASCII: each of them is a candidate
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() {
    hs_free_scratch(scratch);
    hs_free_database(database);
  }
};

// Scans of at most 4 GB: the interface counts in 32 bits. Blocks are far smaller.
class HyperscanFinder : public Finder {
 public:
  explicit HyperscanFinder(std::shared_ptr<const Database> database) : database_(std::move(database)) {
    hs_clone_scratch(database_->scratch, &scratch_);
  }
  ~HyperscanFinder() override { hs_free_scratch(scratch_); }
  HyperscanFinder(const HyperscanFinder&) = delete;
  HyperscanFinder& operator=(const HyperscanFinder&) = delete;

  void start(std::string_view text) override {
    text_ = text;
    other_ = database_->ascii_lines ? find_non_ascii(text, 0) : kNone;
    found_ = 0;
    fresh_ = true;
    if (database_->restart) return;
    places_.clear();
    at_ = line_end_ = 0;
    if (!scan(text, &HyperscanFinder::collect)) every_line_ = true;
    if (!std::ranges::is_sorted(places_)) std::ranges::sort(places_);
  }

  std::size_t next(std::size_t from) override {
    if (every_line_) return from < text_.size() ? from : kNone;
    if (other_ != kNone && other_ < from) other_ = find_non_ascii(text_, from);
    return std::min(other_, database_->restart ? next_by_scan(from) : next_collected(from));
  }

  Certainty certainty() const override { return every_line_ ? Certainty::kMaybe : database_->certainty; }

  bool patterns_on(std::string_view line, std::vector<std::uint32_t>& out) override {
    const std::size_t before = out.size();
    if (hs_scan(database_->database, line.data(), static_cast<unsigned>(line.size()), 0, scratch_, &HyperscanFinder::name, &out) !=
        HS_SUCCESS)
      return false;
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    out.erase(std::unique(out.begin() + static_cast<std::ptrdiff_t>(before), out.end()), out.end());
    return true;
  }

 private:
  using Callback = int (*)(unsigned, unsigned long long, unsigned long long, unsigned, void*);

  std::size_t next_collected(std::size_t from) {
    while (at_ < places_.size() && places_[at_] < from) ++at_;
    return at_ < places_.size() ? places_[at_] : kNone;
  }

  std::size_t next_by_scan(std::size_t from) {
    if (!fresh_ && (found_ == kNone || found_ >= from)) return found_;
    fresh_ = false;
    if (from >= text_.size()) return found_ = kNone;
    first_ = kNone;
    if (!scan(text_.substr(from), &HyperscanFinder::stop)) return found_ = from;
    return found_ = first_ == kNone ? kNone : from + first_;
  }

  // False when Hyperscan fails: no answer of its is used then, and every line is a candidate.
  bool scan(std::string_view text, Callback callback) {
    if (text.empty()) return true;
    const hs_error_t error =
        hs_scan(database_->database, text.data(), static_cast<unsigned>(text.size()), 0, scratch_, callback, this);
    return error == HS_SUCCESS || error == HS_SCAN_TERMINATED;
  }

  static int collect(unsigned, unsigned long long, unsigned long long to, unsigned, void* context) {
    auto& self = *static_cast<HyperscanFinder*>(context);
    const std::size_t place = static_cast<std::size_t>(to) - 1;
    if (place < self.line_end_ && !self.places_.empty() && place >= self.places_.back()) return 0;  // the same line again
    self.places_.push_back(place);
    const void* newline = std::memchr(self.text_.data() + place, '\n', self.text_.size() - place);
    self.line_end_ =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - self.text_.data()) : self.text_.size();
    return 0;
  }
  static int stop(unsigned, unsigned long long, unsigned long long to, unsigned, void* context) {
    static_cast<HyperscanFinder*>(context)->first_ = static_cast<std::size_t>(to) - 1;
    return 1;
  }
  static int name(unsigned id, unsigned long long, unsigned long long, unsigned, void* context) {
    auto& out = *static_cast<std::vector<std::uint32_t>*>(context);
    if (out.empty() || out.back() != id) out.push_back(id);
    return 0;
  }

  std::shared_ptr<const Database> database_;
  hs_scratch_t* scratch_ = nullptr;
  std::string_view text_;
  std::vector<std::size_t> places_;
  std::size_t at_ = 0, line_end_ = 0, first_ = kNone;
  std::size_t found_ = 0;      // the place of the last scan, while it is not behind us
  std::size_t other_ = kNone;  // the next byte that is not ASCII, where that matters
  bool every_line_ = false, fresh_ = true;
};

class HyperscanPlan : public FinderPlan {
 public:
  HyperscanPlan(std::shared_ptr<const Database> database, std::vector<std::string> routes)
      : database_(std::move(database)), routes_(std::move(routes)) {}
  std::unique_ptr<Finder> make() const override { return std::make_unique<HyperscanFinder>(database_); }
  std::string route(std::size_t i) const override { return routes_[i]; }

 private:
  std::shared_ptr<const Database> database_;
  std::vector<std::string> routes_;
};

bool has_repeat(const Regex& regex) {
  return regex.kind == Regex::Kind::kRepeat || std::ranges::any_of(regex.children, has_repeat);
}

// What Hyperscan accepts takes long to compile, or scans slowly, when repeats of wide classes multiply.
constexpr std::size_t kMostText = 15000;

}  // namespace

bool has_hyperscan() { return hs_valid_platform() == HS_SUCCESS; }

Result<std::unique_ptr<FinderPlan>> plan_hyperscan(const std::vector<SoughtPattern>& patterns, std::vector<std::size_t>& refused) {
  auto database = std::make_shared<Database>();
  std::vector<std::string> texts, routes;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const SoughtPattern& each = patterns[i];
    ByteRegex bytes = byte_regex(each.word ? whole_words(*each.regex) : *each.regex,
                                 has_long_literal(*each.regex) ? ByteReach::kEveryLine : ByteReach::kAsciiLines);
    database->ascii_lines = database->ascii_lines || !bytes.covers_all;
    if (bytes.text.size() > kMostText) refused.push_back(i);
    const Certainty certainty = bytes.exact ? Certainty::kSure : bytes.ascii_exact ? Certainty::kSureIfAscii : Certainty::kMaybe;
    database->certainty = std::max(database->certainty, certainty);
    database->restart = database->restart || has_repeat(*each.regex);
    routes.push_back(certainty == Certainty::kSure          ? "Hyperscan"
                     : certainty == Certainty::kSureIfAscii ? "Hyperscan; RE2 decides on lines that are not ASCII"
                                                            : "Hyperscan; RE2 decides");
    texts.push_back(std::move(bytes.text));
  }
  if (!refused.empty()) return fail(ErrorKind::kLimit, "a pattern is too long for Hyperscan");

  std::vector<const char*> expressions;
  std::vector<unsigned> flags(texts.size(), HS_FLAG_MULTILINE), ids;
  for (const std::string& text : texts) {
    expressions.push_back(text.c_str());
    ids.push_back(static_cast<unsigned>(ids.size()));
  }
  hs_platform_info_t platform{};
  hs_populate_platform(&platform);
  hs_compile_error_t* error = nullptr;
  if (hs_compile_multi(expressions.data(), flags.data(), ids.data(), static_cast<unsigned>(texts.size()), HS_MODE_BLOCK, &platform,
                       &database->database, &error) != HS_SUCCESS) {
    if (error->expression >= 0) refused.push_back(static_cast<std::size_t>(error->expression));
    std::string message = error->message;
    hs_free_compile_error(error);
    return fail(ErrorKind::kLimit, std::move(message));
  }
  if (hs_alloc_scratch(database->database, &database->scratch) != HS_SUCCESS)
    return fail(ErrorKind::kLimit, "no memory for Hyperscan");
  return std::make_unique<HyperscanPlan>(std::move(database), std::move(routes));
}

}  // namespace ragline

#else

namespace ragline {

bool has_hyperscan() { return false; }

Result<std::unique_ptr<FinderPlan>> plan_hyperscan(const std::vector<SoughtPattern>&, std::vector<std::size_t>&) {
  return fail(ErrorKind::kLimit, "this build has no Hyperscan");
}

}  // namespace ragline

#endif
