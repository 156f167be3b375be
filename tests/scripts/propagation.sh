#!/usr/bin/env bash
# samples/knowledge_propagation: a class that one node knows arrives at its neighbors before it
# arrives three hops away, and nowhere where nobody knows it; distances and rank correlations are
# those that Python finds.
set -u
program=$GOSSIP_BIN/knowledge_propagation
. "$(dirname "$0")/checks.bash"
require_program "$program"
report=$GOSSIP_BIN/gossip-report
require_program "$report"
export OMP_NUM_THREADS=2

small=(--nodes 60 --degree 3 --seeds 7 --class 9 --ticks 500 --observe 20 --test-samples 40 --rate 0.01)
"$program" "${small[@]}" --out "$work/known" >"$work/story" 2>"$work/stderr" ||
  fault "a seed that knows the class: $(cat "$work/stderr")"
"$program" "${small[@]}" --share 0 --out "$work/unknown" >/dev/null 2>"$work/stderr" ||
  fault "nobody knows the class: $(cat "$work/stderr")"

python3 - "$work/known" "$work/unknown" <<'END' || fault "tables: $(cat "$work/story")"
import collections, csv, json, math, sys
known, unknown = sys.argv[1:]

def rows(folder, name):
    return list(csv.DictReader(open(f"{folder}/{name}")))

def accuracies(folder, distance):
    return [float(r["accuracy"]) for r in rows(folder, "by_distance.csv") if r["distance"] == distance]

# The class spreads outwards: hop by hop less is known, and what is known comes later.
at = {d: accuracies(known, d) for d in "0123"}
assert at["0"][-1] > 0.9, at["0"]
assert max(at["1"][1:]) > 0.3 > 0.1 > max(at["3"][1:]), at
assert sum(at["0"]) > sum(at["1"]) > sum(at["2"]) > sum(at["3"]), at
# The control: the same run in which no sample of the class is anywhere.
wrong = [r for r in rows(unknown, "by_distance.csv")[4:] if float(r["tick"]) > 30 and float(r["accuracy"]) > 0]
assert not wrong, wrong
assert all(r["arrival"] == "" for r in rows(unknown, "nodes.csv")), "arrived from nowhere"

graph = json.load(open(f"{known}/graph.json"))
near = collections.defaultdict(set)
for i, j in graph["edges"]:
    assert i < j
    near[i].add(j)
    near[j].add(i)
n = graph["nodes"]
assert n == 60 and all(len(near[i]) == 3 for i in range(n))

def search(source):
    """Hops, numbers of shortest paths, and the nodes by hops."""
    hops, paths, order = {source: 0}, collections.Counter({source: 1}), [source]
    for i in order:
        for j in near[i]:
            if j not in hops:
                hops[j] = hops[i] + 1
                order.append(j)
            if hops[j] == hops[i] + 1:
                paths[j] += paths[i]
    return hops, paths

found = [search(i) for i in range(n)]
def betweenness(v):  # by its definition: the share of shortest paths between others through v
    return sum(found[s][1][v] * found[v][1][t] / found[s][1][t] for s in range(n) for t in range(s)
               if v not in (s, t) and found[s][0][v] + found[v][0][t] == found[s][0][t])

nodes = rows(known, "nodes.csv")
for i, row in enumerate(nodes):
    assert int(row["node"]) == i and int(row["distance"]) == found[7][0][i], row
    assert abs(float(row["closeness"]) - (n - 1) / sum(found[i][0].values())) < 1e-6, row
    assert abs(float(row["betweenness"]) - betweenness(i)) < 1e-2, (row, betweenness(i))

def ranks(values):
    return [sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]

def spearman(x, y):
    x, y, middle = ranks(x), ranks(y), (len(x) - 1) / 2
    up = sum((a - middle) * (b - middle) for a, b in zip(x, y))
    return up / math.sqrt(sum((a - middle) ** 2 for a in x) * sum((b - middle) ** 2 for b in y))

