#!/usr/bin/env bash
# Two ranks in network namespaces of their own, as on two machines, with a link between them that
# delays and throttles: the digest is that of one process, and every row has crossed the link.
. "$(dirname "$0")/ranks.bash"

skip() {
  echo "skipped: $*"
  exit 77
}
for program in unshare nsenter ip python3 hostname; do
  command -v $program >/dev/null || skip "$program is not installed"
done
if [ "$(id -u)" -ne 0 ]; then
  unshare --user --map-root-user --net true 2>/dev/null ||
    skip "only root may have network namespaces here"
  exec unshare --user --map-root-user bash "$0"
fi
unshare --net --uts true 2>/dev/null || skip "this process may have no network namespaces"
[ -w /dev/net/tun ] || skip "/dev/net/tun is not there, or not for this user"

milliseconds=20 bits=50e6
address=(10.213.7.1 10.213.7.2)

# Namespaces live as long as the processes that are in them.
machine=()
link=
trap 'kill $link ${machine[@]+"${machine[@]}"} 2>/dev/null' EXIT
for k in 0 1; do
  unshare --net --uts sleep 900 &
  machine[k]=$!
done
for _ in $(seq 100); do
  [ "$(readlink "/proc/${machine[0]}/ns/net")" != "$(readlink /proc/self/ns/net)" ] &&
    [ "$(readlink "/proc/${machine[1]}/ns/net")" != "$(readlink /proc/self/ns/net)" ] && break
  sleep 0.1
done
# within <0 or 1> <command>...: on that machine.
within() {
  local k=$1
  shift
  nsenter --target "${machine[k]}" --net --uts "$@"
}
for k in 0 1; do
  within $k hostname "gossip-$k" || skip "the machine of a namespace cannot be given a name"
done

timeout 900 python3 "$(dirname "$0")/delayed_link.py" "${machine[0]}" "${address[0]}" \
  "${machine[1]}" "${address[1]}" $milliseconds $bits >"$work/link" 2>&1 &
link=$!
for _ in $(seq 100); do
  [ -s "$work/link" ] && break
  sleep 0.1
done
case $(cat "$work/link") in
  up) ;;
  *"not permitted" | *"Permission denied") skip "no link between namespaces: $(tail -n 1 "$work/link")" ;;
  *) fault "no link between namespaces: $(cat "$work/link")" && finish ;;
esac

# mpirun on the first machine reaches the second by this in place of ssh.
cat >"$work/agent" <<END
#!/bin/sh
shift
exec nsenter --target ${machine[1]} --net --uts sh -c "\$*"
END
chmod +x "$work/agent"

# apart <argument>...: the driver with a rank on each machine, over the link alone.
apart() {
  within 0 timeout 300 mpirun -n 2 --host "${address[0]},${address[1]}" \
    --mca plm_rsh_agent "$work/agent" --mca oob_tcp_if_include 10.213.7.0/24 \
    --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include 10.213.7.0/24 "$simulate" "$@"
}
# crossed: bytes that have come over the link so far, both ways.
crossed() {
  local k
  for k in 0 1; do within $k cat /proc/net/dev; done |
    awk '$1 == "link0:" {bytes += $2} END {print bytes}'
}

for exchange in all_reduce d_psgd ad_psgd; do
  run=("${quick[@]}" --set /topology='{"kind":"random_regular","nodes":12,"degree":4}'
    --set /evaluate/every='{"rounds":1}' --set /exchange=$exchange)
  "$simulate" "${run[@]}" --out "$work/$exchange.1" >/dev/null || fault "$exchange: one process"
  out=$work/$exchange.2
  before=$(crossed)
  apart "${run[@]}" --out "$out" >"$work/stdout" 2>"$work/stderr" ||
    fault "$exchange apart: $(cat "$work/stderr")"
  diff <(numbers "$work/$exchange.1") <(numbers "$out") >"$work/diff" ||
    fault "$exchange apart: $(head -n 4 "$work/diff")"
  grep -q '"ranks": 2,' "$out/summary.json" || fault "$exchange apart: not two ranks"
  bytes=$(($(crossed) - before))
  rows=$(sed -n '/"traffic"/,/^  }/s/^    "bytes_sent": \([0-9]*\).*/\1/p' "$out/summary.json")
  waited=$(sed -n 's/.*"most_waiting_seconds": \([0-9.e+-]*\).*/\1/p' "$out/summary.json")
  echo "$exchange: $rows bytes of rows, $bytes over the link, a rank waited $waited s"
  [ "$bytes" -ge "$rows" ] || fault "$exchange apart: rows did not go over the link"
  # Each of three rounds needs a message both ways, which no computing hides here.
  awk -v waited="$waited" -v least=$milliseconds 'BEGIN {exit !(waited > 3 * least / 1000)}' ||
    fault "$exchange apart: waited $waited s, less than three times the delay"
done
finish
