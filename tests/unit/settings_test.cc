// Layers of settings: the environment before the file, one command's before all commands'.
#include "report/cli/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/temp_folder.h"

namespace trtlens::settings_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const std::vector<SettingName> kTable = {
    {"analyze", "top", false},     {"analyze", "ignore", true}, {"analyze", "fail-on", false},
    {"compare", "fail-on", false}, {"compare", "top", false},   {"compare", "force", false},
};

class SettingsTest : public testing::Test {
 protected:
  ~SettingsTest() override {
    for (const std::string& name : set_) ::unsetenv(name.c_str());
  }
  void set(const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    set_.push_back(name);
  }
  [[nodiscard]] std::string file(const std::string& text) const {
    return folder_.write("settings.ini", text);
  }

  TempFolder folder_;

 private:
  std::vector<std::string> set_;
};

std::vector<std::string> texts(const std::vector<Setting>& settings) {
  std::vector<std::string> all;
  all.reserve(settings.size());
  for (const Setting& s : settings) {
    all.push_back(s.name + "=" + s.value + (s.line == 0 ? " of " + s.source : ""));
  }
  return all;
}

std::vector<std::string> texts(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> all;
  all.reserve(diagnostics.size());
  for (const Diagnostic& d : diagnostics) {
    all.push_back(d.file + ": expected " + d.expected + ", found " + d.found + " [" + d.id + "]");
  }
  return all;
}

TEST_F(SettingsTest, NothingSaysNothing) {
  const Settings settings = read_settings("analyze", "", kTable);
  EXPECT_THAT(settings.own, IsEmpty());
  EXPECT_THAT(settings.others, IsEmpty());
  EXPECT_THAT(settings.diagnostics, IsEmpty());
}

TEST_F(SettingsTest, SectionsComeBeforeTheHeadOfTheFile) {
  const std::string path = file("top = 1\nforce = yes\n[analyze]\ntop = 2\n[compare]\ntop = 3\n");
  EXPECT_THAT(texts(read_settings("analyze", path, kTable).own), ElementsAre("top=2"));
  EXPECT_THAT(texts(read_settings("analyze", path, kTable).others), ElementsAre("top=3"));
  EXPECT_THAT(texts(read_settings("compare", path, kTable).own),
              UnorderedElementsAre("top=3", "force=yes"));
}

TEST_F(SettingsTest, TheEnvironmentComesBeforeTheFile) {
  const std::string path = file("ignore = a\nignore = b\n[analyze]\ntop = 2\nfail-on = major\n");
  set("TRTLENS_TOP", "9");
  set("TRTLENS_IGNORE", "c");
  set("TRTLENS_FORCE", "on");  // compare's: says nothing here
  set("TRTLENS_FAIL_ON", "");  // as good as not set
  EXPECT_THAT(
      texts(read_settings("analyze", path, kTable).own),
      UnorderedElementsAre("top=9 of TRTLENS_TOP", "ignore=c of TRTLENS_IGNORE", "fail-on=major"));
}

TEST_F(SettingsTest, AVariableOfOneCommandComesBeforeThatOfAll) {
  set("TRTLENS_FAIL_ON", "major");
  set("TRTLENS_COMPARE_FAIL_ON", "none");
  EXPECT_THAT(texts(read_settings("analyze", "", kTable).own),
              ElementsAre("fail-on=major of TRTLENS_FAIL_ON"));
  EXPECT_THAT(texts(read_settings("analyze", "", kTable).others),
              ElementsAre("fail-on=none of TRTLENS_COMPARE_FAIL_ON"));
  EXPECT_THAT(texts(read_settings("compare", "", kTable).own),
              ElementsAre("fail-on=none of TRTLENS_COMPARE_FAIL_ON"));
}

TEST_F(SettingsTest, VariablesOfOthersAreLeftAloneButASlipIsNot) {
  set("TRTLENS_SHARED", "/x");
  set("TRTLENS_TMP", "/tmp");  // a letter off TRTLENS_TOP, which is too short to be a slip
  set("TRTLENS_FAILON", "major");
  const Settings settings = read_settings("analyze", "", kTable);
  EXPECT_THAT(settings.own, IsEmpty());
  EXPECT_THAT(texts(settings.diagnostics),
              ElementsAre("TRTLENS_FAILON: expected TRTLENS_FAIL_ON, found another name, one "
                          "letter off [environment-unknown-setting]"));
}

TEST_F(SettingsTest, AVariableNamesTheFileAndTheCommandLineAnother) {
  set("TRTLENS_CONFIG", file("top = 4\n"));
  EXPECT_THAT(texts(read_settings("analyze", "", kTable).own), ElementsAre("top=4"));
  const std::string missing = folder_.at("no-such.ini");
  const Settings other = read_settings("analyze", missing, kTable);
  EXPECT_THAT(other.own, IsEmpty());
  EXPECT_THAT(texts(other.diagnostics),
              ElementsAre(missing + ": expected a readable file, found No such file or directory "
                                    "[config-unreadable]"));
}

TEST_F(SettingsTest, FoldersAndHugeFilesAreNoSettings) {
  const std::string folder = folder_.path().string();
  EXPECT_THAT(texts(read_settings("analyze", folder, kTable).diagnostics),
              ElementsAre(folder + ": expected a readable file, found Is a directory "
                                   "[config-unreadable]"));
  const std::string path = file(std::string(kMaxConfigBytes + 1, '\n'));
  EXPECT_THAT(texts(read_settings("analyze", path, kTable).diagnostics),
              ElementsAre(path + ": expected at most 1048576 bytes, found more "
                                 "[config-too-large]"));
}

}  // namespace
}  // namespace trtlens::settings_test
