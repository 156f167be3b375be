#!/usr/bin/env bash
# The figures of gossip-report: what lines look like and are called, what bands are, PDFs with letters
# that have room, and files that stay as they are where others cannot be written.
. "$(dirname "$0")/checks.bash"
report=$GOSSIP_BIN/gossip-report
require_program "$report"
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }

# Runs made by hand, of five observations each.
python3 - "$work" <<'END'
import json, os, sys
work = sys.argv[1]

def make(folder, epochs=range(5), **config):
    os.makedirs(f"{work}/{folder}")
    json.dump(config, open(f"{work}/{folder}/config.json", "w"))
    with open(f"{work}/{folder}/metrics.jsonl", "w") as lines:
        for k, epoch in enumerate(epochs):
            mean = 0.9 - 0.5 / (k + 1 + 0.1 * config.get("seed", 1))
            lines.write(json.dumps({
                "epoch": epoch, "virtual_seconds": 30000 * k, "bytes_sent": 1e6 * k, "evaluated_nodes": 6,
                "evaluated_samples": 64, "accuracy": {"mean": mean, "min": mean - 0.1, "max": mean + 0.1},
                "averaged_model_accuracy": mean + 0.05, "loss": 1 - mean, "consensus_distance": 10.0 ** -k}) + "\n")

ring, complete, torus = {"kind": "ring", "nodes": 9}, {"kind": "complete", "nodes": 9}, {"kind": "torus", "rows": 3, "columns": 3}
for k, topology in enumerate((ring, complete, torus)):
    for s, exchange in enumerate(({"kind": "d_psgd"}, {"kind": "local_sgd", "steps": 4})):
        name = topology["kind"] + "-" + exchange["kind"]
        make("grid/" + name, topology=topology, exchange=exchange, seed=1)
        make("tuned/" + name, topology=topology, exchange=exchange, optimizer={"rate": (k + s) % 3}, seed=1)
        for batch in (8, 16):
            make(f"three/{name}-{batch}", topology=topology, exchange=exchange, batch=batch, seed=1)
for exchange in ("d_psgd", "ad_psgd"):
    for batch in (8, 16):
        make(f"batches/{exchange}-{batch}", topology=ring, exchange=exchange, batch=batch, seed=1)
        make(f"named/{exchange}-{batch}", exchange=exchange, batch=batch, name=f"{exchange}, batch {batch}", seed=1)
    for nodes in range(3, 9):
        make(f"sizes/{exchange}-{nodes}", topology={"kind": "ring", "nodes": nodes}, exchange=exchange, seed=1)
    for seed in (1, 2, 3):
        make(f"seeds/{exchange}-{seed}", topology=ring, exchange=exchange, seed=seed)
for k in range(10):
    for seed in (1, 2):
        make(f"many/{k}-{seed}", batch=k, seed=seed)
for seed in (1, 2, 3):
    make(f"mixed/d-{seed}", exchange="d_psgd", seed=seed)
make("mixed/a", exchange="ad_psgd", seed=1)
make("one", exchange="d_psgd", seed=1)
close = [123456.25 + k / 10000 for k in range(5)]  # long numbers beside each other
make("long/a", close, name="a name that is a whole sentence, as people write them when they are in a hurry, and then some words")
make("long/b", close, name="x" * 90)
make("long/c", close, name="Größe – Δ 0.1 \x01 & <b>")
make(os.fsdecode(b"odd/\xff-1"), range(0, 500000, 100000), batch=1)
make("odd/b-2", range(0, 500000, 100000), batch=1)
make("equal/a", name="a")
make("equal/b", name="a=b")
END

