#!/usr/bin/env bash
# Breaks a copy of the headers in one line at a time, and sees whether the GPU's tests find it on
# this processor. Takes some 20 minutes and is no part of CI; needs what './dev build cuda_on_cpu' leaves.
#   tests/cuda_stand_in/mutants.sh [word]    all, or those whose description has the word
#   tests/cuda_stand_in/mutants.sh --check   only sees that each line is still there, as CI does
# Prints caught or survived for each; the status is not 0 if one survived.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/cuda_on_cpu
chosen=${1:-}
[ "$chosen" = --check ] || [ -x $build/bin/test_cuda_on_cpu ] || {
  echo "mutants: expected programs in $build/bin, run './dev build cuda_on_cpu'" >&2
  exit 2
}
copy=$PWD/$build/mutants
caught=0 survived=0

# Texts -------------------------------------------------------------------------------------------

# command_of <source>: how CMake compiles it, without source, output and optimization.
command_of() {
  python3 - "$build/compile_commands.json" "$1" "$PWD/include" "$copy/include" <<'PYTHON'
import json, shlex, sys
database, source, headers, copy = sys.argv[1:]
entries = json.load(open(database))
words = shlex.split(next(entry for entry in entries if entry['file'].endswith(source))['command'])
for flag in ('-o', '-c'):
    at = words.index(flag)
    del words[at:at + 2]
words = [word for word in words if word != '-DGOSSIP_COMPILED']  # no library is linked
print(shlex.join(['-I' + copy if word == '-I' + headers else word for word in words] + ['-O0', '-w']))
PYTHON
}

sources_of() {
  case $1 in
    launches) ls tests/backend/cuda*.cpp ;;
    waits) ls tests/data/cuda*.cpp tests/engine/cuda_waits.cpp ;;
    bits) ls tests/cuda_stand_in/bits.cpp ;;
    mixing) ls tests/engine/cuda_mixing.cpp ;;
    ranks) ls tests/transport/cuda*.cpp ;;
  esac
}

