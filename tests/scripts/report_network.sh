#!/usr/bin/env bash
# The network of a run: graph.json and nodes.jsonl of gossip-simulate, and what gossip-report draws of
# them: every node where its color is that of its number, at each moment of the slider.
. "$(dirname "$0")/driver.bash"
report=$GOSSIP_BIN/gossip-report
require_program "$report"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }

# make <argument>...: a run.
make() {
  "$simulate" "$@" >"$work/stdout" 2>"$work/stderr" || fault "a run: $(cat "$work/stderr")"
}
each=(--quiet --set /model=softmax_regression --set /threads=1 --set /evaluate/each_node=true)
few=("${each[@]}" --set /topology='{"kind":"ring","nodes":6}' --set '/stop={"rounds":4}' --set '/evaluate/every={"rounds":2}'
  --set /evaluate/samples=64 --set /evaluate/at_end/samples=64)
make "${each[@]}" --set /topology='{"kind":"watts_strogatz","nodes":60,"degree":4}' --set /stop/epochs=3 \
  --set '/data/split={"kind":"dirichlet","alpha":0.1}' --set '/evaluate/every={"epochs":0.25}' --set /evaluate/nodes=0 \
  --set /evaluate/samples=250 --out "$work/whole"
grep -q "$work/whole/config.json, identity.json, metrics.jsonl, summary.json, graph.json, nodes.jsonl\$" "$work/stdout" ||
  fault "it does not name its files: $(cat "$work/stdout")"
make "${few[@]}" --set /evaluate/nodes=2 --out "$work/sampled"
make "${few[@]}" --set /evaluate/nodes=0 --set /exchange=all_reduce --out "$work/shared"
make "${few[@]}" --set /topology='{"kind":"exponential","nodes":6}' --set /exchange=push_sum --out "$work/arcs"
make "${few[@]}" --set /evaluate/nodes=0 --sweep /seed=1,2 --out "$work/sweep"
make "${few[@]}" --set /evaluate/each_node=false --out "$work/shared" --overwrite
[ ! -e "$work/shared/nodes.jsonl" ] && [ ! -e "$work/shared/graph.json" ] || fault "nodes of an earlier run are left"
make "${few[@]}" --set /evaluate/nodes=0 --set /exchange=all_reduce --out "$work/shared" --overwrite

expect 2 "--set: /evaluate/each_node: expected a model that learns from samples, or false, got quadratic" \
  "${each[@]}" --set /model=quadratic
expect 2 "--set: /evaluate/each_node: expected an exchange whose nodes are evaluated, or false, got an exchange whose servers are evaluated" \
  "${each[@]}" --set /exchange=fed_avg

# page <file> <folder>...
page() {
  "$report" "${@:2}" --out "$1" >"$work/stdout" 2>"$work/stderr" || fault "${*:2}: $(cat "$work/stderr")"
}
if ! "$report" "$work/whole" >"$work/stdout" 2>"$work/stderr"; then
  grep -q 'built without Chart.js' "$work/stderr" && { echo "skipped: $(cat "$work/stderr")"; exit 77; }
  fault "a page: $(cat "$work/stderr")"
fi
page "$work/again.html" "$work/whole"
cmp -s "$work/again.html" "$work/whole/report.html" || fault "two pages of one run differ"
page "$work/several.html" "$work/sampled" "$work/shared" "$work/arcs" "$work/sweep"

cat >"$work/network.py" <<'END'
import base64, json, re, struct

def lines(folder, name="nodes.jsonl"):
    return [json.loads(line) for line in open(folder + "/" + name)]

def networks(page):
    text = open(page, encoding="utf-8").read()
    return json.loads(re.search(r'<script type="application/json" id="networks">(.*?)</script>', text, re.S).group(1))

