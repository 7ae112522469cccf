#include "mutate.h"

#include <algorithm>
#include <random>
#include <string_view>

namespace ragline::fuzz {
using namespace std::literals;
namespace {

class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, std::uint64_t n) : seeds_(seeds), random_(n) {}

  std::string run() {
    std::string input = seed();
    for (std::uint64_t changes = 1 + below(8); changes > 0; --changes) change(input);
    input.resize(std::min(input.size(), kMaxInput));
    return input;
  }

 private:
  // Not std::uniform_int_distribution: its results differ between standard libraries.
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string seed() { return seeds_.empty() ? std::string() : seeds_[below(seeds_.size())]; }
  char byte() {
    // Half of the time a byte that means something to some parser here.
    static constexpr auto kTelling = "\0\n\r\t \"\\'{}[]()<>,:;#@*+-~^&|!=0129aeE./\x7f\x80\xc3\xe2\xf0\xff"sv;
    return below(2) == 0 ? static_cast<char>(below(256)) : kTelling[below(kTelling.size())];
  }

  void change(std::string& input) {
    const std::size_t at = below(input.size() + 1);
    const std::size_t length = std::min<std::size_t>(1 + below(1 + below(64)), input.size() - at);
    switch (below(8)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < input.size()) input[at] = byte();
        break;
      case 2:
        input.insert(at, 1, byte());
        break;
      case 3:
        input.erase(at, length);
        break;
      case 4:
        input.insert(at, std::string(input, at, length));
        break;
      case 5:
        input.insert(at, 1 + below(256), byte());
        break;
      case 6:
        if (below(4) == 0) input.resize(at);
        break;
      default: {
        const std::string other = seed();
        input.resize(at);
        input += std::string_view(other).substr(below(other.size() + 1));
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

}  // namespace

std::string mutated(const std::vector<std::string>& seeds, std::uint64_t n) { return Mutator(seeds, n).run(); }

}  // namespace ragline::fuzz
