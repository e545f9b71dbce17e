#include "actors/core/blob_store.hpp"
#include "actors/core/slot_index.hpp"
#include "actors/core/text_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

std::uint32_t draw(std::mt19937& dice, std::uint32_t bound) {
  return static_cast<std::uint32_t>(dice() % bound);
}

std::string some_bytes(std::mt19937& dice, std::size_t size_max) {
  std::string out(1 + dice() % size_max, ' ');
  for (char& each : out)
    each = static_cast<char>(dice());
  return out;
}

std::size_t stored(const std::map<std::uint32_t, std::string>& truth) {
  std::size_t out = 0;
  for (const auto& [slot, bytes] : truth)
    out += bytes.size() + 9; // slot, length and the rest to a multiple of four
  return out;
}

TEST(BlobStore, HoldsWhatWasPutWhateverCameSince) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    blob_store store;
    std::map<std::uint32_t, std::string> truth;
    for (int step = 0; step < 30000; ++step) {
      const std::uint32_t slot = draw(dice, 2000);
      if (draw(dice, 4) == 0) {
        store.erase(slot);
        truth.erase(slot);
      } else {
        const std::size_t size_max = draw(dice, 2000) == 0 ? 300'000 : draw(dice, 50) == 0 ? 2000 : 200;
        store.put(slot, truth[slot] = some_bytes(dice, size_max));
      }
      ASSERT_EQ(store.at(slot), truth.contains(slot) ? truth[slot] : "");
      for (std::uint32_t each = step % 5000 == 0 ? 0 : 2000; each < 2000; ++each)
        ASSERT_EQ(store.at(each), truth.contains(each) ? truth[each] : "") << each;
    }
    for (std::uint32_t each = 0; each < 2000; ++each)
      store.erase(each);
    EXPECT_LE(store.capacity(), 2U * (1U << 18U)) << "all is gone, but for the page that is written to";
  }
}

TEST(BlobStore, WastesLittleUnderChurn) {
  std::mt19937 dice{7};
  blob_store store;
  std::map<std::uint32_t, std::string> truth;
  for (std::uint32_t slot = 0; slot < 20000; ++slot)
    store.put(slot, truth[slot] = some_bytes(dice, 300));
  for (int step = 0; step < 60000; ++step) {
    const std::uint32_t slot = draw(dice, 20000);
    store.put(slot, truth[slot] = some_bytes(dice, 300));
    if (step % 1000 != 999)
      continue;
    const auto least = stored(truth);
    ASSERT_LE(store.capacity(), least + least / blob_store::slack + 2U * (1U << 18U)) << "step " << step;
  }
}

TEST(SlotIndex, FindsWhatIsThere) {
  // Few hashes: runs of equal ones, neighbours that collide and crowds.
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    slot_index index;
    std::map<std::uint32_t, std::set<std::uint32_t>> truth;
    std::size_t count = 0;
    for (int step = 0; step < 8000; ++step) {
      const std::uint32_t hash = (draw(dice, 60)) * (draw(dice, 2) == 0 ? 1U : 0x04000000U);
      const std::uint32_t slot = draw(dice, 40);
      if (truth[hash].insert(slot).second) {
        index.add(hash, slot);
        ++count;
      } else if (draw(dice, 3) != 0) {
        truth[hash].erase(slot);
        index.remove(hash, slot);
        --count;
      }
      ASSERT_EQ(index.size(), count);
      const auto found = index.all(hash);
      ASSERT_EQ(std::set(found.begin(), found.end()), truth[hash]);
      ASSERT_EQ(found.size(), truth[hash].size()) << "each once";
      ASSERT_EQ(index.find(hash, [&](auto at) { return at == slot; }).has_value(), truth[hash].contains(slot));
    }
    for (const auto& [hash, slots] : truth)
      for (const auto slot : slots)
        index.remove(hash, slot);
    EXPECT_EQ(index.size(), 0U);
    EXPECT_LE(index.capacity(), 16U);
  }
}

TEST(SlotIndex, ManyOfOneHashCostNoMoreEach) {
  // With a walk past all others this takes minutes.
  constexpr std::uint32_t count = 200'000;
  slot_index index;
  for (std::uint32_t slot = 0; slot < count; ++slot)
    index.add(77, slot);
  EXPECT_EQ(index.all(77).size(), count);
  for (std::uint32_t slot = 0; slot < count; ++slot)
    index.remove(77, slot);
  EXPECT_EQ(index.size(), 0U);
}

TEST(TextPool, CountsUses) {
  text_pool pool;
  const auto shop = pool.acquire("shop");
  const auto bank = pool.acquire("bank");
  EXPECT_NE(shop, bank);
  EXPECT_EQ(pool.acquire("shop"), shop);
  EXPECT_EQ(pool.at(shop), "shop");
  pool.release(shop);
  EXPECT_EQ(pool.at(shop), "shop") << "one use is left";
  pool.release(shop);
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_EQ(pool.acquire("mine"), shop) << "its number is free";
  EXPECT_EQ(pool.at(bank), "bank");
}

} // namespace
} // namespace sliceferry::core
