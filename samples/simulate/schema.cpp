// Filling in and checking a configuration by the table of its fields.
#include "schema.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/member_checks.hpp>

namespace simulate {

namespace {

/// Insertions, deletions and exchanges between two words (V. Levenshtein 1966).
std::size_t distance(std::string const &a, std::string const &b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string listed(std::vector<std::string> const &names, char const *last) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "" : i + 1 == names.size() ? std::string(last) : ", ") + names[i];
  return all;
}

template <class Named>
std::vector<std::string> names_of(std::vector<Named> const &all) {
  std::vector<std::string> names;
  for (Named const &one : all) names.push_back(one.name);
  return names;
}

/// A value as part of a sentence: one short line.
std::string shown(json const &value) {
  if (value.is_null()) return "nothing";
  std::string line = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return line.size() > 60 ? line.substr(0, 57) + "..." : line;
}

std::string described(whole const &form) {
  std::string const least = std::to_string(form.least);
  if (form.most == whole{}.most) return "a whole number of at least " + least;
  return "a whole number from " + least + " to " + std::to_string(form.most);
}

gossip::bounds bounds_of(number const &form) {
  return {form.least, form.most, form.more_than_least, form.less_than_most};
}

std::string described(number const &form) {
  return gossip::detail::bounds_in_words(bounds_of(form), "a number", "");
}

std::string described(numbers const &form) {
  return std::string(form.fewest > 0 ? "a non-empty list" : "a list") + ", each element " +
         described(form.each) + (form.or_lists ? ", or a list of such numbers" : "");
}
std::string described(wholes const &form) {
  return "a list, each element " + described(form.each);
}
std::string described(yes_or_no const &) {
  return "true or false";
}
std::string described(text const &) {
  return "text";
}
std::string described(duration const &form) {
  return std::string("a duration such as 10ms") + (form.above_zero ? ", at least 1ns" : "");
}
std::string described(bandwidth const &) {
  return "a bandwidth such as 2.8GB/s";
}
std::string described(choice const &form) {
  return listed(form.names, " or ");
}
std::string described(group const &form) {
  return "an object with " + listed(names_of(form.fields), " and ");
}
std::string described(list const &form) {
  return "a list of objects with " + listed(names_of(form.fields), " and ");
}
std::string described(either const &form) {
  return "an object with " + listed(names_of(form.fields), " or ");
}
std::string described(policy const &form) {
  return listed(names_of(form.kinds), ", ");
}

[[noreturn]] void refuse(std::string const &pointer, auto const &form, json const &given) {
  throw mismatch{pointer, "expected " + described(form) + ", got " + shown(given)};
}

/// visit(pointer, kind, name) for every field, of a kind or of none; of a list those of its entry
/// 0.
template <class F>
void for_each_field(std::vector<field> const &fields, std::string const &pointer,
                    std::string const &of_kind, F const &visit) {
  for (field const &f : fields) {
    std::string const here = pointer + "/" + f.name;
    visit(here, of_kind, f.name);
    if (auto const *inner = std::get_if<group>(&f.form))
      for_each_field(inner->fields, here, "", visit);
    if (auto const *entries = std::get_if<list>(&f.form))
      for_each_field(entries->fields, here + "/0", "", visit);
    if (auto const *one_of = std::get_if<either>(&f.form))
      for_each_field(one_of->fields, here, "", visit);
    if (auto const *choices = std::get_if<policy>(&f.form))
      for (kind const &k : choices->kinds) for_each_field(k.fields, here, k.name, visit);
  }
}

/// Where a field of exactly this name is: "; erdos_renyi has it" of other kinds of that policy,
/// else the pointers that are least deep; nothing where there is none.
std::string elsewhere(std::string const &key, std::string const &pointer) {
  std::vector<std::string> kinds, pointers;
  auto const depth = [](std::string const &p) { return std::count(p.begin(), p.end(), '/'); };
  auto const add = [](std::vector<std::string> &to, std::string const &name) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  };
  for_each_field(schema().fields, "", "",
                 [&](std::string const &here, std::string const &of_kind, std::string const &name) {
                   if (name != key) return;
                   if (here == pointer + "/" + key && !of_kind.empty()) return add(kinds, of_kind);
                   if (!pointers.empty() && depth(here) < depth(pointers[0])) pointers.clear();
                   if (pointers.empty() || depth(here) == depth(pointers[0])) add(pointers, here);
                 });
  if (kinds.size() > 6) {
    kinds[3] = std::to_string(kinds.size() - 3) + " others";
    kinds.resize(4);
  }
  if (!kinds.empty())
    return "; " + listed(kinds, " and ") + (kinds.size() == 1 ? " has it" : " have it");
  return pointers.empty() ? "" : "; did you mean " + listed(pointers, " or ") + "?";
}

