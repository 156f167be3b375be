// Draws the networks of a report: nodes in the colors of a quantity at the moment of a slider.
(() => {
  'use strict';
  const source = document.getElementById('networks');
  if (!source) return;
  const part = name => document.getElementById('network-' + name);
  const {networks, scale} = JSON.parse(source.textContent);
  const map = part('map'), time = part('time');
  const pen = map.getContext('2d');
  const edges = document.createElement('canvas');
  let chosen, quantity, width, height, playing;

  const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const pairs = text => new Uint16Array(bytes(text).buffer);
  const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const mixed = at => {
    const k = Math.min(scale.length - 2, Math.floor(at * (scale.length - 1)));
    const share = at * (scale.length - 1) - k;
    return 'rgb(' + scale[k].map((one, of) => Math.round((1 - share) * one + share * scale[k + 1][of])) + ')';
  };
  const colors = Array.from({length: 256}, (_, code) => mixed(Math.max(0, code - 1) / 254));

  for (const network of networks) {
    network.edges = pairs(network.edges);
    network.places = pairs(network.places);
    for (const one of network.quantities) one.codes = bytes(one.codes);
  }

  const words = number => number !== 0 && Math.abs(number) < 1e-3 ? number.toExponential(2)
    : number.toLocaleString('en-US', {maximumSignificantDigits: 4});
  const read = (one, code) => code === 0 ? 'none' : words(one.low + (code - 1) / 254 * (one.high - one.low));
  const codesAt = one => one.codes.subarray(time.value * chosen.nodes, (+time.value + 1) * chosen.nodes);
  const radius = () => Math.max(1.6, Math.min(9, 0.24 * Math.min(width, height) / Math.sqrt(chosen.nodes)));

  /** Pixels of the page, from the map's corner. */
  function placeOf(i) {
    const margin = radius() + 3, side = Math.min(width, height) - 2 * margin;
    return [(width - side) / 2 + side * chosen.places[2 * i] / 65535,
      (height - side) / 2 + side * chosen.places[2 * i + 1] / 65535];
  }
  map.placeOf = placeOf;

  /** The canvas at the size that it has on the page, and the edges, which stay as they are. */
  function lay() {
    width = map.parentElement.clientWidth;
    height = map.parentElement.clientHeight;
    const dense = Math.min(3, devicePixelRatio || 1);
    for (const canvas of [map, edges]) {
      canvas.width = Math.round(width * dense);
      canvas.height = Math.round(height * dense);
    }
    map.style.width = width + 'px';
    map.style.height = height + 'px';
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    const under = edges.getContext('2d');
    under.setTransform(dense, 0, 0, dense, 0, 0);
    under.strokeStyle = ink('--faint');
    under.globalAlpha = Math.max(0.06, Math.min(0.6, 60 / Math.sqrt(chosen.edges.length + 1)));
    under.lineWidth = chosen.nodes > 300 ? 0.6 : 1;
    under.beginPath();
    for (let k = 0; k < chosen.edges.length; k += 2) {
      under.moveTo(...placeOf(chosen.edges[k]));
      under.lineTo(...placeOf(chosen.edges[k + 1]));
    }
    under.stroke();
  }

  /** Nodes of one color are one path. */
  function draw() {
    const codes = codesAt(quantity), r = radius(), of = Array.from({length: 256}, () => []);
    codes.forEach((code, i) => of[code].push(i));
    pen.clearRect(0, 0, width, height);
    pen.drawImage(edges, 0, 0, width, height);
    pen.strokeStyle = ink('--ink');
    pen.lineWidth = 0.6;
    of.forEach((nodes, code) => {
      if (nodes.length === 0) return;
      pen.beginPath();
      for (const i of nodes) {
        const [x, y] = placeOf(i);
        pen.moveTo(x + r, y);
        pen.arc(x, y, r, 0, 2 * Math.PI);
      }
      pen.fillStyle = code === 0 ? ink('--raised') : colors[code];
      pen.fill();
      if (r > 2.5 || code === 0) pen.stroke();
    });
    const [epoch, seconds, sent] = chosen.moments[time.value];
    part('moment').textContent = 'epoch ' + words(epoch) + ', ' + words(seconds) + ' s of virtual time, ' +
      words(sent / 1e6) + ' MB sent';
    document.body.dataset.moment = time.value;
  }

  function choose(index) {
    chosen = networks[index];
    time.max = chosen.moments.length - 1;
    time.value = time.max;
    const select = part('quantity'), before = select.value;
    select.replaceChildren(...chosen.quantities.map(one => new Option(one.name.replaceAll('_', ' '), one.name)));
    if (chosen.quantities.some(one => one.name === before)) select.value = before;
    part('notes').textContent = chosen.notes;
    color();
  }

  function color() {
    quantity = chosen.quantities.find(one => one.name === part('quantity').value);
    part('low').textContent = words(quantity.low);
    part('high').textContent = words(quantity.high);
    lay();
    draw();
  }

  function play(on) {
    clearInterval(playing);
    playing = undefined;
    part('play').textContent = on ? 'stop' : 'play';
    if (!on) return;
    if (time.value === time.max) time.value = 0;
    playing = setInterval(() => {
      time.value = +time.value + 1;
      draw();
      if (time.value === time.max) play(false);
    }, 120);
  }

  function point(event) {
    const box = map.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let nearest = -1, least = 16;
    for (let i = 0; i < chosen.nodes; ++i) {
      const at = placeOf(i), distance = Math.hypot(at[0] - x, at[1] - y);
      if (distance < least) [nearest, least] = [i, distance];
    }
    if (nearest >= 0)
      part('node').textContent = 'node ' + nearest + ': ' + chosen.quantities
        .map(one => one.name.replaceAll('_', ' ') + ' ' + read(one, codesAt(one)[nearest])).join(', ');
  }

  part('scale').style.background = 'linear-gradient(to right, ' + scale.map(one => 'rgb(' + one + ')') + ')';
  part('run').parentElement.hidden = networks.length === 1;
  part('run').addEventListener('change', () => choose(part('run').value));
  part('quantity').addEventListener('change', color);
  part('play').addEventListener('click', () => play(playing === undefined));
  time.addEventListener('input', () => { play(false); draw(); });
  map.addEventListener('pointermove', point);
  map.addEventListener('pointerdown', point);
  const again = () => { lay(); draw(); };
  addEventListener('resize', again);
  addEventListener('beforeprint', again);
  addEventListener('afterprint', again);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  choose(0);
})();