def pairs(text):
    raw = base64.b64decode(text)
    return list(zip(*[iter(struct.unpack("<%dH" % (len(raw) // 2), raw))] * 2))

def color(scale, at):
    """Of a number from 0 to 1, between the colors of the scale."""
    k = min(len(scale) - 2, int(at * (len(scale) - 1)))
    share = at * (len(scale) - 1) - k
    return [(1 - share) * a + share * b for a, b in zip(scale[k], scale[k + 1])]
END
python3 - "$work" <<'END' || fault "the files of nodes are not what was measured"
import json, math, sys
work = sys.argv[1]
sys.path.insert(0, work)
from network import *

# The run's own figures are means, least and largest of these.
graph = json.load(open(work + "/whole/graph.json"))
said = json.load(open(work + "/whole/summary.json"))["graph"]
assert (graph["nodes"], len(graph["edges"])) == (said["nodes"], said["edges"]) == (60, 120) and "directed" not in graph
assert all(0 <= i < j < 60 for i, j in graph["edges"]) and len(set(map(tuple, graph["edges"]))) == 120
whole, measured = lines(work + "/whole"), lines(work + "/whole", "metrics.jsonl")
assert len(whole) == len(measured) == 13
for one, m in zip(whole, measured):
    assert [one[a] for a in ("epoch", "virtual_seconds", "bytes_sent")] == [m[a] for a in ("epoch", "virtual_seconds", "bytes_sent")]
    right, loss = one["nodes"]["accuracy"], one["nodes"]["loss"]
    assert len(right) == len(loss) == 60 and "evaluated" not in one
    assert math.isclose(sum(right) / 60, m["accuracy"]["mean"], abs_tol=6e-5) and math.isclose(sum(loss) / 60, m["test_loss"], abs_tol=6e-5)
    assert abs(min(right) - m["accuracy"]["min"]) < 6e-5 and abs(max(right) - m["accuracy"]["max"]) < 6e-5

# A sample names its nodes; all of them need not be named.
sampled = lines(work + "/sampled")
assert len(sampled) == 3 and all(len(one["evaluated"]) == len(one["nodes"]["loss"]) == 2 for one in sampled[:2])
assert "evaluated" not in sampled[2] and len(sampled[2]["nodes"]["accuracy"]) == 6
for one in lines(work + "/shared"):  # one model
    assert len(one["nodes"]["loss"]) == 6 and len(set(one["nodes"]["loss"])) == 1
arcs = json.load(open(work + "/arcs/graph.json"))
assert arcs["directed"] is True and sorted(arcs["edges"]) == sorted([(i + k) % 6, i] for i in range(6) for k in (1, 2, 4))
assert [one["nodes"] for one in lines(work + "/sweep/1-seed=1")] != [one["nodes"] for one in lines(work + "/sweep/2-seed=2")]

# The page has them in 254 steps from the least to the largest.
def check(network, folder):
    of, seen = json.load(open(folder + "/graph.json")), lines(folder)
    assert network["nodes"] == of["nodes"] and sorted(map(list, pairs(network["edges"]))) == sorted(of["edges"])
    places = pairs(network["places"])
    assert len(places) == len(set(places)) == of["nodes"]
    assert max(max(x) - min(x) for x in zip(*places)) in (65534, 65535)
    assert network["moments"] == [[one[a] for a in ("epoch", "virtual_seconds", "bytes_sent")] for one in seen]
    assert [q["name"] for q in network["quantities"]] == ["accuracy", "loss"]
    for q in network["quantities"]:
        values = [one["nodes"][q["name"]] for one in seen]
        assert abs(q["low"] - min(map(min, values))) < 1e-6 and abs(q["high"] - max(map(max, values))) < 1e-6
        codes = base64.b64decode(q["codes"])
        assert len(codes) == len(seen) * of["nodes"]
        for k, one in enumerate(seen):
            numbers = dict(zip(one.get("evaluated", range(of["nodes"])), values[k]))
            for i in range(of["nodes"]):
                code = codes[k * of["nodes"] + i]
                assert (code == 0) == (i not in numbers)
                assert code == 0 or abs(q["low"] + (code - 1) / 254 * (q["high"] - q["low"]) - numbers[i]) <= (q["high"] - q["low"]) / 507

(drawn,) = networks(work + "/whole/report.html")["networks"]
check(drawn, work + "/whole")
several = networks(work + "/several.html")["networks"]
names = ["sampled", "shared", "arcs", "1-seed=1", "2-seed=2"]
assert [n["name"] for n in several] == names
for network, folder in zip(several, ["sampled", "shared", "arcs", "sweep/1-seed=1", "sweep/2-seed=2"]):
    check(network, work + "/" + folder)

# Neighbors are nearer to each other than nodes in the mean: half as far.
at = pairs(drawn["places"])
far = [math.dist(at[i], at[j]) for i in range(60) for j in range(i)]
near = [math.dist(at[i], at[j]) for i, j in graph["edges"]]
assert sum(near) / len(near) < 0.5 * sum(far) / len(far), (sum(near) / len(near), sum(far) / len(far))
END

# Damaged files are named, with their line.
# damaged <file> <text> <sentence behind the file's path>
damaged() {
  rm -rf "$work/bad"
  cp -r "$work/sampled" "$work/bad"
  printf '%b' "$2" >"$work/bad/$1"
  simulate=$report expect 2 "$work/bad/$1$3" "$work/bad" --out "$work/bad.html"
  [ ! -e "$work/bad.html" ] || fault "a page of a damaged folder"
}
damaged graph.json '{"nodes":6' ": expected a JSON object, got '{\"nodes\":6'"
damaged graph.json '{"edges":[]}' ": expected a number of nodes below 2^32, got 'null'"
damaged graph.json '{"nodes":0,"edges":[]}' ": expected at least one node, got none"
damaged graph.json '{"nodes":6}' ": expected an array 'edges', got 'null'"
damaged graph.json '{"nodes":6,"edges":[[0,6]]}' ": expected pairs of nodes below 6, got '6'"
damaged graph.json '{"nodes":6,"edges":[[0,1,2]]}' ": expected pairs of nodes below 6, got '[0,1,2]'"
damaged graph.json '{"nodes":6,"edges":[[0,-1]]}' ": expected pairs of nodes below 6, got '-1'"
mark='"epoch":0,"virtual_seconds":0,"bytes_sent":0'
good="{$mark,\"nodes\":{\"loss\":[1,2,3,4,5,6]}}\n"
damaged nodes.jsonl '' ": expected at least one observation, got none"
damaged nodes.jsonl "$good{$mark" ":2: expected a JSON object, an observation of the run, got '{\"epoch\":0,\"virtual_seconds\":0,\"bytes_se...'"
damaged nodes.jsonl "${good}{$mark}\n" ":2: expected an object 'nodes' of numbers, got 'null'"
damaged nodes.jsonl "{$mark,\"nodes\":{\"loss\":[1,2]}}\n" ":1: expected 6 numbers 'loss', got 2"
damaged nodes.jsonl "{$mark,\"nodes\":{\"loss\":7}}\n" ":1: expected 6 numbers 'loss', got '7'"
damaged nodes.jsonl "{$mark,\"nodes\":{\"loss\":[1,2,3,4,5,\"x\"]}}\n" ":1: expected numbers 'loss', got '\"x\"'"
damaged nodes.jsonl "{$mark,\"evaluated\":[6],\"nodes\":{\"loss\":[1]}}\n" ":1: expected 'evaluated' nodes below 6, got '6'"

# A node whose loss is no number, quantities that come later, and the ends of what numbers can be.
printf '%s' "{$mark,\"nodes\":{\"loss\":[null,1,1,1,1,1]}}
{$mark,\"nodes\":{\"age\":[-1e300,1e300,0,0,0,null]}}
" >"$work/bad/nodes.jsonl"
printf '{"nodes":6,"edges":[]}' >"$work/bad/graph.json"
page "$work/odd.html" "$work/bad"
# One node.
printf '{"nodes":1,"edges":[]}' >"$work/bad/graph.json"
printf '%s\n' "{$mark,\"nodes\":{\"loss\":[2]}}" >"$work/bad/nodes.jsonl"
page "$work/single.html" "$work/bad"
# A network that is too large to be drawn is said to be.
printf '{"nodes":20001,"edges":[[0,20000]]}' >"$work/bad/graph.json"
page "$work/large.html" "$work/bad"
grep -q 'The network of bad has 20,001 nodes; networks of 20,000 nodes or fewer are drawn' "$work/large.html" || fault "a large network"

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
  echo "not opened in a browser: chromium is not installed ('./dev deps --with-browser' does it)"
  finish
fi
# browse <page> <option>...
browse() {
  timeout -k 5 60 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
    --user-data-dir="$work/profile" --virtual-time-budget=4000 "${@:2}" "file://$1" 2>"$work/stderr"
}
for one in several odd single large; do
  browse "$work/$one.html" --dump-dom >"$work/dom"
  grep -qE '<body data-by="epoch" data-drawn="[0-9]+"( data-moment="[0-9]+")?>' "$work/dom" ||
    fault "$one.html in a browser: $(grep -o '<body[^>]*>' "$work/dom" || tail -n 3 "$work/stderr")"
done
# scripted <page> <script>: the page, at whose end the script runs.
scripted() {
  python3 -c 'import sys
print(open(sys.argv[1], encoding="utf-8").read().replace("</body>", "<script>" + sys.argv[2] + "</script></body>"))' "$@"
}
# The slider at the third moment, colors by loss, a node pointed at, the colors of all nodes read.
scripted "$work/whole/report.html" '
  const part = name => document.getElementById("network-" + name), map = part("map");
  part("quantity").value = "loss";
  part("quantity").dispatchEvent(new Event("change"));
  part("time").value = 3;
  part("time").dispatchEvent(new Event("input"));
  const box = map.getBoundingClientRect(), at = map.placeOf(7);
  map.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + at[0], clientY: box.top + at[1]}));
  const dense = map.width / box.width, pen = map.getContext("2d");
  document.body.dataset.pixels = JSON.stringify(Array.from({length: 60}, (_, i) => {
    const place = map.placeOf(i);
    return [...pen.getImageData(place[0] * dense, place[1] * dense, 1, 1).data];
  }));' >"$work/moved.html"
browse "$work/moved.html" --dump-dom >"$work/dom"
python3 - "$work" <<'END' || fault "the map is not what the files say"
import html, json, re, sys
work = sys.argv[1]
sys.path.insert(0, work)
from network import *
dom = open(work + "/dom", encoding="utf-8").read()
body = re.search(r"<body[^>]*>", dom).group(0)
assert 'data-moment="3"' in body and "data-errors" not in body, body
pixels = json.loads(html.unescape(re.search(r'data-pixels="([^"]*)"', body).group(1)))
scale, seen = networks(work + "/moved.html")["scale"], lines(work + "/whole")
losses = [v for one in seen for v in one["nodes"]["loss"]]
low, high = min(losses), max(losses)
now = seen[3]["nodes"]
right = 0
for i in range(60):
    wanted = color(scale, (now["loss"][i] - low) / (high - low))
    right += pixels[i][3] == 255 and all(abs(a - b) < 4 for a, b in zip(wanted, pixels[i]))
assert right >= 57, right  # a node may lie on another
text = re.search(r'id="network-node">([^<]*)<', dom).group(1)
accuracy, loss = map(float, re.fullmatch(r"node 7: accuracy ([0-9.]+), loss ([0-9.]+)", text).groups())
assert abs(accuracy - now["accuracy"][7]) < 0.005 and abs(loss - now["loss"][7]) < 0.01 * (high - low), text
text = re.search(r'id="network-moment">([^<]*)<', dom).group(1)
epoch, seconds, sent = (float(n.replace(",", "")) for n in re.findall(r"[0-9][0-9.,]*(?= |,)", text))
assert abs(epoch - seen[3]["epoch"]) < 1e-3 and abs(seconds / seen[3]["virtual_seconds"] - 1) < 1e-3, text
assert abs(1e6 * sent / seen[3]["bytes_sent"] - 1) < 1e-3, text
END
# Pictures for people, wide and narrow, of the map alone.
scripted "$work/moved.html" '
  for (const one of document.querySelectorAll("main > section:not(#network), form")) one.remove();
  dispatchEvent(new Event("resize"));' >"$work/alone.html"
for size in wide:900,1020 phone:480,800; do
  picture=$work/${size%%:*}.png
  browse "$work/alone.html" --window-size="${size#*:}" --screenshot="$picture" >/dev/null
  [ -s "$picture" ] && [ "$(wc -c <"$picture")" -gt 20000 ] || fault "no picture, or an empty one: $picture"
done
rm -rf "$work/profile"
finish
