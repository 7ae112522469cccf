#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/storage.h"

// A disk that fails when told to, and forgets what was not synced when the power goes.
namespace ragline::crash {

// What happens at the n-th operation that changes something (create, append, sync, close, rename,
// remove, make_folder, remove_folder, sync_folder).
enum class Fault {
  kNone,
  kDies,     // it and every later one fails: the process is gone
  kNoSpace,  // it fails, once; those after it work
  kTorn,     // as kDies, but half of an append arrives
};

// What is found on the disk afterwards, of what was not synced.
enum class PowerLoss {
  kNothingLost,    // only the process died: everything that was written is there
  kLostUnsynced,   // contents, names and removals that were not synced are as before
  kEmptyUnsynced,  // names arrived, contents did not: files are empty that were not synced
  kRenamesFirst,   // as kLostUnsynced, but renames and removals arrived unsynced
};

class FaultyStorage : public Storage {
 public:
  using Files = std::map<std::string, std::string, std::less<>>;
  explicit FaultyStorage(const Files& files);

  // The fault comes at the n-th operation from now, counted from 1; 0: never.
  void plan(Fault fault, std::uint64_t n);
  std::uint64_t operations() const { return count_; }
  // The disk as the next process finds it.
  Files after(PowerLoss loss) const;

  Result<std::unique_ptr<WritableFile>> create(std::string_view name) override;
  Result<std::shared_ptr<const MappedFile>> map(std::string_view name) const override;
  bool exists(std::string_view name) const override;
  Status rename(std::string_view from, std::string_view to) override;
  Status remove(std::string_view name) override;
  Status make_folder(std::string_view name) override;
  Status remove_folder(std::string_view name) override;
  Status sync_folder(std::string_view name) override;
  Result<std::vector<std::string>> list(std::string_view folder) const override;
  Result<std::unique_ptr<StorageLock>> lock(std::string_view name, std::string_view holder,
                                            int wait_ms) override;
  std::string describe() const override { return "(faulty)"; }

 private:
  struct Content {
    std::string written, synced;
  };
  class File;
  // Name -> contents, as a running process sees it, and as it is on the disk for sure.
  using Names = std::map<std::string, std::shared_ptr<Content>, std::less<>>;

  // Counts an operation. An error where it shall fail; `torn` is set where half of it shall happen.
  Status step(std::string_view what, bool* torn = nullptr);

  Names names_, durable_;
  std::set<std::string, std::less<>> folders_, durable_folders_;
  Names renames_;               // since the last sync_folder(""): what renames put where
  std::set<std::string> gone_;  // since the last sync_folder(""): removed
  Fault fault_ = Fault::kNone;
  std::uint64_t at_ = 0, count_ = 0;
  bool dead_ = false;
};

}  // namespace ragline::crash