# figures <name> <argument>...: SVGs of the runs $work/<name>/* in $work/svg/<name>
figures() {
  "$report" "$work/$1"/* --svg "$work/svg/$1" "${@:2}" >"$work/stdout" 2>"$work/stderr" ||
    fault "figures of $1: $(cat "$work/stderr")"
}
for runs in grid tuned named three batches sizes seeds many mixed odd; do figures $runs; done
"$report" "$work/one" --svg "$work/svg/one" >/dev/null || fault "figures of a run"
figures equal --label a=b=c
figures long --axis accuracy="an axis whose title is a whole sentence, which goes on and on until it has no room" \
  --axis virtual_seconds=time --axis 'loss=a "b" & c'
mv "$work/svg/grid" "$work/svg/plain"
figures grid --label "ring, d_psgd=D-PSGD = ring" --label="torus, local_sgd=Local SGD <torus>"

python3 - "$work" <<'END' || fault "figures are not what they should be"
import glob, sys, xml.etree.ElementTree
work = sys.argv[1]
space = "{http://www.w3.org/2000/svg}"

def read(file):
    """Texts of a figure in one, and what its legend says: {name: (color, dash)}."""
    picture = xml.etree.ElementTree.parse(f"{work}/svg/{file}.svg")
    texts, legend, sample = [], {}, None
    for element in picture.iter():
        if element.tag == space + "text":
            texts.append(element.text or "")
            if sample and element.get("text-anchor") == "start":
                legend[element.text] = sample
            sample = None
        elif element.tag == space + "path" and element.get("stroke-width") == "2":
            sample = element.get("stroke"), element.get("stroke-dasharray")
    return "".join(texts), legend

blue, red = "#0072b2", "#d55e00"
colors, dashes = [blue, red, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888"], [None, "8 4", "2 3", "10 3 2 3", "14 4"]

# Two exchanges on three graphs: the color is that of the exchange, the dashes those of the graph.
kinds = ["complete", "ring", "torus"]  # in the order of the folders
for runs in ("plain", "tuned"):
    legend = read(runs + "/loss_by_epoch")[1]
    assert len(legend) == 6, legend
    for name, style in legend.items():
        graph = next(k for k, kind in enumerate(kinds) if kind in name)
        assert style == (red if "local_sgd" in name else blue, dashes[graph]), (runs, name, style)
for runs in ("batches", "named"):
    legend = read(runs + "/loss_by_epoch")[1]
    assert legend == {"ad_psgd, batch 16": (blue, None), "ad_psgd, batch 8": (blue, "8 4"),
                      "d_psgd, batch 16": (red, None), "d_psgd, batch 8": (red, "8 4")}, (runs, legend)
# More than one other field, or more values than dashes: each line the next color and the next dashes.
for runs, lines in (("three", 12), ("sizes", 12), ("seeds", 2), ("many", 10)):
    legend = read(runs + "/loss_by_epoch")[1]
    assert list(legend.values()) == [(colors[k % 7], dashes[k % 5]) for k in range(lines)], (runs, legend)

# Names of one's own, and titles of axes before their units.
legend = read("grid/loss_by_epoch")[1]
assert legend["D-PSGD = ring"] == (blue, "8 4") and legend["Local SGD <torus>"] == (red, "2 3"), legend
assert "ring, d_psgd" not in legend and "complete, d_psgd" in legend
assert list(read("equal/loss_by_epoch")[1]) == ["a", "c"], "the longest name that is there"
assert "until it has no room, %" in read("long/accuracy_by_epoch")[0]
assert "time, h" in read("long/loss_by_virtual_seconds")[0] and 'a "b" & c' in read("long/loss_by_epoch")[0]

# What bands are, where there are some.
for file, sentence in [
        ("seeds/accuracy_by_epoch", "Band: lowest to highest of 3 seeds; line: their mean."),
        ("seeds/loss_by_bytes_sent", "Band: lowest to highest of 3 seeds; line: their mean."),
        ("one/accuracy_by_epoch", "Band: lowest to highest of 6 nodes; line: their mean."),
        ("plain/accuracy_by_virtual_seconds", "Band: lowest to highest of 6 nodes; line: their mean."),
        ("mixed/accuracy_by_epoch", "Band: lowest to highest of 3 seeds or, of a single run, of 6 nodes; line: their mean."),
        ("mixed/loss_by_epoch", "Band: lowest to highest of 1 to 3 seeds; line: their mean."),
        ("many/loss_by_epoch", "Line: mean of 2 seeds.")]:
    assert read(file)[0].endswith(sentence), (file, read(file)[0])
assert "mean" not in read("one/loss_by_epoch")[0]
for file in glob.glob(work + "/svg/*/*.svg"):
    drawn = xml.etree.ElementTree.parse(file)
    assert any(p.get("fill-opacity") for p in drawn.iter(space + "path")) == ("Band" in open(file).read()), file
END

# The page has the same colors, dashes and names, and a mark a graph.
if "$report" "$work"/grid/* --out "$work/grid.html" --label "ring, d_psgd=D-PSGD = ring" --axis loss=cost >/dev/null 2>"$work/stderr"; then
  python3 - "$work/grid.html" <<'END' || fault "the page is not what it should be"
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
charts = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))["charts"]
for chart in charts:
    assert [(l["color"], l["dash"], l["mark"]) for l in chart["lines"]] == [(c, k, k) for k in range(3) for c in (0, 1)]
    assert chart["lines"][2]["name"] == "D-PSGD = ring", chart["lines"][2]["name"]
assert [chart["axis"] for chart in charts if chart["key"] == "loss"] == ["cost"]
rows = re.findall(r'<th scope="row"><svg.*?var\(--color(\d)\).*?(?:stroke-dasharray="(.*?)")?/></svg>([^<]*)<', text)
assert rows[:4] == [("0", "", "complete, d_psgd"), ("1", "", "complete, local_sgd"), ("0", "8 4", "D-PSGD = ring"),
                    ("1", "8 4", "ring, local_sgd")], rows
END
else
  grep -q 'built without Chart.js' "$work/stderr" || fault "a page: $(cat "$work/stderr")"
fi

# refused <sentence> <argument>...
refused() {
  local sentence=$1 got=0
  shift
  "$report" "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
  [ $got -eq 2 ] && [ "$(cat "$work/stderr")" = "$sentence" ] && [ ! -s "$work/stdout" ] ||
    fault "$*"$'\n'"  expected 2: $sentence"$'\n'"  got $got: $(cat "$work/stderr" "$work/stdout")"
}
mixed=("$work"/mixed/a "$work"/mixed/d-* --svg "$work/none")
names="expected NAME=TEXT, where NAME is 'ad_psgd' or 'd_psgd'"
refused "--label: $names, got 'd-psgd=D-PSGD'" "${mixed[@]}" --label d-psgd=D-PSGD
refused "--label: $names, got 'd_psgd'" "${mixed[@]}" --label d_psgd
refused "--label: expected NAME=TEXT, where NAME is 'one', 'mean over nodes' or 'averaged model', got 'x=y'" \
  "$work/one" --svg "$work/none" --label x=y
refused "--label: expected a text after 'd_psgd=', got nothing" "${mixed[@]}" --label d_psgd=
refused "--label: expected one text for 'd_psgd', got a second text, 'B'" "${mixed[@]}" --label d_psgd=A --label=d_psgd=B
unreadable="--label: expected a text in UTF-8 without control characters, got control characters or bytes that are not UTF-8 in the text of 'd_psgd'"
refused "$unreadable" "${mixed[@]}" --label $'d_psgd=\xff'
refused "$unreadable" "${mixed[@]}" --label $'d_psgd=a\x01'
refused "--label: expected a value after the option, got nothing" "${mixed[@]}" --label
refused "--axis: expected NAME=TEXT, where NAME is 'accuracy', 'averaged_model_accuracy', 'loss', 'consensus_distance', 'epoch', \
'virtual_seconds' or 'bytes_sent', got 'time=t'" "${mixed[@]}" --axis time=t
refused "--axis: expected one text for 'loss', got a second text, 'B'" "${mixed[@]}" --axis loss=A --axis loss=B
refused "--pdf: expected a path, got nothing" "${mixed[@]}" --pdf=
[ ! -e "$work/none" ] || fault "a folder of figures that were refused"

# Files of before are as they were where one of the new ones cannot be written.
mkdir -p "$work/kept/loss_by_epoch.svg"
echo before >"$work/kept/accuracy_by_epoch.svg"
there="expected a path that does not exist, or --overwrite, which replaces it, got a file"
refused "$work/kept/accuracy_by_epoch.svg: $there" "$work/one" --svg "$work/kept"
refused "$work/kept/loss_by_epoch.svg: cannot be written: Is a directory" "$work/one" --svg "$work/kept" --overwrite
refused "$work/one/no/page.html: cannot be written: No such file or directory" \
  "$work/one" --svg "$work/kept" --out "$work/one/no/page.html" --overwrite
[ "$(cat "$work/kept/accuracy_by_epoch.svg")" = before ] && [ "$(ls "$work/kept" | wc -l)" -eq 2 ] ||
  fault "files were replaced where others could not be written: $(ls "$work/kept")"
rmdir "$work/kept/loss_by_epoch.svg"
"$report" "$work/one" --svg "$work/kept" --overwrite >/dev/null && grep -q '<svg' "$work/kept/accuracy_by_epoch.svg" ||
  fault "--overwrite does not replace a figure"

# PDF, where it is built in.
# Fontconfig keeps what it has read of fonts until the process ends; other leaks are found.
echo 'leak:libfontconfig' >"$work/leaks"
export LSAN_OPTIONS="suppressions=$work/leaks:print_suppressions=0"
if ! "$report" "$work/one" --pdf "$work/pdf/one" >"$work/stdout" 2>"$work/stderr"; then
  [ "$(cat "$work/stderr")" = "gossip-report: built without librsvg, which draws PDF; install librsvg2-dev, configure and \
build again, or ask for --svg" ] && [ ! -e "$work/pdf" ] || fault "--pdf: $(cat "$work/stderr")"
  echo "no PDFs: built without librsvg"
  finish
fi
[ "$(cat "$work/stdout")" = "charts  $work/pdf/one, 9 PDF files" ] || fault "--pdf prints $(cat "$work/stdout")"
[ ! -e "$work/one/report.html" ] || fault "--pdf alone writes a page"
for runs in grid mixed long odd; do
  "$report" "$work/$runs"/* --from 1 --pdf "$work/pdf/$runs" --svg "$work/both/$runs" >/dev/null || fault "--pdf of $runs"
  [ "$(ls "$work/pdf/$runs" | wc -l)" -eq "$(ls "$work/both/$runs" | wc -l)" ] || fault "not every SVG is a PDF too"
done
sleep 1  # a date in a PDF has seconds
"$report" "$work/one" --pdf "$work/again" >/dev/null && diff -r "$work/pdf/one" "$work/again" ||
  fault "the same runs make other PDFs"
refused "$work/again/accuracy_by_epoch.pdf: $there" "$work/one" --pdf "$work/again"
command -v pdftotext >/dev/null || { echo "PDFs are not looked into: there is no pdftotext (poppler-utils)"; finish; }

for pdf in "$work"/pdf/*/*.pdf; do
  pdfinfo "$pdf" >"$work/stdout" || fault "$pdf cannot be read"
  grep -qE '^Page size: +252 x ' "$work/stdout" && grep -qE '^Pages: +1$' "$work/stdout" ||
    fault "the page of $pdf: $(cat "$work/stdout")"
  pdffonts "$pdf" >"$work/stdout"
  awk 'NR > 2 && $(NF - 4) != "yes" {lacking = 1} END {exit NR < 3 || lacking}' "$work/stdout" ||
    fault "fonts of $pdf: $(cat "$work/stdout")"
  [ "$(pdfimages -list "$pdf" | wc -l)" -eq 2 ] || fault "$pdf has pixels in it: $(pdfimages -list "$pdf")"
  pdftotext -bbox "$pdf" "${pdf%.pdf}.boxes"
done
python3 - "$work" <<'END' || fault "words of a PDF are missing or have no room"
import glob, re, sys
work = sys.argv[1]
for file in glob.glob(work + "/pdf/*/*.boxes"):
    text = open(file, encoding="utf-8").read()
    width, height = map(float, re.search(r'<page width="([0-9.]+)" height="([0-9.]+)"', text).groups())
    words = [(*map(float, found[:4]), found[4]) for found in
             re.findall(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', text)]
    assert len(words) > 10, (file, words)
    for k, (left, top, right, bottom, word) in enumerate(words):
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, (file, "cut off", word)
        for other in words[:k]:
            across, down = min(right, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
            assert across < 0.5 or down < 0.5, (file, "on each other", word, other[4])
one = re.findall(">([^<]+)</word>", open(work + "/pdf/one/accuracy_by_epoch.boxes").read())
for word in "Accuracy averaged lowest highest nodes; mean. epoch test %".split():
    assert word in one, (word, one)
END
finish
