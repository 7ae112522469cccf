#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/files.h"
#include "core/text.h"
#include "record/reader.h"

namespace ragline {

namespace {
constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }
}  // namespace

// A window [begin, end) of the input that always starts at a line. When it holds no newline, its
// rest moves to the front of the buffer and a block is read behind it; the buffer doubles when a
// line fills it.
struct LineReader::State {
  std::string name;
  int descriptor = -1;  // -1: all bytes are in hand, or the file is over
  bool owns_descriptor = false;
  std::size_t max_line = kMaxLine;
  std::unique_ptr<char[]> buffer;
  std::size_t capacity = 0;
  const char* begin = nullptr;
  const char* end = nullptr;
  std::size_t searched = 0;  // bytes from begin that are known to hold no newline
  std::uint64_t number = 0;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { finish(); }

  void finish() {
    if (owns_descriptor && descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }

  // Reads another block behind the window. False at the end of the file.
  Result<bool> fill() {
    if (descriptor < 0) return false;
    const auto held = static_cast<std::size_t>(end - begin);
    if (held + kBlock > capacity) {
      const std::size_t grown = std::max(2 * capacity, 2 * kBlock);
      auto larger = std::make_unique_for_overwrite<char[]>(grown);
      if (held) std::memcpy(larger.get(), begin, held);
      buffer = std::move(larger);
      capacity = grown;
    } else if (held && begin != buffer.get()) {
      std::memmove(buffer.get(), begin, held);
    }
    begin = buffer.get();
    end = begin + held;
    ssize_t got;
    do got = ::read(descriptor, buffer.get() + held, kBlock);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
      auto error = fail(ErrorKind::kIo, errno_text("cannot read", name));
      finish();
      begin = end;
      return error;
    }
    if (got == 0) finish();
    end += got;
    return got > 0;
  }

  // The next line with what ends it but the newline; false at the end. Too long a line is left out
  // and reported.
  Result<bool> take(std::string_view& line) {
    bool too_long = false;
    while (true) {
      const auto held = static_cast<std::size_t>(end - begin);
      const char* newline =
          held > searched
              ? static_cast<const char*>(std::memchr(begin + searched, '\n', held - searched))
              : nullptr;
      const auto length = newline ? static_cast<std::size_t>(newline - begin) : held;
      too_long = too_long || length > max_line;
      if (!newline) {
        searched = too_long ? 0 : held;
        if (too_long) begin = end;
        RAGLINE_TRY(const bool more, fill());
        if (more) continue;
        if (held == 0 && !too_long) return false;
      }
      line = {begin, too_long ? 0 : length};
      begin = newline ? newline + 1 : end;
      searched = 0;
      ++number;
      if (!too_long) return true;
      return fail(ErrorKind::kData, cat("the line is longer than ", size_text(max_line),
                                        ": split the record, rag-chunk reads whole files"));
    }
  }
};

LineReader::LineReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

LineReader::LineReader(std::string name, std::string_view bytes)
    : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  state_->begin = bytes.data();
  state_->end = bytes.data() + bytes.size();
}

Result<LineReader> LineReader::open(const std::string& name, std::size_t max_line) {
  auto state = std::make_unique<State>();
  state->max_line = max_line;
  if (name == "-") {
    state->name = "standard input";
    state->descriptor = STDIN_FILENO;
    return LineReader(std::move(state));
  }
  state->name = name;
  state->descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (state->descriptor < 0)
    return fail(
        errno == ENOENT || errno == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kIo,
        cat(errno_text("cannot open", name), ": give a readable file, or - for standard input"));
  state->owns_descriptor = true;
  struct stat info{};
  if (::fstat(state->descriptor, &info) == 0 && S_ISDIR(info.st_mode))
    return fail(ErrorKind::kIo,
                cat("cannot read '", name, "': it is a directory: give a file of JSON Lines"));
  return LineReader(std::move(state));
}

Result<bool> LineReader::next(Line& line) {
  State& state = *state_;
  while (true) {
    std::string_view bytes;
    auto taken = state.take(bytes);
    line = {bytes, state.number};
    if (!taken || !*taken) return taken;
    if (state.number == 1) {
      if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        return fail(ErrorKind::kData,
                    "the file is UTF-16: convert it with iconv -f UTF-16 -t UTF-8");
      if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    }
    if (bytes.ends_with('\r')) bytes.remove_suffix(1);
    if (is_blank(bytes)) continue;
    line.bytes = bytes;
    return true;
  }
}

const std::string& LineReader::name() const { return state_->name; }

Error at_line(const Error& error, std::string_view name, std::uint64_t number) {
  return {error.kind, cat(name, ':', number, ": ", error.message)};
}

}  // namespace ragline
