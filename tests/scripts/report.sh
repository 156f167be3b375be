#!/usr/bin/env bash
# gossip-report: its page and its SVGs show the numbers of the runs, a browser draws them without an
# error, and folders that are none are refused in a sentence.
. "$(dirname "$0")/driver.bash"
report=$GOSSIP_BIN/gossip-report
require_program "$report"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }

# make <argument>...: a run or a sweep.
make() {
  "$simulate" --quiet "$@" >"$work/stdout" 2>"$work/stderr" || fault "a run: $(cat "$work/stderr")"
}
small=("${tiny[@]}" --set /topology='{"kind":"ring","nodes":6}' --set /model=softmax_regression --set '/evaluate/every={"rounds":1}')
make "${small[@]}" --set /exchange=d_psgd --set /name='</script><b>first & "last"' --out "$work/one"
make "${small[@]}" --set /exchange=ad_psgd --set /optimizer/rate=0.1 --out "$work/two"
make --set /topology='{"kind":"ring","nodes":16}' --set /model=softmax_regression --set /stop/epochs=4 --set /threads=1 \
  --set '/data/split={"kind":"dirichlet","alpha":0.1}' --sweep /seed=1..3 --sweep /exchange=d_psgd,ad_psgd,all_reduce \
  --set '/evaluate={"every":{"epochs":0.5},"nodes":0,"samples":0}' --out "$work/sweep"
make "${small[@]}" --set /evaluate/at_end/nodes=0 --sweep /seed=1,2 --out "$work/apart"

# Two seeds that have read two graphs of one name are two lines.
cd "$work" || exit 1
for seed in 1 2; do
  printf '0 1\n1 2\n2 %s\n' "$((seed + 2))" >ring.txt
  make "${small[@]}" --set '/topology={"kind":"edge_list","path":"ring.txt","allow_disconnected":true}' --set /seed=$seed --out "graph$seed"
done
cd "$GOSSIP_SOURCE" || exit 1

# page <file> <folder>...
page() {
  local out=$1
  shift
  "$report" "$@" --out "$out" >"$work/stdout" 2>"$work/stderr" || fault "$*: $(cat "$work/stderr")"
}
if ! "$report" "$work/one" >"$work/stdout" 2>"$work/stderr"; then
  grep -q 'built without Chart.js' "$work/stderr" && { echo "skipped: $(cat "$work/stderr")"; exit 77; }
  fault "a page: $(cat "$work/stderr")"
