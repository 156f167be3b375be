// Matrix products of the stand-in, plainly: the sum of a number is taken in ascending order.
#include <cublas_v2.h>

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace stand_in {

struct blas {
  cudaStream_t on = nullptr;
  bool has_workspace = false;
};

namespace {

struct operand {
  char const *name;
  bool transposed;
  int rows, columns;  // as they are stored
  void const *at;
  int leading;
  long long stride;
};

/// Why an operand cannot be, or nothing.
std::string wrong(operand const &o, int count, std::size_t number_bytes) {
  if (o.rows < 0 || o.columns < 0) return "a size below 0";
  if (o.leading < (o.rows > 1 ? o.rows : 1))
    return "a leading dimension of " + std::to_string(o.leading) + " for " +
           std::to_string(o.rows) + " rows";
  if (o.rows == 0 || o.columns == 0 || count == 0) return "";
  if (o.stride < 0) return "a stride below 0";
  std::size_t const one =
      static_cast<std::size_t>(o.columns - 1) * static_cast<std::size_t>(o.leading) +
      static_cast<std::size_t>(o.rows);
  std::size_t const all =
      static_cast<std::size_t>(count - 1) * static_cast<std::size_t>(o.stride) + one;
  if (!owns(owner::device, o.at, all * number_bytes))
    return std::to_string(all) + " numbers that are not in one allocation of the device";
  if (reinterpret_cast<std::uintptr_t>(o.at) % number_bytes != 0) return "numbers off their places";
  return "";
}

/// Bits behind the point that a factor keeps.
int factor_bits(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_FAST_16F:
      return 10;
    case CUBLAS_COMPUTE_32F_FAST_16BF:
      return 7;
    default:
      return 23;
  }
}

float rounded(float x, int bits) {
  if (bits == 23) return x;
  std::uint32_t const word = std::bit_cast<std::uint32_t>(x);
  if ((word & 0x7f800000u) == 0x7f800000u) return x;
  std::uint32_t const unit = 1u << (23 - bits);
  std::uint32_t const up = unit / 2 - 1 + (word / unit & 1u);  // ties to even
  return std::bit_cast<float>((word + up) & ~(unit - 1));
}
double rounded(double x, int) {
  return x;
}

template <class T>
struct product {
  operand a, b, c;
  int inner;
  T alpha, beta;
  int bits;

  void operator()(int j) const {
    auto const *const from_a = static_cast<T const *>(a.at) + j * a.stride;
    auto const *const from_b = static_cast<T const *>(b.at) + j * b.stride;
    auto *const to = static_cast<T *>(const_cast<void *>(c.at)) + j * c.stride;
    std::ptrdiff_t const lda = a.leading, ldb = b.leading, ldc = c.leading;
    for (std::ptrdiff_t column = 0; column < c.columns; ++column)
      for (std::ptrdiff_t row = 0; row < c.rows; ++row) {
        T sum{0};
        for (std::ptrdiff_t i = 0; i < inner; ++i)
          sum += rounded(from_a[a.transposed ? row * lda + i : i * lda + row], bits) *
                 rounded(from_b[b.transposed ? i * ldb + column : column * ldb + i], bits);
        T &x = to[column * ldc + row];
        x = (beta == T{0} ? T{0} : beta * x) + alpha * sum;
      }
  }
};

template <class T>
cublasStatus_t multiply(blas const &handle, operand const &a, operand const &b, operand const &c,
                        int inner, void const *alpha, void const *beta, int count, int bits) {
  for (operand const *const o : {&a, &b, &c})
    if (auto const why = wrong(*o, count, sizeof(T)); !why.empty())
      fault("cublasGemmStridedBatchedEx", std::string(o->name) + " has " + why);
  if (count > 1 && c.stride < static_cast<long long>(c.leading) * (c.columns - 1) + c.rows)
    fault("cublasGemmStridedBatchedEx", "products of one batch overlap");
  product<T> const one{
      a, b, c, inner, *static_cast<T const *>(alpha), *static_cast<T const *>(beta), bits};
  cudaError_t const code = give(handle.on, [one, count] {
    for (int j = 0; j < count; ++j) one(j);
  });
  return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

char const *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the requested functionality is not supported";
  }
  return "unknown";
}

cublasStatus_t cublasCreate(cublasHandle_t *made) {
  one_call const now;
  if (unsafe_in_capture() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  *made = new blas;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  one_call const now;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

/// Takes the workspace away, as cuBLAS does.
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  one_call const now;
  handle->on = stream;
  handle->has_workspace = false;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, std::size_t bytes) {
  one_call const now;
  if (!owns(owner::device, workspace, bytes))
    fault("cublasSetWorkspace", "expected device memory of one allocation");
  handle->has_workspace = true;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transpose_a,
                                          cublasOperation_t transpose_b, int m, int n, int k,
                                          void const *alpha, void const *a, cudaDataType type_a,
                                          int lda, long long stride_a, void const *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          void const *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  one_call const now;
  bool const wide = type_c == CUDA_R_64F;
  if (type_a != type_c || type_b != type_c || wide != (compute == CUBLAS_COMPUTE_64F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  stream &s = stream_of(handle->on);
  if (s.captured_in != nullptr && !handle->has_workspace) {  // cuBLAS would allocate its own
    refuse_capture(s);
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  bool const ta = transpose_a == CUBLAS_OP_T, tb = transpose_b == CUBLAS_OP_T;
  operand const first{"A", ta, ta ? k : m, ta ? m : k, a, lda, stride_a};
  operand const second{"B", tb, tb ? n : k, tb ? k : n, b, ldb, stride_b};
  operand const out{"C", false, m, n, c, ldc, stride_c};
  int const bits = factor_bits(compute);
  return wide ? multiply<double>(*handle, first, second, out, k, alpha, beta, count, bits)
              : multiply<float>(*handle, first, second, out, k, alpha, beta, count, bits);
}

}  // extern "C"
