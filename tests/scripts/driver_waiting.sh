#!/usr/bin/env bash
# Threads of the driver wait passively, so that runs beside each other keep their cores; what the
# environment says of waiting holds.
. "$(dirname "$0")/driver.bash"

# waits <expected> <variable>...: how OpenMP says that its threads wait.
waits() {
  local expected=$1 said
  shift
  said=$(env "$@" OMP_DISPLAY_ENV=true "$simulate" --help 2>&1 >/dev/null | grep OMP_WAIT_POLICY | tail -n 1)
  case $said in
    '') echo "skipped: this OpenMP does not say how its threads wait"; exit 77 ;;
    *"'$expected'"*) ;;
    *) fault "$*: expected $expected, got $said" ;;
  esac
}
waits PASSIVE OMP_WAIT_POLICY=passive
waits ACTIVE OMP_WAIT_POLICY=active
waits PASSIVE -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME
finish
