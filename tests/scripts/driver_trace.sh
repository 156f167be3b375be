#!/usr/bin/env bash
# trace.json of a dry run follows the trace-event format, and its trainings and messages are those
# of plan.json.
. "$(dirname "$0")/driver.bash"

# traced <nodes> <argument>...: a dry run whose first nodes are traced.
traced() {
  local nodes=$1
  shift
  "$simulate" --dry-run --out "$work/run" --overwrite --trace "$nodes" "$@" >"$work/stdout" \
    2>"$work/stderr" || fault "$*: $(cat "$work/stderr")"
  python3 - "$work/run" "$nodes" <<'END' || fault "trace.json: $*"
import json, sys
folder, nodes = sys.argv[1], int(sys.argv[2])
plan = json.load(open(folder + "/plan.json"))
trace = json.load(open(folder + "/trace.json"))
assert set(trace) == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns")
nodes = min(nodes, plan["nodes"])
end = plan["virtual_seconds"] * 1e6
spans, open_messages, named = {}, {}, set()
trained = [0.0] * nodes
trainings = messages = sent = 0
for event in trace["traceEvents"]:
    for key in ("name", "ph", "pid", "tid", "ts"):
        assert key in event, event
    kind = event["ph"]
    # Messages may arrive when the run has ended.
    assert 0 <= event["ts"] and (event["ts"] <= end * (1 + 1e-9) + 1 or kind == "e"), event
    if kind == "M":
        if event["name"] == "process_name":
            assert event["args"]["name"] == f"node {event['pid']}"
            named.add(event["pid"])
        elif event["name"] == "thread_name":
            assert event["args"]["name"] == f"node {event['pid']}" and event["tid"] == 0
        else:
            assert event["name"] == "process_sort_index"
    elif kind == "X":
        assert event["dur"] >= 0 and event["name"] in ("training", "waiting")
        spans.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["dur"]))
        if event["name"] == "training":
            trained[event["pid"]] += event["dur"]
            trainings += 1
    elif kind == "b":
        number, arguments = event["id2"]["local"], event["args"]
        assert isinstance(number, str) and number not in open_messages
        open_messages[number] = event
        sends = arguments["from"] < nodes
        assert event["pid"] == arguments["from" if sends else "to"] < nodes
        assert event["name"] == (f"to {arguments['to']}" if sends else f"from {arguments['from']}")
        sent += arguments["bytes"]
        messages += 1
    else:
        assert kind == "e", event
        begin = open_messages.pop(event["id2"]["local"])  # each begins before it ends
        assert event["ts"] >= begin["ts"]
        assert all(event[key] == begin[key] for key in ("pid", "tid", "cat", "name"))
assert not open_messages and named == set(range(nodes)) and trainings > 0
for place, of_one in spans.items():
    of_one.sort()
    for (ts, dur), (after, _) in zip(of_one, of_one[1:]):
        assert ts + dur <= after + 1e-3, (place, ts, dur, after)
if nodes == plan["nodes"]:
    assert trainings == plan["node_iterations"], (trainings, plan["node_iterations"])
    # With fair shares the last messages may be on their way when the run ends.
    shared = plan["config"]["clock"]["contention"] == "fair_share"
    assert sent == plan["bytes_sent"] or shared and 0.8 * plan["bytes_sent"] < sent < plan["bytes_sent"]
    share = sum(trained) / nodes / end
    assert abs(share - plan["time_in_training"]["mean"]) < 1e-6, share
    least = min(range(nodes), key=lambda i: trained[i])
    assert abs(trained[least] / end - plan["time_in_training"]["least"]) < 1e-6
else:
    assert sent < plan["bytes_sent"] and trainings < plan["node_iterations"]
END
}

network=(--set /topology='{"kind":"ring","nodes":6}' --set /stop='{"rounds":20}')
for exchange in ad_psgd d_psgd all_reduce synchronous_server gossip_learning; do
  for contention in none fifo_nic fair_share; do
    traced 6 "${network[@]}" --set /exchange=$exchange --set /clock/contention=$contention \
      --set /topology='{"kind":"complete","nodes":6}'
  done
done
traced 100 "${network[@]}" --set /exchange=ad_psgd --set /clock/slow='[{"node":2,"factor":10}]'
traced 2 "${network[@]}" --set /exchange=ad_psgd

# All-reduce waits for a node that is ten times as slow: the others train a tenth of the time.
traced 6 "${network[@]}" --set /exchange=all_reduce --set /clock/compute='{"kind":"constant"}' \
  --set /clock/slow='[{"node":2,"factor":10}]' --set /clock/link/bandwidth=1e9TB/s --set /clock/link/latency=0s
python3 - "$work/run/plan.json" <<'END' || fault "the share of the time in training: $(cat "$work/stdout")"
import json, sys
use = json.load(open(sys.argv[1]))["time_in_training"]
assert abs(use["mean"] - (5 * 0.1 + 1) / 6) < 1e-9 and abs(use["least"] - 0.1) < 1e-9, use
END
finish