fi
[ "$(cat "$work/stdout")" = "page    $work/one/report.html" ] || fault "it prints $(cat "$work/stdout")"
page "$work/both.html" "$work/one" "$work/two/"
page "$work/sweep.html" "$work/sweep"
page "$work/graphs.html" "$work/graph1" "$work/graph2"
for seed in 1 2; do
  digest=$(python3 -c 'import json, sys
print([f["digest"] for f in json.load(open(sys.argv[1]))["files"] if f["path"] == "ring.txt"][0])' "$work/graph$seed/identity.json")
  grep -q "$digest" "$work/graphs.html" || fault "runs of two graphs are not told apart"
done
page "$work/late.html" "$work/sweep" --from 2
page "$work/apart.html" "$work/apart"
"$report" "$work/apart" --svg "$work/rings" >"$work/stdout" || fault "--svg of last points that stand apart"
"$report" "$work/sweep"/*=all_reduce --from=2 --svg "$work/still" >"$work/stdout" || fault "--svg --from"
grep -q '>-' "$work/still/staleness_by_epoch.svg" && fault "an axis of zeros goes below zero"
"$report" "$work/one" "$work/two" --svg "$work/svg" >"$work/stdout" || fault "--svg"
grep -qx "charts  $work/svg, $(ls "$work/svg" | wc -l) SVG files" "$work/stdout" || fault "--svg prints $(cat "$work/stdout")"

# A run of 10,000 observations: the lines of a real one, many times over.
mkdir "$work/long"
cp "$work/one/config.json" "$work/one/summary.json" "$work/long"
python3 - "$work/one/metrics.jsonl" "$work/long/metrics.jsonl" <<'END'
import json, random, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
draw = random.Random(1)
with open(sys.argv[2], "w") as out:
    for k in range(10000):
        line = dict(lines[k % len(lines)], round=k, epoch=k / 7, virtual_seconds=k / 3, bytes_sent=1000003 * k,
                    loss=draw.random(), test_loss=draw.random(), consensus_distance=draw.random() ** 9)
        line["accuracy"] = {name: draw.random() / 3 + at for name, at in [("min", 0), ("mean", .33), ("max", .67)]}
        out.write(json.dumps(line) + "\n")
END
page "$work/long.html" "$work/long"
[ "$(wc -c <"$work/long.html")" -lt 5000000 ] || fault "10,000 observations make a page of $(wc -c <"$work/long.html") bytes"

python3 - "$work" <<'END' || fault "the pages do not show what the folders hold"
import glob, html, json, math, re, sys, xml.etree.ElementTree
work = sys.argv[1]
axes = ["epoch", "virtual_seconds", "bytes_sent"]

def near(a, b):
    assert math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-300), (a, b)

def observations(folder):
    found = []
    for line in open(folder + "/metrics.jsonl"):
        j = json.loads(line)
        for name in ("mean", "min", "max"):
            j["accuracy." + name] = j["accuracy"][name]
        found.append(j)
    return found

def charts(page):
    text = open(page, encoding="utf-8").read()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
    assert not re.search(r'<(img|link|script)[^>]*(src|href)="(?!data:)', text), "it asks for other files"
    return text, {chart["key"]: chart for chart in json.loads(data)["charts"]}

def frame(grid):
    """Left and right, top and bottom of lines "M60 33 L424 33" across and "M60 33 L60 263" down."""
    ends = [[float(number) for number in re.findall("[0-9.]+", line)] for line in grid]
    across = next((x, right) for x, y, right, below in ends if y == below)
    return across, next((y, below) for x, y, right, below in ends if x == right)

columns = {"accuracy": "accuracy.mean", "averaged_model_accuracy": "averaged_model_accuracy", "loss": "loss",
           "test_loss": "test_loss", "consensus_distance": "consensus_distance",
           "staleness": "staleness"}

def check(line, key, runs, whole=True):
    """The line is the mean over the runs; its band their range, or of one run that of its nodes."""
    k = 0
    for observed in zip(*runs):
        values = [o.get(columns[key]) for o in observed]
        if None in values or (key == "consensus_distance" and sum(values) <= 0):
            continue
        for axis in axes:
            near(line["x"][axis][k], sum(o[axis] for o in observed) / len(runs))
        near(line["y"][k], sum(values) / len(runs))
        if len(runs) > 1:
            low, high = min(values), max(values)
        elif key == "accuracy":
            low, high = observed[0]["accuracy.min"], observed[0]["accuracy.max"]
        else:
            assert "low" not in line
            k += 1
            continue
        near(line["low"][k], low)
        near(line["high"][k], high)
        k += 1
    assert k == len(line["y"]) and k > 2, (key, k)

# One run: the mean over nodes and the averaged model in one chart.
one, two = observations(work + "/one"), observations(work + "/two")
text, found = charts(work + "/one/report.html")
assert set(found) == set(columns) - {"averaged_model_accuracy"}, set(found)
assert [line["name"] for line in found["accuracy"]["lines"]] == ["mean over nodes", "averaged model"]
for key, chart in found.items():
    check(chart["lines"][0], key, [one])
averaged = found["accuracy"]["lines"][1]
assert averaged["y"] == [o["averaged_model_accuracy"] for o in one] and "low" not in averaged
assert found["consensus_distance"]["logarithmic"] and not found["loss"]["logarithmic"]
summary = json.load(open(work + "/one/summary.json"))
name = html.escape('</script><b>first & "last"')
assert text.count("<h1>" + name + "</h1>") == 1 and "<b>first" not in text
config = html.escape(json.dumps(json.load(open(work + "/one/config.json")), indent=2), quote=True).replace("&#x27;", "'")
for word in [summary["digest"], summary["processor"], summary["compiler"], "memory announced", "memory used", config,
             "Permission is hereby granted", "Chart.js v"]:
    assert word in text, word

# Two runs: what differs names them and stands in the table.
text, found = charts(work + "/both.html")
assert set(found) == set(columns)
for key, chart in found.items():
    assert len(chart["lines"]) == 2
    check(chart["lines"][0], key, [one])
    check(chart["lines"][1], key, [two])
names = [line["name"] for line in found["loss"]["lines"]]
assert names == ['</script><b>first & "last", rate 0.03, d_psgd', "rate 0.1, ad_psgd"], names
for cell in ['<td data-of="exchange">d_psgd</td>', '<td data-of="exchange">ad_psgd</td>', '<td data-of="optimizer/rate">0.1</td>']:
    assert cell in text, cell
assert 'data-of="batch"' not in text

# A sweep: a line an exchange, over its seeds.
text, found = charts(work + "/sweep.html")
for key, chart in found.items():
    shown = ["d_psgd", "ad_psgd"] + ["all_reduce"] * (key != "consensus_distance")  # 0 throughout
    assert [line["name"] for line in chart["lines"]] == shown, (key, shown)
    for line in chart["lines"]:
        runs = [observations(f) for f in sorted(glob.glob(work + "/sweep/*,exchange=" + line["name"]))]
        assert len(runs) == 3
        check(line, key, runs)
last = [observations(f)[-1]["accuracy.mean"] for f in sorted(glob.glob(work + "/sweep/*=d_psgd"))]
cell = "%.2f %% <small>%.2f %% to %.2f %%</small>" % (100 * sum(last) / 3, 100 * min(last), 100 * max(last))
assert cell in text, cell
assert text.count('<td data-of="digest">') == 9 and "Rings" not in text
for field, value in [("topology", "ring (nodes 16)"), ("model", "softmax_regression"), ("stop", "epochs 4"),
                     ("data", "digits (split dirichlet (alpha 0.1, minimum 0), flipped_nodes 0, augmentation none)")]:
    assert "<dt>%s</dt><dd>%s</dd>" % (field, value) in text, field
assert "<dt>exchange</dt>" not in text  # it differs

# The same from an epoch on.
text, late = charts(work + "/late.html")
assert set(late) == set(found) and '"from_zero":false' in text
for key, chart in late.items():
    for line, whole in zip(chart["lines"], found[key]["lines"]):
        kept = sum(epoch >= 2 for epoch in whole["x"]["epoch"])
        assert 2 < kept < len(whole["y"]) and line["y"] == whole["y"][-kept:] and line["low"] == whole["low"][-kept:]
assert ">0</text>" not in open(work + "/still/accuracy_by_epoch.svg").read()

# Where the last observation is of more nodes, its point is a ring, and a chart says of how many.
rings = "Rings are measured on 6 nodes and 64 samples, lines on 2 nodes and 64 samples."
text, found = charts(work + "/apart.html")
on_test_set = {"accuracy", "averaged_model_accuracy", "test_loss"}
assert set(found) == set(columns) - {"averaged_model_accuracy"} and text.count(rings) == 2
for key, chart in found.items():
    assert all(line.get("ends_apart", False) == (key in on_test_set) for line in chart["lines"]), key
for key in set(columns) - {"averaged_model_accuracy"}:
    svg = open(f"{work}/rings/{key}_by_epoch.svg").read()
    sentences = "".join(re.findall("<text[^>]*>([^<]*)</text>", svg))  # a note is several lines
    assert (rings in sentences) == (key in on_test_set)
    for line in found[key]["lines"]:
        drawn = re.search(r'<path stroke="#[0-9a-f]+" fill="none"[^>]* d="(M[^"]* L[^"]* L[^"]*)"/>', svg).group(1)
        assert drawn.count("L") == len(line["y"]) - 1 - (key in on_test_set), (key, drawn)
    assert svg.count('fill="white" stroke=') == len(found[key]["lines"]) * (key in on_test_set)

# Ten thousand observations: no extreme is lost, no point is made up, and the page says it.
long = observations(work + "/long")
text, found = charts(work + "/long.html")
known = {(o["epoch"], o["loss"]) for o in long}
line = found["loss"]["lines"][0]
assert 600 <= len(line["y"]) <= 3000 and set(zip(line["x"]["epoch"], line["y"])) <= known
assert line["x"]["epoch"] == sorted(line["x"]["epoch"])
for key, column in columns.items():
    if key in found:
        values = [o[column] for o in long if column in o]
        assert (min(values), max(values)) == (min(found[key]["lines"][0]["y"]), max(found[key]["lines"][0]["y"])), key
band = found["accuracy"]["lines"][0]
assert min(band["low"]) == min(o["accuracy.min"] for o in long) and max(band["high"]) == max(o["accuracy.max"] for o in long)
assert re.search(r"Drawn are [0-9,]+ of 20,000 observations", text) and "of 10,000 observations" in text

# Each chart as SVG, its points where the numbers say, between the first and the last line of its grid.
files = glob.glob(work + "/svg/*.svg")
assert {f.rsplit("/", 1)[1] for f in files} == {f"{key}_by_{axis}.svg" for key in columns for axis in axes}
space = "{http://www.w3.org/2000/svg}"
for file in files:
    key, axis = file.rsplit("/", 1)[1][:-4].split("_by_")
    picture = xml.etree.ElementTree.parse(file)
    words = [t.text for t in picture.iter(space + "text")]
    assert names[0] in words and names[1] in words and any(w.startswith(("epoch", "virtual time", "sent")) for w in words)
    points = [[], []]
    for circle in picture.iter(space + "circle"):
        points[circle.get("fill") == "#d55e00"].append((float(circle.get("cx")), float(circle.get("cy"))))
    grid = [p.get("d") for p in picture.iter(space + "path") if p.get("stroke") == "#ddd"]
    (left, right), (top, bottom) = frame(grid)
    assert right == 424 and bottom == top + 230, (file, right, top, bottom)
    usable = [[o for o in run if o.get(columns[key]) is not None and (key != "consensus_distance" or o[columns[key]] > 0)]
              for run in (one, two)]
    xs = [o[axis] for o in usable[0] + usable[1]]
    height = math.log if key == "consensus_distance" else float
    bounds = [o[c] for run in usable for o in run for c in
              (["accuracy.min", "accuracy.max"] if key == "accuracy" else [columns[key]])]
    low, high = height(min(bounds)), height(max(bounds))
    for drawn, run in zip(points, usable):
        assert len(drawn) == len(run) > 2, file
        for (x, y), o in zip(drawn, run):
            assert abs(x - (left + (right - left) * o[axis] / max(xs))) < 0.06, (file, x)
            assert abs(y - (bottom - 230 * (height(o[columns[key]]) - low) / (high - low))) < 0.06, (file, y)
END

# Staleness and waiting, where a dry run of the same configuration has left its plan.
grep -q 'Staleness and waiting' "$work/both.html" && fault "staleness of runs without plans"
make "${small[@]}" --set /exchange=ad_psgd --set /optimizer/rate=0.1 --dry-run --out "$work/two"
make "${small[@]}" --set /exchange=d_psgd --dry-run --out "$work/one"  # another name
page "$work/planned.html" "$work/one" "$work/two"
python3 - "$work" <<'END' || fault "staleness and waiting are not those of the plan"
import json, re, sys
work = sys.argv[1]
plan = json.load(open(work + "/two/plan.json"))
text = open(work + "/planned.html", encoding="utf-8").read()
section = re.search(r"<h2>Staleness and waiting</h2>(.*?)</section>", text, re.S).group(1)
assert section.count('<th scope="row">') == 1 and "A plan.json of a different configuration is not shown." in section
cells = dict(re.findall(r'<td data-of="([^"]*)">(.*?)</td>', section, re.S))
training, link, stale = plan["time_in_training"], plan["busiest_link"], plan["staleness"]
assert cells["time in training"] == "%.1f %%" % (100 * training["mean"])
assert cells["waiting or down"] == "%.1f %%" % (100 * (1 - training["mean"]))
assert cells["least in training"] == "%.1f %% <small>node %d</small>" % (100 * training["least"], training["of_node"])
assert cells["busiest link"] == "%.2g %% <small>%d to %d</small>" % (100 * link["share"], link["from"], link["to"])
assert cells["mean staleness"] == "%.3g" % stale["mean"] and cells["largest"] == str(stale["largest"]) != "0"
bars = re.findall(r'height="([0-9.]+)" fill="[^"]*"><title>([0-9]+): ([0-9.]+) %</title>', cells["staleness"])
counts = stale["counts"][:len(bars)]
assert len(bars) == stale["largest"] + 1 and sum(counts) == sum(stale["counts"]) == 18
for (height, which, share), count in zip(bars, counts):
    assert abs(float(height) - 36 * count / max(counts)) < 0.06 and abs(float(share) - 100 * count / 18) < 0.006
END
# What it does not read, and what it does not overwrite.
# refused <sentence> <argument>...
refused() {
  local sentence=$1
  shift
  simulate=$report expect 2 "$sentence" "$@"
}
refused "gossip-report: expected at least one folder of gossip-simulate, got none"
refused "gossip-report: unknown argument '--oot'; --help lists them" --oot "$work/one"
refused "--out: expected a value after the option, got nothing" "$work/one" --out
refused "$work/none: expected a folder of gossip-simulate, got nothing there" "$work/none"
refused "$work/both.html: expected a folder of gossip-simulate, got a file" "$work/both.html"
refused "$work: expected a run's folder, with config.json, or a sweep's, with results.csv, got neither" "$work"
refused "--from: expected a value after the option, got nothing" "$work/one" --from
refused "--from: expected one value, got a second value, '3'" "$work/one" --from 2 --from=3
refused "--out: expected a path, got nothing" "$work/one" --out=
refused "--overwrite: expected no value, got '--overwrite=yes'" "$work/one" --overwrite=yes
refused "--from: expected an epoch, a number of at least 0, got '2x'" "$work/one" --from 2x
refused "--from: expected an epoch, a number of at least 0, got '-1'" "$work/one" --from=-1
refused "--from: expected an epoch that a run has reached, got 5" "$work/sweep" --from 5 --out "$work/none.html"
there="expected a path that does not exist, or --overwrite, which replaces it, got a file"
refused "$work/one/report.html: $there" "$work/one"
refused "$work/svg/accuracy_by_epoch.svg: $there" \
  "$work/one" --svg "$work/svg"
refused "$work/both.html/x.html: cannot be written: Not a directory" "$work/one" --out "$work/both.html/x.html"
# damaged <file> <text> <sentence behind the file's path>: instead of what the run wrote.
damaged() {
  rm -rf "$work/bad"
  cp -r "$work/two" "$work/bad"
  printf '%b' "$2" >"$work/bad/$1"
  refused "$work/bad/$1$3" "$work/bad" --out "$work/bad.html"
  [ ! -e "$work/bad.html" ] || fault "a page of a damaged folder"
}
good='{"epoch":0,"virtual_seconds":0,"bytes_sent":0}\n'
damaged config.json '{"name":' ": expected a JSON object, got '{\"name\":'"
damaged config.json '' ": expected a JSON object, got an empty file"
damaged summary.json '[]' ": expected a JSON object, got '[]'"
damaged plan.json '{' ": expected a JSON object, got '{'"
planned=$(python3 -c 'import json, sys; print(json.dumps({"config": json.load(open(sys.argv[1])), "epoch_seconds": "x"}))' "$work/two/config.json")
damaged plan.json "$planned" ": expected the plan of a dry run, got a damaged plan: type must be number, but is string"
damaged metrics.jsonl '' ": expected at least one observation, got an empty file"
damaged metrics.jsonl "$good"'{"epoch":1,' ":2: expected a JSON object, an observation of the run, got '{\"epoch\":1,'"
damaged metrics.jsonl "$good\n" ":2: expected a JSON object, an observation of the run, got an empty line"
damaged metrics.jsonl '{"epoch":0,"virtual_seconds":0}\n' ":1: expected a number 'bytes_sent', got none"
damaged metrics.jsonl '{"epoch":"0"}\n' ":1: expected a number 'epoch', got \"0\""
rm "$work/bad/metrics.jsonl"
refused "$work/bad/metrics.jsonl: expected a readable file, got none" "$work/bad" --out "$work/bad.html"
printf 'what\n' >"$work/bad/results.csv"
refused "$work/bad/results.csv:1: expected columns from run to error, got 'what'" "$work/bad" --out "$work/bad.html"
[ "$(ls "$work"/*.part "$work"/*/*.part 2>/dev/null)" = '' ] || fault "parts of files are left"