# try <text>: status 0 if the text compiles and its tests pass.
try() {
  local text=$1 program=$copy/$1 like=engine/cuda_engine.cpp compiler=${CXX:-g++} wraps=() call way
  [ "$text" != ranks ] || like=transport/cuda_ranks.cpp
  sources_of "$text" | sed "s|.*|#include \"$PWD/&\"|" >"$copy/$text.cpp"
  eval "$(command_of $like) -c '$copy/$text.cpp' -o '$program.o'" || return 1
  if [ "$text" = waits ]; then
    for call in StreamSynchronize EventSynchronize DeviceSynchronize Memcpy Memset Malloc Free; do
      wraps+=("-Wl,--wrap=cuda$call")
    done
  fi
  local libraries=(-ltbb -lz "$(sed -n 's/^CBLAS_LIBRARY:.*=//p' $build/CMakeCache.txt)")
  if [ "$text" = ranks ]; then
    compiler=mpicxx
    libraries+=(-lboost_mpi -lboost_serialization)
  fi
  $compiler -fsanitize=address "$program.o" $objects ${wraps[@]+"${wraps[@]}"} \
    "${libraries[@]}" -o "$program" || return 1
  if [ "$text" = ranks ]; then
    run_ranks 2 && run_ranks 3
    return
  fi
  local ways=('late 0' 'late 12345' 'eager 0')
  local of=()
  if [ "$text" = bits ]; then # the quicker half of them
    ways=('late 12345')
    of=('AD-PSGD*,averages*,all-reduce*,rows*')
  fi
  for way in "${ways[@]}"; do
    CUDA_STAND_IN_STREAMS=${way% *} CUDA_STAND_IN_THREADS=${way#* } \
      timeout 300 "$program" ${of[@]+"${of[@]}"} || return 1
  done
}

run_ranks() {
  ASAN_OPTIONS=detect_leaks=0 OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 \
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none timeout 300 mpirun -n "$1" "$copy/ranks"
}

[ "$chosen" = --check ] || objects=$(find $build/tests/CMakeFiles/{gossip_test_main,gossip_cuda_stand_in}.dir -name '*.o')

# mutant <description> <header> <old> <new> <text>...: tried on the texts until one fails.
mutant() {
  local what=$1 header=$2 old=$3 new=$4 before after text start=$SECONDS
  shift 4
  [ "$chosen" = --check ] || [[ $what == *"$chosen"* ]] || return 0
  before=$(<"include/gossip/$header")
  after=${before/"$old"/"$new"}
  if [ "$before" = "$after" ]; then
    echo "mutants: $header no longer has '$old'" >&2
    exit 2
  fi
  [ "$chosen" != --check ] || return 0
  rm -rf "$copy"
  mkdir -p "$copy"
  cp -r include "$copy/"
  printf '%s\n' "$after" >"$copy/include/gossip/$header"
  for text in "$@"; do
    if ! try "$text" >"$copy/log" 2>&1; then
      caught=$((caught + 1))
      if ! [ -x "$copy/$text" ]; then
        tail -n 5 "$copy/log" >&2
        echo "mutants: '$what' does not compile" >&2
        exit 2
      fi
      echo "caught    $what ($text, $((SECONDS - start)) s):" \
        "$(grep -m 1 -E '^CUDA stand-in|ERROR: |FAILED|: cuda: |Timeout' "$copy/log" || tail -n 1 "$copy/log")"
      return
    fi
  done
  survived=$((survived + 1))
  echo "survived  $what ($((SECONDS - start)) s)"
}

if [ -z "$chosen" ]; then # a mutant's failure says something only if there is none without it
  rm -rf "$copy"
  mkdir -p "$copy"
  cp -r include "$copy/"
  for text in launches waits bits mixing ranks; do
    try "$text" >"$copy/log" 2>&1 && continue
    tail -n 40 "$copy/log" >&2
    echo "mutants: expected '$text' to pass unchanged, and it fails" >&2
    exit 2
  done
fi

# Mutants -----------------------------------------------------------------------------------------

nothing='static_cast<void>(0);'

memory=backend/cuda/memory.hpp
mutant 'staging does not wait for the copies out of its other half' $memory \
  'check(cudaEventSynchronize(copied_[now_]), "upload");' "$nothing" launches waits
mutant 'staging has its halves at one place' $memory 'data_ + now_ * half + used_' 'data_ + used_' launches waits
mutant 'staging is used again at once' $memory \
  'used_ += std::min((part + 255) / 256 * 256, half - used_);' "$nothing" launches waits
mutant 'an upload has one byte too many' $memory 'here, part, cudaMemcpyHostToDevice' \
  'here, part + 1, cudaMemcpyHostToDevice' launches waits
mutant 'an upload goes the other way' $memory 'here, part, cudaMemcpyHostToDevice' \
  'here, part, cudaMemcpyDeviceToHost' launches waits
mutant 'memory is zeroed without a wait' $memory \
  'check(cudaStreamSynchronize(nullptr), "memset");' "$nothing" launches waits bits
mutant 'memory is not zeroed' $memory 'check(cudaMemset(data_, 0, bytes()), "memset");' "$nothing" \
  launches waits bits
mutant 'memory of a device is one byte short' $memory 'cudaMalloc(&data_, bytes())' \
  'cudaMalloc(&data_, bytes() - 1)' launches waits
mutant 'memory of a device is never freed' $memory '~buffer() { cudaFree(data_); }' \
  '~buffer() {}' launches waits
mutant 'pinned memory is one number short' $memory 'size * sizeof(T)) != cudaSuccess' \
  '(size - 1) * sizeof(T)) != cudaSuccess' ranks
mutant 'an event passes before its time' $memory \
  'if (code == cudaErrorNotReady) return false;' 'if (code == cudaErrorNotReady) return true;' ranks

context=backend/cuda/context.hpp
mutant 'a download does not wait' $context \
  'begin_copy(to, from, bytes, cudaMemcpyDeviceToHost);
    wait();' 'begin_copy(to, from, bytes, cudaMemcpyDeviceToHost);' launches waits
mutant 'waiting does not wait' $context 'check(cudaStreamSynchronize(stream()), "kernel");' \
  "$nothing" launches waits ranks
mutant 'cuBLAS has no workspace of its own' $context \
  'check(cublasSetWorkspace(blas, workspace.data(), workspace.bytes()), "workspace");' "$nothing" \
  launches waits
mutant 'a context ends with work left' $context \
  '~parts_of() {
      cudaStreamSynchronize(stream);' '~parts_of() {' launches waits bits
mutant 'a graph is never destroyed' $context 'if (graph_) cudaGraphExecDestroy(graph_);' '' launches waits
mutant 'a capture that failed is taken for whole' $context \
  'complete = false;  // an error of f itself comes again without a capture' '' launches
mutant 'an upload waits' $context '++done.uploads;' '++done.uploads, cudaDeviceSynchronize();' waits
mutant 'a recording is launched as it is made, too' $context \
  'if (!graph_) return f();' 'if (!graph_ || on.done.replays == 0) f();' launches waits

backend=backend/cuda.hpp
mutant 'a launch has one thread too many' $backend \
  'backend_.launch(k * rows * lanes,' 'backend_.launch(k * rows * lanes + 1,' launches waits
mutant 'a launch has one thread too few' $backend \
  'thrust::counting_iterator<std::size_t>(0), count, f' \
  'thrust::counting_iterator<std::size_t>(0), count - 1, f' launches waits
mutant 'a product has the leading dimension of the other side' $backend \
  'type, size(b.row_stride)' 'type, size(s.k)' launches waits
mutant 'a product has the leading dimension of its result wrong' $backend \
  'size(c.row_stride), stride(c.at.stride)' 'size(s.m), stride(c.at.stride)' launches waits
mutant 'a product has no stride between nodes' $backend 'stride(a.at.stride)' 'stride(0)' launches waits
mutant 'a product leaves out the last node' $backend 'size(k), products<T>()' \
  'size(k - 1), products<T>()' launches waits
mutant 'a product is transposed' $backend 'side(s.transpose_b), side(s.transpose_a)' \
  'side(s.transpose_a), side(s.transpose_b)' launches waits
mutant 'a product adds to what was there' $backend '&beta, c.at.data' '&one, c.at.data' launches waits

mutant 'a graph has the keys of its first cohort' engine/device/work.hpp \
  '[&] { gather(k); }' \
  '[&] { cohort_->keys().take(backend_, cohort, there.operations), gather(k); }' bits
mutant 'a graph has the batches of its first cohort' engine/device/typed_model.hpp \
  'gather();' 'prepare_batches(task), gather();' bits
mutant 'a graph outlives the memory of its matrix' engine/device/mixing.hpp 'kept = {};' '' bits
mutant 'a cohort has no room for its last batch' data/device_source.hpp \
  'indices_.reserve(k * batch_);' 'indices_.reserve(k * batch_ - 1);' bits
mutant 'a mixture reads one column beyond' engine/device/mixing.hpp \
  'std::min(tile_, d - first)' 'std::min(tile_, d - first + 1)' mixing
mutant 'a team mixes columns beyond the last' engine/device/tiles.hpp \
  'left < Wide ? left : Wide' 'Wide' mixing
mutant 'pairs that share a node go side by side' engine/device/row_operations.hpp \
  '|| is_new(o.b())' '|| true' bits
mutant 'losses have a quarter of the room' engine/device/outcomes.hpp '(2 * count)' '(count / 4)' bits
mutant 'rows leave for MPI before they are down' engine/device/messages.hpp \
  'marked_.front().mark <= reached' 'marked_.front().mark <= reached + 1' ranks
mutant 'slots of pinned memory are given twice' engine/device/messages.hpp \
  'taken_[first + count] = true;' '' ranks

[ "$chosen" != --check ] || exit 0
echo "mutants: $caught caught, $survived survived"
rm -rf "$copy"
[ $survived -eq 0 ]
