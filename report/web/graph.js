// The layers around one: a few steps up and down, from the coordinates that the report has.
const NODE_WIDTH = 190;
const NODE_HEIGHT = 36;
const NODE_GAP = 24;
const RANK_HEIGHT = 62;
const MOST_NODES = 60;
const LEAST_SCALE = 0.7;  // smaller texts are not read: the box scrolls
const TEXT_INSIDE = NODE_WIDTH - 20;
const TEXT_BESIDE = 128; // px, beside what passes nodes

// "Thirty-two wide channel vectorized row major Int8 format" as TensorRT's enumeration has it: CHW32.
const shortLayout = (format) => {
  const wide = /^(Two|Four|Sixteen|Thirty-two) wide channel/.exec(format);
  if (wide) return 'CHW' + {Two: 2, Four: 4, Sixteen: 16, 'Thirty-two': 32}[wide[1]];
  const major = /^Channel major .* channel % (\d+) == 0/.exec(format);
  if (major) return 'HWC' + (major[1] > 1 ? major[1] : '');
  return /^(Row major )?linear\b|^Row major /i.test(format) ? 'linear' : format;
};

class Neighbourhood {
  constructor(engine, label) {
    this.engine = engine;
    this.label = label;
    this.pen = element('canvas').getContext('2d');
    this.pen.font = '11px ' + getComputedStyle(document.body).fontFamily;
    this.cut = false;         // more layers are near than are drawn
    this.before = new Map();  // layer -> edges
    this.after = new Map();
    const put = (map, layer, edge) => {
      if (!map.has(layer)) map.set(layer, []);
      map.get(layer).push(edge);
    };
    engine.from.forEach((from, edge) => {
      put(this.after, from, edge);
      put(this.before, engine.to[edge], edge);
    });
  }

  // Layers at most `steps` edges up or down, the nearest first.
  around(layer, steps) {
    const found = new Set([layer]);
    this.cut = false;
    [[this.before, this.engine.from], [this.after, this.engine.to]].forEach(([edges, end]) => {
      let border = [layer];
      for (let step = 0; step < steps; ++step) {
        const next = [];
        border.forEach((i) => (edges.get(i) || []).forEach((edge) => {
          if (found.has(end[edge])) return;
          this.cut = this.cut || found.size >= MOST_NODES;
          if (found.size >= MOST_NODES) return;
          found.add(end[edge]);
          next.push(end[edge]);
        }));
        border = next;
      }
    });
    return found;
  }

  // Ranks that no shown layer has take no room.
  places(layers) {
    const {rank, place} = this.engine;
    const ranks = [...new Set([...layers].map((i) => rank[i]))].sort((a, b) => a - b);
    const at = new Map();
    let widest = 1;
    ranks.forEach((r, row) => {
      const members = [...layers].filter((i) => rank[i] === r).sort((a, b) => place[a] - place[b] || a - b);
      widest = Math.max(widest, members.length);
      members.forEach((i, k) => at.set(i, {column: k - (members.length - 1) / 2, row}));
    });
    at.forEach((p) => {
      p.x = p.column * (NODE_WIDTH + NODE_GAP);
      p.y = 8 + p.row * RANK_HEIGHT;
    });
    const half = widest * (NODE_WIDTH + NODE_GAP) / 2;
    return {at, left: -half, right: half, height: 16 + (ranks.length - 1) * RANK_HEIGHT + NODE_HEIGHT};
  }

  draw(layer, steps) {
    const layers = this.around(layer, steps);
    const {at, left, right, height} = this.places(layers);
    this.right = right;  // texts beside edges may stand farther out
    const svg = drawing('svg', {role: 'group', 'aria-label': 'Layers around ' + this.label(layer)});
    const texts = drawing('g', {'class': 'edge'});  // over all lines
    layers.forEach((to) => (this.before.get(to) || []).forEach((edge) => {
      const from = this.engine.from[edge];
      if (layers.has(from)) svg.appendChild(this.edge(edge, at.get(from), at.get(to), texts));
    }));
    svg.appendChild(texts);
    layers.forEach((i) => svg.appendChild(this.node(i, at.get(i), i === layer)));
    svg.setAttribute('viewBox', [left, 0, this.right - left, height].join(' '));
    return svg;
  }