# Fields that are not what this version writes, and values at the ends of what numbers can be.
rm -rf "$work/bad" && cp -r "$work/two" "$work/bad"
sed -i 's/"name": .*,/"name": {"first": 5},/' "$work/bad/config.json"
echo '{"graph": 3, "interrupted": "x", "wall_seconds": 1e300}' >"$work/bad/summary.json"
printf '{"epoch":%s,"virtual_seconds":1e300,"bytes_sent":-1,"consensus_distance":%s,"loss":%s}\n' \
  1 1e-140 1e140 2 1e140 -1e140 2.0000000000000004 1 1e16 3 1e300 1e308 4 1e-320 -1e308 >"$work/bad/metrics.jsonl"
page "$work/odd.html" "$work/bad"
"$report" "$work/bad" --svg "$work/odd" >"$work/stdout" || fault "--svg of odd numbers"

# A run that has not ended is shown as such; a run of a sweep that failed by its sentence.
rm -rf "$work/bad" && cp -r "$work/two" "$work/bad" && rm "$work/bad/summary.json"
page "$work/unfinished.html" "$work/bad"
grep -q 'has not ended' "$work/unfinished.html" || fault "a run without summary.json is not marked"
cp -r "$work/sweep" "$work/failed"
rm -r "$work/failed"/2-*
awk -F , 'NR == 1 {n = NF} $1 !~ /^"?2-/ {print} NR == 2 {
  printf "\"2-gone\""; for (i = 2; i < n; ++i) printf ","; print ",\"the model, it says, \"\"diverged\"\"\""}' \
  "$work/sweep/results.csv" >"$work/failed/results.csv"
