# Writes what says whether a rule of FILES fires into OUT, as one JSON object of the files: the members of a rule but for
# those that only people read. Members stand at four blanks, what is in them deeper.
set(unread "category|title|each|what|why|remedies|next_check|false_positive|version_range|evidence|sources|samples|near_misses")
set(text "#include \"parsers/input/embedded.h\"\nnamespace trtlens {\nstd::string_view embedded_rule_heads() {\n  return \"{\"\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} rules)
  string(REGEX REPLACE "\n    \"(${unread})\": [^\n]*(\n      [^\n]*|\n    []}],?)*" "" rules "${rules}")
  string(APPEND text "R\"json(\"${name}\": ${rules},)json\"\n")
endforeach()
string(APPEND text "\"}\";\n}\n}  // namespace trtlens\n")
file(WRITE ${OUT} "${text}")
