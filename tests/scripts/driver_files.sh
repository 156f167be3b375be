#!/usr/bin/env bash
# Configuration files and graphs that cannot be used, and arguments that are none: one sentence,
# exit status 2.
. "$(dirname "$0")/driver.bash"
cd "$work" || exit 1

# file <content> <sentence after the name>
file() {
  printf '%b' "$1" >config.json
  expect 2 "config.json: $2" --config config.json
}

file '{"seed": 1,\n "topology": {"kind": "ring",}}' \
  "line 2, column 30: this is not JSON: unexpected '}'; expected string literal"
file '' "line 1, column 1: this is not JSON: unexpected end of input; expected '[', '{', or a literal"
file '{"seed": 1' "line 1, column 11: this is not JSON: unexpected end of input; expected '}'"
file '{} x' "line 1, column 4: this is not JSON: invalid literal; last read: '{} x'; expected end of input"
file '{"batch": 1e999}' "this is not JSON: number overflow parsing '1e999'"
file '[1]' "expected an object, got array"
file '{"seed": 1, "seed": 2}' 'expected each key once in an object, got "seed" twice'
file '{"topology": {"nodes": 9, "degree": 3}}' \
  "/topology/degree: 9 nodes of degree 3 do not exist (the product must be even)"
file '{"optimizer": {"kind": "sgd", "momentun": 0.9}}' \
  "/optimizer/momentun: unknown key; sgd has kind, rate, momentum, nesterov, weight_decay and schedule; did you mean momentum?"
file '{"topology": {"kind": "edge_list"}}' \
  "/topology/path: expected text (path of the file, gzipped or not), got nothing"
rm config.json
expect 2 "config.json: cannot be read: No such file or directory" --config config.json
expect 2 ".: expected a JSON file, got a folder" --config .
head -c 2000000 /dev/zero >huge.json
expect 2 "huge.json: expected at most 1048576 bytes, got more" --config huge.json

expect 2 "gossip-simulate: unknown argument '--confg'; did you mean --config?; --help lists them" \
  --confg x
expect 2 "gossip-simulate: unknown argument 'run'; --help lists them" run
expect 2 "--config: expected a value after the option, got nothing" --config
expect 2 "--out: expected a path, got nothing" --out=
expect 2 "--quiet: expected no value, got '--quiet=no'" --quiet=no
expect 2 "--set seed=1: expected /json/pointer=value, such as /topology/nodes=16, got no / at the start" \
  --set seed=1
expect 2 "--set /seed: expected /json/pointer=value, such as /topology/nodes=16, got no =" --set /seed
expect 2 "--set /a~2=1: not a JSON pointer: escape character '~' must be followed with '0' or '1'" \
  --set /a~2=1
expect 2 "--set /clock/slow/7/node=1: expected a pointer to a field, got '7' in []" \
  --set /clock/slow=[] --set /clock/slow/7/node=1
expect 2 "--resume --out x: expected a folder with the sweep.json of an earlier sweep or the config.json of an earlier run, got none" \
  --resume --set /seed=3 --out x

# Graphs that come from a file.
printf '0 1\n1 2\n3 4\n' >graph.txt
graph=(--set /topology/kind=edge_list --set /topology/path=graph.txt)
expect 2 "graph.txt: the graph has 2 components (the largest has 3 of 5 nodes); set allow_disconnected or largest_component" \
  "${graph[@]}"
for allowed in allow_disconnected largest_component; do
  "$simulate" --dry-run "${graph[@]}" --set /topology/$allowed=true >stdout ||
    fault "$allowed does not allow a disconnected graph"
done
grep -q '^nodes  *3$' stdout || fault "largest_component keeps other than 3 nodes: $(head -1 stdout)"
printf '0 1\n1 two\n' >graph.txt
expect 2 "graph.txt:2: expected two node numbers below 2^64, got '1 two'" "${graph[@]}"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n' >graph.txt
"$simulate" --dry-run "${graph[@]}" | grep -q '^edges  *2$' ||
  fault "a Matrix Market file is not known by its content"

printf '<graphml><graph edgedefault="undirected">\n<node id="a"/><node id="b"/>\n' >graph.txt
printf '<edge source="a" target="b"/></graph></graphml>\n' >>graph.txt
for kind in edge_list graphml; do
  "$simulate" --dry-run --set /topology/kind=$kind --set /topology/path=graph.txt | grep -q '^edges  *1$' ||
    fault "a GraphML file as $kind"
done
sed -i 's/target="b"/target="c"/' graph.txt
expect 2 "graph.txt:3: expected the id of a node, got 'c'" "${graph[@]}"

# No node, one, two.
for kind in ring complete star; do
  for nodes in 1 2; do
    "$simulate" "${tiny[@]}" --set /topology='{"kind":"'$kind'","nodes":'$nodes'}' --set /model=mlp \
      >stdout 2>&1 || fault "$kind of $nodes: $(cat stdout)"
  done
done
expect 2 "--set: /topology/nodes: expected a whole number from 1 to 4294967295, got 0" \
  --set /topology/nodes=0

# Too few samples, and networks beyond this machine: refused before anything is built.
expect 2 "--set: /data/split: expected at least one sample for each of 8001 nodes, got 8000 samples" \
  --set /topology='{"kind":"ring","nodes":8001}' --set /data/split=iid --set /model=softmax_regression
"$simulate" --set /topology='{"kind":"ring","nodes":100000000}' >stdout 2>stderr
[ $? -eq 1 ] || fault "100 million nodes: exit status"
grep -qE '^memory: the run needs [0-9.]+ GB .*, available are [0-9.]+ GB$' stderr ||
  fault "100 million nodes: $(cat stderr)"
[ "$(wc -l <stderr)" -eq 1 ] && [ ! -s stdout ] || fault "100 million nodes: more than a sentence"
finish