  // All of it in the box where texts stay large enough to be read, else the chosen layer in its middle.
  static fit(svg, box) {
    const {width, height} = svg.viewBox.baseVal;
    const scale = Math.min(1, Math.max(LEAST_SCALE, Math.min(box.clientWidth / width, box.clientHeight / height)));
    svg.setAttribute('width', width * scale);
    svg.setAttribute('height', height * scale);
    const around = box.getBoundingClientRect();
    const chosen = svg.querySelector('.chosen').getBoundingClientRect();
    box.scrollTop += (chosen.top + chosen.bottom - around.top - around.bottom) / 2;
    box.scrollLeft += (chosen.left + chosen.right - around.left - around.right) / 2;
  }

  edge(edge, from, to, texts) {
    const {tensor, format} = this.engine;
    const group = drawing('g', {'class': 'edge'});
    const down = to.row > from.row;
    const y1 = from.y + (down ? NODE_HEIGHT : NODE_HEIGHT / 2), y2 = to.y + (down ? 0 : NODE_HEIGHT / 2);
    const passes = to.row - from.row !== 1;  // what stands between
    const x = Math.max(from.x, to.x) + NODE_WIDTH / 2 + 60;
    const d = passes && down ? `M${from.x + 70},${y1} C${x},${y1 + 30} ${x},${y2 - 30} ${to.x + 70},${y2}` :
      down ? `M${from.x},${y1} C${from.x},${y1 + 24} ${to.x},${y2 - 24} ${to.x},${y2}` :
        `M${from.x + NODE_WIDTH / 2},${y1} C${x},${y1} ${x},${y2} ${to.x + NODE_WIDTH / 2},${y2}`;
    group.appendChild(drawing('path', {d}));
    const shape = tensor.words[tensor.word[edge]], layout = format.words[format.word[edge]];
    const title = drawing('title');
    title.textContent = shape + (layout ? ', ' + layout : '');
    group.appendChild(title);
    // Beside the middle of the line, where a curve that passes nodes is farthest out.
    const middle = passes && down ? (from.x + to.x + 140) / 8 + 0.75 * x + 5 :
      passes ? 0.75 * x + (from.x + to.x + NODE_WIDTH) / 8 + 5 : (from.x + to.x) / 2 + 6;
    const room = passes ? TEXT_BESIDE : TEXT_INSIDE;
    [[shape, -2], [shortLayout(layout), 9]].forEach(([text, below]) => {
      const words = this.words(text, middle, (y1 + y2) / 2 + below, room);
      texts.appendChild(words);
      this.right = Math.max(this.right, middle + this.pen.measureText(words.textContent).width + 4);
    });
    return group;
  }

  words(text, x, y, room) {
    const e = drawing('text', {x, y});
    e.textContent = fitted(this.pen, text, room);
    return e;
  }

  node(i, p, chosen) {
    const {ms, kind} = this.engine;
    const word = kind.words[kind.word[i]];
    const group = drawing('g', {'class': 'node' + (chosen ? ' chosen' : '') + (isConversion(word) ? ' conversion' : ''),
      tabindex: '0', role: 'button', 'data-layer': i});
    const left = p.x - NODE_WIDTH / 2;
    const title = drawing('title');
    title.textContent = '#' + i + ' ' + this.label(i);
    group.appendChild(title);
    group.appendChild(drawing('rect', {x: left, y: p.y, width: NODE_WIDTH, height: NODE_HEIGHT, rx: 4}));
    group.appendChild(drawing('rect', {x: left, y: p.y, width: 6, height: NODE_HEIGHT, 'class': kindClass(word)}));
    group.appendChild(this.words('#' + i + ' ' + this.label(i), left + 12, p.y + 15, TEXT_INSIDE));
    group.appendChild(document.createTextNode(' '));  // between the words of its accessible name
    group.appendChild(this.words((ms[i] > 0 ? ms[i].toPrecision(3) + ' ms · ' : '') + word, left + 12, p.y + 29, TEXT_INSIDE));
    const choose = () => selection.choose({layer: i});
    group.addEventListener('click', choose);
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
    return group;
  }
}
