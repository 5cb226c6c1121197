// Facts as JSON, and what a schema says of them.
#pragma once

#include "report/facts/fact.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {

class FactsAsJson : public FactWriter {
 public:
  explicit FactsAsJson(JsonStream& out) : out_(out) {}

  void fact(const FactEntry& fact, const FactValue& value) override;
  void irregular(const FactEntry& fact, const Analysis& analysis) override;
  void begin_object(const FactEntry* fact) override;
  void begin_list(const FactEntry* fact) override;
  void end() override { out_.end(); }

 private:
  JsonStream& out_;
};

template <typename Row>
void write_facts(const FactsOf<Row>& facts, const Analysis& analysis, const Row& row,
                 JsonStream& out) {
  out.begin_object();
  FactsAsJson writer(out);
  facts.write(analysis, &row, writer);
  out.end();
}

[[nodiscard]] Json json_of(const FactValue& value);

// Adds the definition of the table, and of those that its facts are made of.
void define_facts(const FactTable& table, Json& definitions);

}  // namespace trtlens
