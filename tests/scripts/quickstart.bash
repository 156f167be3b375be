# The quickstart by a compiler, for scripts that compare its digest; sourced, not a test.
blas=$(sed -n 's/^CBLAS_LIBRARY:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
headers=$(sed -n 's/^CBLAS_INCLUDE_DIR:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt") # not ours: no warnings
libraries=("$blas" -ltbb -lz)
flags=("@$GOSSIP_BUILD/tests/fails/flags" -isystem "$headers"
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
grep -q '^GOSSIP_KNOWS_MARCH_NATIVE:INTERNAL=1' "$GOSSIP_BUILD/CMakeCache.txt" && flags+=(-march=native)

digest() { "$1" 0.5 /dev/null 2>/dev/null | sed -n 's/^digest *//p'; }

# same_digest <program> <words>: that of the build's own quickstart.
same_digest() {
  local ours theirs
  ours=$(digest "$GOSSIP_BIN/quickstart") theirs=$(digest "$1")
  [ -n "$ours" ] && [ "$ours" = "$theirs" ] ||
    fault "quickstart: digest $theirs by $2, expected $ours as in this build"
}
