// Reads a model from safetensors, the file format of Hugging Face (model/safetensors.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/data/json_text.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/safetensors.hpp>

namespace gossip {

namespace detail {

inline std::string text_of_shape(std::vector<std::size_t> const &shape) {
  std::string text = "(";
  for (std::size_t k = 0; k < shape.size(); ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
  return text + ")";
}

/// Bytes of a number of a type.
inline std::uint64_t safetensors_bytes(std::string const &type, std::string const &where) {
  static std::vector<std::pair<char const *, std::uint64_t>> const sizes{
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
      {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8}};
  for (auto const &[name, bytes] : sizes)
    if (type == name) return bytes;
  throw input_error(where, "a type of safetensors, as F32", "'" + type.substr(0, 20) + "'");
}

/// One member of a header; data_bytes: behind it. Throws input_error where it is no tensor.
inline safetensors_entry entry_of_header(std::string const &path, std::string const &name,
                                         nlohmann::json const &value, std::uint64_t data_bytes) {
  std::string const where = path + ": '" + name + "'";
  auto const refuse = [&] {
    throw input_error(where, "dtype, shape and two data_offsets",
                      value.dump(-1, ' ', true).substr(0, 60));
  };
  auto const list = [&](std::string const &member) {
    std::vector<std::size_t> numbers;
    if (!value[member].is_array()) refuse();
    for (nlohmann::json const &one : value[member])
      one.is_number_unsigned() ? numbers.push_back(one.get<std::size_t>()) : refuse();
    return numbers;
  };
  std::string const dtype = "dtype", shape = "shape", offsets = "data_offsets";
  if (!value.is_object() || value.size() != 3 || !value.contains(dtype) || !value.contains(shape) ||
      !value.contains(offsets) || !value[dtype].is_string())
    refuse();
  std::vector<std::size_t> const ends = list(offsets);
  if (ends.size() != 2) refuse();
  safetensors_entry const e{name, value[dtype].get<std::string>(), list(shape), ends[0], ends[1]};
  if (e.begin > e.end || e.end > data_bytes)
    throw input_error(where, "data_offsets that ascend, up to " + std::to_string(data_bytes),
                      std::to_string(e.begin) + " to " + std::to_string(e.end));
  std::uint64_t bytes = safetensors_bytes(e.type, where);
  for (std::size_t const extent : e.shape) {
    if (extent != 0 && bytes > UINT64_MAX / extent)
      throw input_error(where, "a shape of fewer than 2^64 bytes", text_of_shape(e.shape));
    bytes *= extent;
  }
  if (bytes != e.end - e.begin)
    throw input_error(where, std::to_string(bytes) + " bytes by its shape",
                      std::to_string(e.end - e.begin));
  return e;
}

/// The tensors of a header in the order of their numbers; data_bytes: of the file behind it. Throws
/// input_error by tensor where their places, shapes and types do not fit, or leave a hole.
inline std::vector<safetensors_entry> safetensors_entries(std::span<std::uint8_t const> text,
                                                          std::uint64_t data_bytes,
                                                          std::string const &path) {
  nlohmann::json const header = parse_json(text, path + ": header");
  if (!header.is_object()) throw input_error(path + ": header", "an object", header.type_name());
  std::vector<safetensors_entry> entries;
  for (auto one = header.begin(); one != header.end(); ++one)
    if (one.key() != "__metadata__")
      entries.push_back(entry_of_header(path, one.key(), one.value(), data_bytes));
  std::sort(entries.begin(), entries.end(), [](auto const &a, auto const &b) {
    return std::pair{a.begin, a.end} < std::pair{b.begin, b.end};
  });
  std::uint64_t end = 0;
  for (safetensors_entry const &one : entries) {
    if (one.begin != end)
      throw input_error(path + ": '" + one.name + "'",
                        "to begin at byte " + std::to_string(end) + ", where the last one ends",
                        std::to_string(one.begin));
    end = one.end;
  }
  if (end != data_bytes)
    throw input_error(path, std::to_string(end) + " bytes of numbers", std::to_string(data_bytes));
  return entries;
}

/// One file with one model.
class safetensors_file {
 public:
  explicit safetensors_file(std::string const &path) : path_(path), all_(all_bytes(path)) {
    std::uint64_t const bytes = all_.bytes.size();
    if (bytes < 8)
      throw input_error(path, "at least 8 bytes with the length of a header",
                        std::to_string(bytes));
    std::uint64_t length = 0;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&length, all_.bytes.data(), sizeof length);
    if (length > bytes - 8 || length > most_header)
      throw input_error(path + ": header",
                        "at most " + std::to_string(std::min(bytes - 8, most_header)) + " bytes",
                        std::to_string(length));
    data_ = 8 + length;
    entries_ = safetensors_entries(all_.bytes.subspan(8, length), bytes - data_, path);
  }

  /// Counters of normalisation layers, which PyTorch saves with a model, are passed over.
  void require_names(std::vector<named_tensor> const &tensors) const {
    for (entry const &found : entries_)
      if (!found.name.ends_with(".num_batches_tracked") &&
          std::none_of(tensors.begin(), tensors.end(),
                       [&](named_tensor const &one) { return one.name == found.name; }))
        throw input_error(path_, "the tensors of the model only", "'" + found.name + "' too");
  }

  /// Reads the numbers of a tensor to row + first.
  template <class T>
  void read(named_tensor const &one, std::vector<T> &row) {
    std::string const where = path_ + ": '" + one.name + "'";
    auto const found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](entry const &e) { return e.name == one.name; });
    if (found == entries_.end()) throw input_error(where, "a tensor of this name", "none");
    if (found->shape != one.shape)
      throw input_error(where, "shape " + text_of_shape(one.shape), text_of_shape(found->shape));
    if (found->type == "F32")
      read_as<float>(*found, where, one.first, row);
    else if (found->type == "F64")
      read_as<double>(*found, where, one.first, row);
    else
      throw input_error(where, "numbers of type F32 or F64", found->type);
  }

 private:
  using entry = safetensors_entry;
  static constexpr std::uint64_t most_header = std::uint64_t{1} << 22;

  template <class Stored, class T>
  void read_as(entry const &from, std::string const &where, std::size_t first,
               std::vector<T> &row) {
    std::vector<Stored> numbers((from.end - from.begin) / sizeof(Stored));
    auto const bytes = all_.bytes.subspan(data_ + from.begin, from.end - from.begin);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t *>(numbers.data()));
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      row[first + k] = static_cast<T>(numbers[k]);
      if (!std::isfinite(row[first + k]))
        throw input_error(
            where, "finite numbers",
            shortest(static_cast<double>(numbers[k])) + " at place " + std::to_string(k));
    }
  }

  std::string path_;
  shared_bytes all_;
  std::uint64_t data_ = 0;
  std::vector<entry> entries_;
};

}  // namespace detail

/// The row (d) of a model with these tensors, from a file that has them and no others, in F32 or
/// F64. Throws input_error by file and tensor where it has not.
template <class T>
std::vector<T> read_safetensors(std::string const &path, std::vector<named_tensor> const &tensors) {
  detail::safetensors_file file(path);
  file.require_names(tensors);
  std::size_t columns = 0;
  for (named_tensor const &one : tensors) columns = std::max(columns, one.first + one.size());
  std::vector<T> row(columns);
  for (named_tensor const &one : tensors) file.read(one, row);
  return row;
}

}  // namespace gossip
