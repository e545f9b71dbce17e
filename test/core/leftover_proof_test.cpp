#include "actors/core/leftover_proof.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::core {
namespace {

std::vector<leftover> suspects(std::size_t count) {
  std::vector<leftover> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({"export-" + std::to_string(i), "hub-" + std::to_string(i), {"shop", "a"}, std::to_string(i)});
  return out;
}

TEST(LeftoverProof, FewAreReadOneByOne) {
  leftover_proof proof;
  const auto plan = proof.add(suspects(leftover_proof::reads_max));
  EXPECT_EQ(plan.read.size(), leftover_proof::reads_max);
  EXPECT_FALSE(plan.relist);
}

TEST(LeftoverProof, ManyWaitForAListThatBeginsLater) {
  leftover_proof proof;
  EXPECT_TRUE(proof.add(suspects(33)).relist);
  EXPECT_TRUE(proof.list_done().empty()) << "the list that was under way when it was asked proves nothing";
  proof.list_began();
  EXPECT_EQ(proof.list_done().size(), 33U);
  EXPECT_TRUE(proof.list_done().empty()) << "each is judged once";
}

TEST(LeftoverProof, OneListIsAskedForAtATime) {
  leftover_proof proof;
  EXPECT_TRUE(proof.add(suspects(33)).relist);
  EXPECT_FALSE(proof.add(suspects(40)).relist);
  proof.list_began();
  EXPECT_EQ(proof.list_done().size(), 73U);
  EXPECT_TRUE(proof.add(suspects(33)).relist);
}

TEST(LeftoverProof, WhatIsSuspectedDuringAListGetsAnotherOne) {
  leftover_proof proof;
  EXPECT_TRUE(proof.add(suspects(33)).relist);
  EXPECT_FALSE(proof.must_relist()) << "asked already";
  proof.list_began();
  EXPECT_FALSE(proof.add(suspects(40)).relist);
  EXPECT_FALSE(proof.must_relist()) << "the list at hand comes first";
  EXPECT_EQ(proof.list_done().size(), 33U);
  EXPECT_TRUE(proof.must_relist());
  EXPECT_FALSE(proof.must_relist()) << "once";
  EXPECT_FALSE(proof.add(suspects(33)).relist);
  proof.list_began();
  EXPECT_EQ(proof.list_done().size(), 73U);
  EXPECT_FALSE(proof.must_relist());
}

TEST(LeftoverProof, AListThatBeginsAgainStillProves) {
  leftover_proof proof;
  proof.add(suspects(33));
  proof.list_began();
  proof.list_began();
  EXPECT_EQ(proof.list_done().size(), 33U);
}

TEST(LeftoverProof, FailedReadsAreTriedAgain) {
  leftover_proof proof;
  const auto plan = proof.add(suspects(2));
  proof.answered();
  EXPECT_FALSE(proof.has_unread());
  proof.failed(plan.read[1]);
  EXPECT_TRUE(proof.has_unread());
  const auto again = proof.try_again();
  ASSERT_EQ(again.read.size(), 1U);
  EXPECT_EQ(again.read[0], plan.read[1]);
  EXPECT_FALSE(proof.has_unread());
}

TEST(LeftoverProof, ReadsUnderWayCount) {
  leftover_proof proof;
  proof.add(suspects(20));
  EXPECT_TRUE(proof.add(suspects(20)).relist);
}

} // namespace
} // namespace sliceferry::core
