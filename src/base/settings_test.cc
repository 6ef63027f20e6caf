// SPDX-License-Identifier: BSD-3-Clause
#include "base/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace starling {

// Settings are read once a process, so everything that the environment says is set before the first use.
TEST(Settings, EnvironmentAliasesSuffixesAndMisspellings) {
  setenv("MVP_SMP_EAGERSIZE", "32K", 1);
  setenv("MV2_SMP_USE_CMA", "no", 1);
  setenv("MPIR_CVAR_PRINT_LEAKED_HANDLES", "true", 1);
  setenv("MVP_SPIN_COUNT", "many", 1);
  setenv("MVP_SMP_EAGERSIZ", "1", 1);
  setenv("MVP_IGNORE_USER_CONFIG", "1", 1);
  EXPECT_EQ(settings().smp_eagersize, 32 << 10);
  EXPECT_FALSE(settings().smp_use_cma);
  EXPECT_TRUE(settings().report_leaks);
  EXPECT_EQ(settings().spin_count, Settings().spin_count) << "an unreadable value leaves the default";
  auto unknown = unknown_settings();
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0], "MVP_SMP_EAGERSIZ is not a setting; did you mean MVP_SMP_EAGERSIZE?");
  for (const SettingRow& row : setting_rows()) {
    EXPECT_FALSE(row.help.empty()) << row.name;
    if (row.name == "SMP_EAGERSIZE") {
      EXPECT_EQ(row.origin, "MVP_SMP_EAGERSIZE");
    }
  }
}

}  // namespace starling