/// Throws mismatch for a key that is none of these.
void refuse_unknown(json const &given, std::vector<std::string> const &names,
                    std::string const &pointer, std::string const &owner) {
  for (auto const &[key, value] : given.items())
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      std::string const other = elsewhere(key, pointer);
      throw mismatch{pointer + "/" + shown(json(key)).substr(1, shown(json(key)).size() - 2),
                     "unknown key; " + owner + " has " +
                         (names.empty() ? "none" : listed(names, " and ")) +
                         (other.empty() ? did_you_mean(key, names) : other)};
    }
}

json checked(field const &f, json const &given, std::string const &pointer);

json checked_fields(std::vector<field> const &fields, json const &given,
                    std::string const &pointer) {
  json result = json::object();
  for (field const &f : fields) {
    auto const at = given.find(f.name);
    json const &value = at == given.end() || at->is_null() ? f.fallback : *at;
    result[f.name] = checked(f, value, pointer + "/" + f.name);
  }
  return result;
}

json check(whole const &form, json const &given, std::string const &pointer) {
  std::uint64_t value = 0;
  if (given.is_number_unsigned()) {
    value = given.get<std::uint64_t>();
  } else if (given.is_number_float() && given.get<double>() >= 0 && given.get<double>() < 0x1p53 &&
             given.get<double>() == std::floor(given.get<double>())) {
    value = static_cast<std::uint64_t>(given.get<double>());
  } else if (given.is_number_integer() && given.get<std::int64_t>() >= 0) {
    value = static_cast<std::uint64_t>(given.get<std::int64_t>());
  } else {
    refuse(pointer, form, given);
  }
  if (value < form.least || value > form.most) refuse(pointer, form, given);
  return value;
}

json check(number const &form, json const &given, std::string const &pointer) {
  if (!given.is_number()) refuse(pointer, form, given);
  double const value = given.get<double>();
  if (!gossip::detail::within(bounds_of(form), value) || !std::isfinite(value))
    refuse(pointer, form, given);
  return given;
}

json check(numbers const &form, json const &given, std::string const &pointer) {
  if (!given.is_array() || given.size() < form.fewest) refuse(pointer, form, given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::string const place = pointer + "/" + std::to_string(i);
    if (form.or_lists && given[i].is_array())
      check(numbers{form.each, 1}, given[i], place);
    else
      check(form.each, given[i], place);
  }
  return given;
}

json check(wholes const &form, json const &given, std::string const &pointer) {
  if (!given.is_array()) refuse(pointer, form, given);
  json result = json::array();
  for (std::size_t i = 0; i < given.size(); ++i)
    result.push_back(check(form.each, given[i], pointer + "/" + std::to_string(i)));
  return result;
}

json check(yes_or_no const &form, json const &given, std::string const &pointer) {
  if (!given.is_boolean()) refuse(pointer, form, given);
  return given;
}

json check(text const &form, json const &given, std::string const &pointer) {
  if (!given.is_string()) refuse(pointer, form, given);
  if (given.get_ref<std::string const &>().find('\0') != std::string::npos)
    refuse(pointer, form, given);
  return given;
}

/// The sentence of a library's error, without its place.
std::string sentence_of(gossip::input_error const &fault) {
  return "expected " + fault.expected() + ", got " + fault.got();
}

json check(duration const &form, json const &given, std::string const &pointer) {
  if (!given.is_string()) refuse(pointer, form, given);
  try {
    auto const time = gossip::parse_duration(given.get_ref<std::string const &>(), "");
    if (form.above_zero && time.count() < 1) refuse(pointer, form, given);
  } catch (gossip::input_error const &fault) {
    throw mismatch{pointer, sentence_of(fault)};
  }
  return given;
}

json check(bandwidth const &form, json const &given, std::string const &pointer) {
  if (!given.is_string()) refuse(pointer, form, given);
  try {
    gossip::parse_bandwidth(given.get_ref<std::string const &>(), "");
  } catch (gossip::input_error const &fault) {
    throw mismatch{pointer, sentence_of(fault)};
  }
  return given;
}

json check(choice const &form, json const &given, std::string const &pointer) {
  if (given.is_string()) {
    auto const &word = given.get_ref<std::string const &>();
    if (std::find(form.names.begin(), form.names.end(), word) != form.names.end()) return given;
    throw mismatch{pointer, "expected " + described(form) + ", got " + shown(given) +
                                did_you_mean(word, form.names)};
  }
  refuse(pointer, form, given);
}