others = [r for r in nodes if r["distance"] != "0"]
arrival = [float(r["arrival"] or "inf") for r in others]
assert min(arrival) < math.inf
for row in rows(known, "correlations.csv"):
    if row["with"] == "degree":
        assert row["spearman"].lstrip("-") == "nan", row  # all have three neighbors
        continue
    expected = spearman(arrival, [float(r[row["with"]]) for r in others])
    assert abs(float(row["spearman"]) - expected) < 1e-3, (row, expected)

# nodes.jsonl is what the tables were made of.
lines = [json.loads(line) for line in open(f"{known}/nodes.jsonl")]
assert len(lines) == len(at["1"]) and lines[0]["epoch"] == 0
for line, mean in zip(lines, at["1"]):
    assert all(len(line["nodes"][k]) == n for k in ("accuracy", "loss", "rare_class_accuracy"))
    own = [line["nodes"]["rare_class_accuracy"][i] for i in near[7]]
    assert abs(sum(own) / 3 - mean) < 1e-3
last = lines[-1]["nodes"]
for i, row in enumerate(nodes):
    assert abs(float(row["accuracy_at_end"]) - last["rare_class_accuracy"][i]) < 1e-3
END
# Pages: of one run all classes are lines of a chart, of two each class has a chart of its own.
"$report" "$work/known" --out "$work/one.html" >/dev/null 2>"$work/stderr" &&
  "$report" "$work/known" "$work/unknown" --out "$work/two.html" >/dev/null 2>"$work/stderr" ||
  fault "no page: $(cat "$work/stderr")"
python3 - "$work/known" "$work/one.html" "$work/two.html" <<'END' || fault "pages"
import json, re, sys

def charts(page):
    text = open(page, encoding="utf-8").read()
    data = re.search(r'id="data">(.*?)</script>', text, re.S).group(1)
    return {chart["key"]: chart for chart in json.loads(data)["charts"]}

one, two = charts(sys.argv[2]), charts(sys.argv[3])
lines = [json.loads(line) for line in open(sys.argv[1] + "/metrics.jsonl")]
classes = one["class_accuracy"]
assert classes["title"] == "Accuracy by class" and classes["factor"] == 100, classes["title"]
assert [line["name"] for line in classes["lines"]] == [f"class {c}" for c in range(10)]
assert len({(line["color"], line["dash"], line["mark"]) for line in classes["lines"]}) == 10
for c in range(10):
    name = f"class_accuracy_{c}"
    assert name not in one
    measured = [line[name] for line in lines]
    assert classes["lines"][c]["y"] == measured, (name, classes["lines"][c]["y"], measured)
    assert two[name]["title"] == f"Accuracy on class {c}" and len(two[name]["lines"]) == 2, two[name]
    assert two[name]["lines"][0]["y"] == measured
END
for tick in 62 125 250 500; do
  python3 -c "import sys, xml.dom.minidom as x
assert len(x.parse(sys.argv[1]).getElementsByTagName('circle')) == 59" "$work/known/map_$tick.svg" ||
    fault "map_$tick.svg: no map of 59 nodes beside the seed"
done

# refuses EXPECTED ARGUMENT...: exit status 2, one sentence, nothing written.
refuses() {
  local expected=$1
  shift
  "$program" "$@" --out "$work/refused" >/dev/null 2>"$work/stderr"
  [ $? -eq 2 ] || fault "$*: exit status not 2"
  grep -qF -- "$expected" "$work/stderr" || fault "$*: $(cat "$work/stderr")"
  [ ! -e "$work/refused" ] || fault "$*: something was written"
}
refuses "--seeds: expected nodes below 60, got 60" --nodes 60 --degree 3 --seeds 60
refuses "hub:K, periphery:K, random:K or node numbers as 3,17, got 'heart:1'" --nodes 60 --degree 3 --seeds heart:1
refuses "--model: expected softmax_regression or lenet5, got 'vgg'" --model vgg
refuses "--share: expected a number from 0.0 to 1.0, got '2'" --share 2
refuses "expected an option that --help lists, got '--ticking'" --ticking 3
refuses "--samples: expected at most" --nodes 60 --degree 3 --samples 8000
printf 'ticks = 5\n# a comment\ncolour = red\n' >"$work/bad"
refuses "bad:3: expected name = value with the name of an option, got 'colour = red'" --configuration "$work/bad"
"$program" --help >"$work/help" || fault "--help"
finish
