// Draws the charts of a report from the data in the page.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const shapes = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross', 'crossRot'];
  const hidden = new Set();
  const charts = [];
  let by = 0;

  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const shapeOf = line => shapes[line.mark % shapes.length];
  const lineColor = line => color('--color' + line.color);

  // 1,234.5, but 1.2e-5.
  /** A tick's number, with as many digits as tell it from the others. */
  function distinct(value, index, ticks) {
    let digits = 4;
    while (digits < 12 && new Set(ticks.map(tick => written(tick.value, digits))).size < ticks.length) ++digits;
    return written(value, digits);
  }

  function written(value, digits) {
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e7)) return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
    return value.toLocaleString('en-US', {maximumSignificantDigits: digits});
  }

  // A mark at about every eighth part of a line, each line's elsewhere, and at all of a few points.
  function marks(count, line) {
    if (count <= 12) return 4;
    const apart = Math.ceil(count / 8);
    return Array.from({length: count}, (_, i) => i % apart === (line.color * 3 + line.dash) % apart ? 4 : 0);
  }

  /** The last point as a ring that the line does not reach. */
  function ring(last, line, drawn) {
    const radii = marks(last + 1, line);
    return {
      segment: {borderColor: context => context.p1DataIndex === last ? 'transparent' : undefined},
      pointRadius: context => context.dataIndex === last ? 4 : radii[context.dataIndex] ?? radii,
      pointBackgroundColor: context => context.dataIndex === last ? color('--raised') : drawn,
    };
  }

  /** The least and the greatest value that lines and bands have. */
  function range(chart) {
    let least = Infinity, most = -Infinity;
    for (const line of chart.lines) {
      for (const value of line.low || line.y) least = Math.min(least, value);
      for (const value of line.high || line.y) most = Math.max(most, value);
    }
    return [least, most];
  }

  function datasets(chart) {
    const axis = data.axes[by];
    const sets = [];
    const shown = chart.lines.filter(line => !hidden.has(line.series)).length;
    for (const line of chart.lines) {
      const x = line.x[axis.column].map(value => value * axis.factor);
      const points = values => x.map((value, i) => ({x: value, y: values[i] * chart.factor}));
      const joined = x.length - (line.ends_apart ? 1 : 0);
      const drawn = lineColor(line);
      const gone = hidden.has(line.series);
      sets.push({
        label: line.name, data: points(line.y), borderColor: drawn, backgroundColor: drawn, borderWidth: 2,
        borderDash: data.dashes[line.dash], pointStyle: shapeOf(line),
        pointRadius: marks(x.length, line), pointHoverRadius: 5, hidden: gone, order: 1, clip: 8,
        ...(line.ends_apart ? ring(joined, line, drawn) : {}),
      });
      if (!line.low || shown > data.most_bands) continue;
      const edge = {borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, hidden: gone, isBand: true, order: 2};
      const low = points(line.low), high = points(line.high);
      sets.push({...edge, label: line.name, data: low.slice(0, joined)});
      sets.push({...edge, label: line.name, data: high.slice(0, joined), fill: '-1', backgroundColor: drawn + '33'});
      if (line.ends_apart) sets.push({...edge, label: line.name, data: [low[joined], high[joined]], borderColor: drawn, borderWidth: 2});
    }
    return sets;
  }

  // Powers of ten, and between them where these are few.
  function logarithmicTick(value, index, ticks) {
    const power = Math.floor(Math.log10(value) + 1e-9);
    const digit = Math.round(value / 10 ** power);
    const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
    const apart = Math.max(1, Math.ceil(decades / 7));
    if (digit === 1 && power % apart === 0) return written(value, 2);
    return decades < 1.5 && (digit === 2 || digit === 5) ? written(value, 2) : '';
  }

  function options(chart) {
    const ink = color('--ink'), faint = color('--faint'), rule = color('--rule');
    const scale = title => ({
      title: {display: true, text: title, color: faint}, ticks: {color: faint, maxRotation: 0},
      grid: {color: rule, borderColor: rule, tickLength: 4},
    });
    const y = scale(chart.axis);
    y.type = chart.logarithmic ? 'logarithmic' : 'linear';
    y.grace = chart.logarithmic ? 0 : '3%';
    const [least, most] = range(chart);
    y.beginAtZero = least >= 0 && least <= 0.03 * (most - least);  // not a little below
    y.ticks.callback = chart.logarithmic ? logarithmicTick : distinct;
    if (chart.logarithmic) {
      y.ticks.autoSkip = false;
      y.grid.color = context => context.tick && context.tick.label ? rule : 'transparent';
    }
    const x = scale(data.axes[by].title);
    x.type = 'linear';
    x.min = data.axes[by].from_zero ? 0 : undefined;
    x.ticks.includeBounds = false;
    x.ticks.callback = distinct;
    const last = Math.max(...chart.lines.map(line => line.x[data.axes[by].column].at(-1)));
    x.max = last > 0 ? last * data.axes[by].factor : undefined;
    return {
      animation: false, maintainAspectRatio: false, parsing: false, normalized: true, spanGaps: true,
      interaction: {mode: 'nearest', axis: 'x', intersect: false}, color: ink, scales: {x, y},
      layout: {padding: {right: 8}},
      plugins: {
        legend: {display: false},
        tooltip: {
          filter: item => !item.dataset.isBand,
          callbacks: {
            title: items => items.length ? data.axes[by].title + ': ' + written(items[0].parsed.x, 4) : '',
            label: item => ' ' + item.dataset.label + ': ' + written(item.parsed.y, 4),
          },
        },
      },
    };
  }

  // Everything again: another axis, other colors, other lines. True of paper.
  function draw(width) {
    document.documentElement.classList.toggle('paper', width !== undefined);
    for (const [chart, drawn] of charts) {
      drawn.data.datasets = datasets(chart);
      drawn.options = options(chart);
      if (width === undefined) drawn.resize(); else drawn.resize(width, width * 0.68);
      drawn.update();
    }
  }

  for (const chart of data.charts) {
    const canvas = document.getElementById(chart.key);
    charts.push([chart, new Chart(canvas, {type: 'line', data: {datasets: datasets(chart)}, options: options(chart)})]);
  }

  document.getElementById('switches').addEventListener('change', event => {
    const input = event.target;
    if (input.name === 'by') by = Number(input.value);
    else if (input.checked) hidden.delete(Number(input.value));
    else hidden.add(Number(input.value));
    draw();
    document.body.dataset.by = data.axes[by].column;
  });
  document.getElementById('switches').addEventListener('click', event => {
    if (event.target.tagName !== 'BUTTON') return;
    for (const box of document.querySelectorAll('input[name=series]')) {
      box.checked = event.target.value === 'all';
      if (box.checked) hidden.delete(Number(box.value)); else hidden.add(Number(box.value));
    }
    draw();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw());
  addEventListener('beforeprint', () => draw(340));
  addEventListener('afterprint', () => draw());
  document.body.dataset.by = data.axes[by].column;

  // report.html#bytes_sent opens by bytes.
  const wanted = data.axes.findIndex(axis => '#' + axis.column === location.hash);
  if (wanted > 0) document.querySelector('input[name=by][value="' + wanted + '"]').click();
  document.body.dataset.drawn = charts.length;
})();