json check(group const &form, json const &given, std::string const &pointer) {
  if (given.is_null()) return checked_fields(form.fields, json::object(), pointer);
  if (!given.is_object()) refuse(pointer, form, given);
  refuse_unknown(given, names_of(form.fields), pointer, "this object");
  return checked_fields(form.fields, given, pointer);
}

json check(list const &form, json const &given, std::string const &pointer) {
  if (!given.is_array()) refuse(pointer, form, given);
  json result = json::array();
  for (std::size_t i = 0; i < given.size(); ++i)
    result.push_back(check(group{form.fields}, given[i], pointer + "/" + std::to_string(i)));
  return result;
}

json check(either const &form, json const &given, std::string const &pointer) {
  if (!given.is_object()) refuse(pointer, form, given);
  refuse_unknown(given, names_of(form.fields), pointer, "this object");
  if (given.size() != 1) refuse(pointer, form, given);
  for (field const &f : form.fields)
    if (given.contains(f.name))
      return {{f.name, checked(f, given[f.name], pointer + "/" + f.name)}};
  refuse(pointer, form, given);
}

json check(policy const &form, json const &given, std::string const &pointer) {
  bool const short_form = given.is_string();
  if (!short_form && !given.is_object())
    throw mismatch{pointer, "expected an object with a kind, or one of " + described(form) +
                                ", got " + shown(given)};
  json const &name = short_form ? given : given.contains("kind") ? given["kind"] : json();
  auto const found = std::find_if(form.kinds.begin(), form.kinds.end(),
                                  [&](kind const &k) { return name == k.name; });
  if (found == form.kinds.end())
    throw mismatch{
        pointer + (short_form ? "" : "/kind"),
        "expected one of " + described(form) + ", got " + shown(name) +
            (name.is_string() ? did_you_mean(name.get<std::string>(), names_of(form.kinds)) : "")};
  std::vector<std::string> names{"kind"};
  for (field const &f : found->fields) names.push_back(f.name);
  json result{{"kind", found->name}};
  if (short_form) {
    result.update(checked_fields(found->fields, json::object(), pointer));
  } else {
    refuse_unknown(given, names, pointer, found->name);
    result.update(checked_fields(found->fields, given, pointer));
  }
  if (form.written_short && found->fields.empty()) return found->name;
  return result;
}

json checked(field const &f, json const &given, std::string const &pointer) {
  if (given.is_null() && f.may_be_left_out) return nullptr;
  bool const absent = given.is_null() && !std::holds_alternative<group>(f.form);
  if (absent)
    throw mismatch{pointer,
                   "expected " +
                       std::visit([](auto const &form) { return described(form); }, f.form) + " (" +
                       f.meaning + "), got nothing"};
  if (std::holds_alternative<policy>(f.form) && given.is_object() && !given.contains("kind") &&
      !f.fallback.is_null()) {
    json with_kind = given;
    with_kind["kind"] = f.fallback;
    return checked(f, with_kind, pointer);
  }
  return std::visit([&](auto const &form) { return check(form, given, pointer); }, f.form);
}

/// f(pointer, kind) for every kind of every policy in the fields.
template <class F>
void for_each_kind(std::vector<field> const &fields, std::string const &pointer, F const &visit) {
  for (field const &f : fields) {
    std::string const here = pointer + "/" + f.name;
    if (auto const *inner = std::get_if<group>(&f.form)) for_each_kind(inner->fields, here, visit);
    if (auto const *choices = std::get_if<policy>(&f.form))
      for (kind const &k : choices->kinds) {
        visit(here, k);
        for_each_kind(k.fields, here, visit);
      }
  }
}

bool mentions(std::string const &sentence, std::string const &word) {
  auto const letter = [&](std::size_t at) {
    return at < sentence.size() &&
           (std::isalnum(static_cast<unsigned char>(sentence[at])) != 0 || sentence[at] == '_');
  };
  for (std::size_t at = sentence.find(word); at != std::string::npos;
       at = sentence.find(word, at + 1))
    if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) return true;
  return false;
}

void print_row(std::ostream &out, std::size_t depth, std::string const &name,
               std::string const &meaning) {
  std::string line = std::string(2 * depth, ' ') + name;
  if (!meaning.empty()) line += std::string(line.size() < 26 ? 26 - line.size() : 1, ' ') + meaning;
  out << line << '\n';
}

/// The list of fields. Kinds that have been listed before are referred to.
class field_list {
 public:
  void print(std::ostream &out, std::vector<field> const &fields, std::size_t depth,
             std::string const &pointer) {
    for (field const &f : fields) print(out, f, depth, pointer + "/" + f.name);
  }