sed -i 5q "$work/failed"/4-*/metrics.jsonl  # one of three seeds ends early, and the mean with it
page "$work/failed.html" "$work/failed"
python3 - "$work/failed.html" <<'END' || fault "a mean over runs does not end with the first of them"
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
lengths = {line["name"]: len(line["y"]) for line in data["charts"][0]["lines"]}
assert lengths == {"d_psgd": 5, "ad_psgd": 9, "all_reduce": 9}, lengths
assert "A line ends where its runs were no longer observed at the same epochs." in text
END
grep -qF '<li><b>2-gone</b>: the model, it says, &quot;diverged&quot;</li>' "$work/failed.html" ||
  fault "a run that failed is not in the page"

# In a browser: drawn without an error, by any axis; pictures for people, wide and narrow.
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -n "$browser" ]; then
  # browse <page> <option>...
  browse() {
    timeout -k 5 60 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
      --user-data-dir="$work/profile" --virtual-time-budget=4000 "${@:2}" "file://$1" 2>"$work/stderr"
  }
  # drawn <page> <charts> <axis>
  drawn() {
    browse "$1#$3" --dump-dom >"$work/dom"
    grep -qE "<body data-by=\"$3\" data-drawn=\"$2\">" "$work/dom" ||
      fault "$1 in a browser: $(grep -o '<body[^>]*>' "$work/dom" || tail -n 3 "$work/stderr")"
  }
  drawn "$work/one/report.html" 5 epoch
  drawn "$work/both.html" 6 virtual_seconds
  drawn "$work/sweep.html" 6 bytes_sent
  drawn "$work/late.html" 6 virtual_seconds
  drawn "$work/apart.html" 5 epoch
  drawn "$work/long.html" 5 epoch
  drawn "$work/odd.html" 2 epoch
  # A line that is switched off is gone from a chart, with its band; a line is a set, a band two.
  sed 's|^</body>|<script>document.querySelectorAll("input[name=series]")[1].click();document.body.dataset.sets = \
Chart.getChart("accuracy").data.datasets.filter(set => !set.hidden).map(set => set.label);document.body.dataset.low = \
Chart.getChart("staleness").scales.y.min;</script></body>|' \
    "$work/sweep.html" >"$work/clicked.html"
  browse "$work/clicked.html" --dump-dom >"$work/dom"
  grep -q 'data-sets="d_psgd,d_psgd,d_psgd,all_reduce,all_reduce,all_reduce"' "$work/dom" ||
    fault "a line cannot be switched off"
  grep -q 'data-low="0"' "$work/dom" || fault "the axis of staleness does not begin at zero"
  # A page whose data is damaged says so to this test.
  sed 's/id="data">{/id="data">{,/' "$work/one/report.html" >"$work/broken.html"
  browse "$work/broken.html" --dump-dom | grep -q '<body[^>]*data-errors="' || fault "errors of a page are not seen"
  for size in desktop:1100,930 phone:480,1600; do
    picture=$work/${size%%:*}.png
    browse "$work/sweep.html" --window-size="${size#*:}" --screenshot="$picture" >/dev/null
    [ -s "$picture" ] && [ "$(wc -c <"$picture")" -gt 40000 ] || fault "no picture, or an empty one: $picture"
  done
  rm -rf "$work/profile"
else
  echo "not opened in a browser: chromium is not installed ('./dev deps --with-browser' does it)"
fi
finish
