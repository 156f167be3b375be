# A file whose compilation says how fast a machine is, for limits of time that hold on all of them.
# Sourced: yardstick <file> writes it.

usual_yardstick=2.4 # seconds at -O0, which a quiet machine takes or less

yardstick() {
  cat >"$1" <<'TEXT'
#include <regex>
#include <nlohmann/json.hpp>
int main() { return std::regex_match("", std::regex("")) && nlohmann::json::parse("0") == 0; }
TEXT
}

# compiling <compiler> <argument>...: processor seconds; what the compiler says if it fails.
compiling() {
  local spent TIMEFORMAT='%U %S'
  spent=$({ time "$@" >&2; } 2>&1) || { echo "$spent" >&2 && return 1; }
  awk '{ printf "%.2f", $1 + $2 }' <<<"$spent"
}