 private:
  void print(std::ostream &out, field const &f, std::size_t depth, std::string const &pointer) {
    std::string const meaning = f.meaning.empty() ? "" : f.meaning + "; ";
    std::string const fallback = f.fallback.is_null() ? "" : "; default " + f.fallback.dump();
    if (auto const *inner = std::get_if<group>(&f.form)) {
      print_row(out, depth, f.name, f.meaning);
      print(out, inner->fields, depth + 1, pointer);
    } else if (auto const *entries = std::get_if<list>(&f.form)) {
      print_row(out, depth, f.name, meaning + "a list of objects" + fallback);
      print(out, entries->fields, depth + 1, pointer + "/0");
    } else if (auto const *one_of = std::get_if<either>(&f.form)) {
      print_row(out, depth, f.name, meaning + "one of these" + fallback);
      print(out, one_of->fields, depth + 1, pointer);
    } else if (auto const *choices = std::get_if<policy>(&f.form)) {
      std::ostringstream kinds;
      field_list().print_kinds(kinds, choices->kinds, 0, "");
      auto const [known, is_new] = listed_.try_emplace(kinds.str(), pointer);
      print_row(out, depth, f.name,
                meaning + "a kind" + (is_new ? "" : ", as in " + known->second) + fallback);
      if (is_new) print_kinds(out, choices->kinds, depth + 1, pointer);
    } else {
      print_row(out, depth, f.name,
                meaning + std::visit([](auto const &form) { return described(form); }, f.form) +
                    fallback);
    }
  }

  void print_kinds(std::ostream &out, std::vector<kind> const &kinds, std::size_t depth,
                   std::string const &pointer) {
    for (kind const &k : kinds) {
      print_row(out, depth, k.name, k.meaning);
      print(out, k.fields, depth + 1, pointer);
    }
  }

  std::map<std::string, std::string> listed_;  // pointers of kinds by their text
};

}  // namespace

json complete(group const &fields, json const &given, std::string const &pointer) {
  return check(fields, given, pointer);
}

std::string did_you_mean(std::string const &word, std::vector<std::string> const &names) {
  if (word.size() > 64 || names.empty()) return "";
  auto const closer = [&](std::string const &a, std::string const &b) {
    return distance(word, a) < distance(word, b);
  };
  auto const best = std::min_element(names.begin(), names.end(), closer);
  if (distance(word, *best) > std::max<std::size_t>(2, word.size() / 3)) return "";
  return "; did you mean " + *best + "?";
}

mismatch locate(gossip::input_error const &fault) {
  std::string const sentence = fault.what();
  std::size_t const colon = sentence.find(": ");
  if (colon == std::string::npos) return {"", sentence};
  std::string const who = sentence.substr(0, colon);
  mismatch found{"", sentence};
  for_each_kind(schema().fields, "", [&](std::string const &pointer, kind const &k) {
    if ((k.name != who && k.name + "_time" != who) || !found.pointer.empty()) return;
    found = {pointer, sentence.substr(colon + 2)};
    for (field const &f : k.fields)
      if (mentions(sentence, f.name)) found.pointer = pointer + "/" + f.name;
  });
  // Names of the library that differ from the configuration's.
  for (auto const &[name, pointer] : std::initializer_list<std::pair<char const *, char const *>>{
           {"clock", "/clock"},
           {"link", "/clock/link"},
           {"held_out", "/evaluate/held_out"},
           {"flipped_nodes", "/data/flipped_nodes"},
           {"flipped_labels", "/data/flipped_nodes"},
           {"each_node", "/evaluate/each_node"},
           {"mixed_precision", "/precision/loss_scale"},
           {"run", "/stop"}})
    if (who == name) found = {pointer, sentence.substr(colon + 2)};
  std::string const last = found.pointer.substr(found.pointer.rfind('/') + 1);
  for (std::string const &start : {last + ": ", last + " "})
    if (!last.empty() && found.sentence.starts_with(start))
      found.sentence = found.sentence.substr(start.size());
  return found;
}

void print_list(std::ostream &out) {
  out << "The fields of a configuration: name, meaning, form and default; below a policy its kinds "
         "with\n"
         "their parameters. A kind without parameters may be given by its name: \"model\": "
         "\"lenet5\".\n"
         "Durations are numbers with ns, us, ms, s, min or h; bandwidths are numbers with B/s to "
         "TB/s or\n"
         "kbit/s to Tbit/s.\n\n";
  field_list().print(out, schema().fields, 0, "");
}

}  // namespace simulate
