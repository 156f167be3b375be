// The part of cuBLAS that gossip calls, executed on a CPU for tests. Arguments are checked.
#pragma once

#include <cuda_runtime.h>

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_NOT_SUPPORTED = 15
};

enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };

enum cublasComputeType_t {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70
};

enum cudaDataType { CUDA_R_32F = 0, CUDA_R_64F = 1 };

enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1 };

namespace stand_in {
struct blas;
}
using cublasHandle_t = stand_in::blas *;

extern "C" {

char const *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, std::size_t bytes);

/// C_j = alpha op(A_j) op(B_j) + beta C_j for j < count, column-major; alpha and beta in memory of
/// the host, read at once.
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transpose_a,
                                          cublasOperation_t transpose_b, int m, int n, int k,
                                          void const *alpha, void const *a, cudaDataType type_a,
                                          int lda, long long stride_a, void const *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          void const *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

}  // extern "C"
