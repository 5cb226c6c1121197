// Layers from left to right, as wide as their time; above them the modules they stand in. It reads as
// a timeline and as a flame graph. Drawn on a canvas: an engine has up to some 100,000 layers.
const LAYER_HEIGHT = 34;
const MODULE_HEIGHT = 17;
const MARK_HEIGHT = 7;
const MODULE_ROWS = 4;
const LEAST_COVERED = 0.2;  // of the time, by the modules of a row
const TEXT_ROOM = 26;    // px that a text needs at least
const ORDERS = {
  order: 'Execution order', size: 'Slowest first', module: 'By module',
};

class Strip {
  // `engine`: see report/formats/html/engine.cc; `label`: of a layer; `choose`: what a click on one
  // does; `chooseModule`: on a module; `whole`: ms that fill the width, at least those of the layers.
  constructor(host, engine, label, choose, chooseModule, whole) {
    this.host = host;
    this.choose = choose;
    this.chooseModule = chooseModule;
    this.timed = engine.ms.some((ms) => ms > 0);
    this.size = this.timed ? engine.ms : engine.ms.map(() => 1);  // of each layer
    this.whole = whole || 0;
    this.chosen = -1;   // a layer
    this.twin = null;   // shows the same part
    this.engine = engine;
    this.label = label;
    this.from = 0;      // what is shown, of 0 to 1
    this.to = 1;
    this.marked = [];   // layers of the finding that is selected
    this.order = 'order';
    this.paths = engine.module.words.map((path) => (path ? path.split('.') : []));
    this.build();
    this.arrange();
  }

  build() {
    this.canvas = element('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'slider');
    this.canvas.setAttribute('aria-label', 'Layer, in the order of execution');
    this.canvas.setAttribute('aria-valuemin', '0');
    this.canvas.setAttribute('aria-valuemax', String(Math.max(0, this.engine.ms.length - 1)));
    const tools = element('div', 'strip-tools');
    const select = element('select');
    select.setAttribute('aria-label', 'Order of the layers in the strip');
    Object.keys(ORDERS).forEach((name) => {
      const option = element('option', '', ORDERS[name]);
      option.value = name;
      select.appendChild(option);
    });
    select.addEventListener('change', () => { this.order = select.value; this.arrange(); });
    this.said = element('p', 'said');
    tools.append(select, button('+', () => this.zoom(0.5), 'Zoom in'), button('−', () => this.zoom(2), 'Zoom out'),
      button('Whole', () => this.show(0, 1)));
    const still = this.host.querySelector('svg');
    still.replaceWith(this.canvas);
    this.host.querySelector('figcaption').appendChild(tools);
    this.canvas.after(this.said);
    this.listen();
  }

  listen() {
    this.canvas.addEventListener('click', (event) => {
      const hit = this.at(event);
      if (hit.layer >= 0) this.choose(hit.layer);
      if (hit.block) this.chooseModule(hit.block);
    });
    this.canvas.addEventListener('dblclick', (event) => {
      const {block} = this.at(event);
      if (block) this.show(block.from, block.to);
    });
    this.canvas.addEventListener('mousemove', (event) => this.say(this.at(event)));
    this.canvas.addEventListener('mouseleave', () => this.say({layer: this.chosen}));
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) < Math.abs(event.deltaY)) return;
      event.preventDefault();
      if (event.ctrlKey) this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.fraction(event));
      else this.show(this.from + (event.deltaX || event.deltaY) / 1000 * (this.to - this.from), null);
    }, {passive: false});
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    const again = () => this.draw();
    window.addEventListener('resize', again);
    window.addEventListener('afterprint', again);
    window.addEventListener('beforeprint', () => this.draw(true));
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  }

  // Places of the layers, and the blocks of the modules above them.
  arrange() {
    const {module} = this.engine;
    const ms = this.size;
    const timed = ms.map((_, i) => i).filter((i) => ms[i] > 0);
    if (this.order === 'size') timed.sort((a, b) => ms[b] - ms[a]);
    if (this.order === 'module') this.byModule(timed);
    this.own = timed.reduce((sum, i) => sum + ms[i], 0) || 1;
    this.sum = Math.max(this.whole, this.own);
    this.layers = timed;
    this.edges = new Float64Array(timed.length + 1);
    this.placeOf = new Map();
    timed.forEach((i, k) => {
      this.edges[k + 1] = this.edges[k] + ms[i] / this.sum;
      this.placeOf.set(i, k);
    });
    this.rows = [];
    const deepest = this.order === 'size' ? 0 : MODULE_ROWS;
    for (let depth = 0; depth < deepest; ++depth) {
      const blocks = [];
      timed.forEach((i, k) => {
        const path = this.paths[module.word[i]];
        if (path.length <= depth) return;
        const name = path.slice(0, depth + 1).join('.');
        const last = blocks[blocks.length - 1];
        if (last && last.name === name && last.end === k) {
          last.end = k + 1;
          last.to = this.edges[k + 1];
        } else {
          blocks.push({name, text: path[depth], from: this.edges[k], to: this.edges[k + 1], end: k + 1});
        }
      });
      const covered = blocks.reduce((sum, block) => sum + block.to - block.from, 0);
      if (covered >= LEAST_COVERED) this.rows.push(blocks);
    }
    this.show(0, 1);
  }

  // Modules by their time, the layers in one by their order.
  byModule(layers) {
    const {module} = this.engine;
    const ms = this.size;
    const times = new Map();
    const keys = this.paths.map((path) => path.map((_, d) => path.slice(0, d + 1).join('.')));
    layers.forEach((i) => keys[module.word[i]].forEach((key) => times.set(key, (times.get(key) || 0) + ms[i])));
    layers.sort((a, b) => {
      const x = keys[module.word[a]], y = keys[module.word[b]];
      for (let d = 0; d < Math.max(x.length, y.length); ++d) {
        if (x[d] === y[d]) continue;
        if (x[d] === undefined || y[d] === undefined) return x[d] === undefined ? 1 : -1;
        return times.get(y[d]) - times.get(x[d]) || (x[d] < y[d] ? -1 : 1);
      }
      return a - b;
    });
  }

  // `to` null: as wide as it is.
  show(from, to) {
    const width = Math.min(1, Math.max(1e-5, to === null ? this.to - this.from : to - from));
    this.from = Math.min(1 - width, Math.max(0, from));
    this.to = this.from + width;
    this.draw();
    if (this.twin && (this.twin.from !== this.from || this.twin.to !== this.to)) this.twin.show(this.from, this.to);
  }

  // `layer` -1: none; `what`: the marked layers are.
  mark(layer, marked, what) {
    this.chosen = layer;
    this.marked = marked;
    const legend = this.host.querySelector('.marked');
    if (legend) {
      legend.hidden = !marked.some((i) => this.placeOf.has(i));
      legend.textContent = what;
    }
    this.reveal();
    this.draw();
  }

  zoom(factor, around) {
    const place = this.placeOf.get(this.chosen);
    const middle = around !== undefined ? around :
      place !== undefined ? (this.edges[place] + this.edges[place + 1]) / 2 : (this.from + this.to) / 2;
    this.show(middle - (middle - this.from) * factor, middle + (this.to - middle) * factor);
  }

  // The selected layer comes into sight.
  reveal() {
    const place = this.placeOf.get(this.chosen);
    if (place === undefined) return;
    const middle = (this.edges[place] + this.edges[place + 1]) / 2;
    if (middle < this.from || middle > this.to) this.show(middle - (this.to - this.from) / 2, null);
  }

  fraction(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.from + (event.clientX - box.left) / box.width * (this.to - this.from);
  }

  // Number of the layer at a fraction of the time.
  layerAt(fraction) {
    let low = 0, high = this.layers.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.edges[middle] <= fraction) low = middle; else high = middle;
    }
    return low < this.layers.length && fraction < this.edges[low + 1] ? this.layers[low] : -1;
  }

  at(event) {
    const x = this.fraction(event);
    const row = Math.floor((event.clientY - this.canvas.getBoundingClientRect().top) / MODULE_HEIGHT);
    const block = row < this.rows.length ? this.rows[row].find((b) => b.from <= x && x < b.to) : null;
    return block ? {layer: -1, block} : {layer: this.layerAt(x)};
  }

  say(hit) {
    const {ms, kind} = this.engine;
    // Of the time of these layers: those of another strip may fill more of the width.
    const time = (of) => (this.timed ? of.toPrecision(3) + ' ms · ' + shareText(of / this.own) : '');
    if (hit.block) {
      const {name, from, to} = hit.block;
      this.said.textContent = [name, time((to - from) * this.sum)].filter(Boolean).join(' · ');
    } else if (hit.layer >= 0) {
      this.said.textContent = ['#' + hit.layer + ' ' + this.label(hit.layer), time(ms[hit.layer]),
        kind.words[kind.word[hit.layer]]].filter(Boolean).join(' · ');
    } else {
      this.said.textContent = '';
    }
  }

  colours(onPaper) {
    const style = getComputedStyle(this.host);
    const of = (name) => style.getPropertyValue(name).trim();
    const colours = {page: of('--surface'), text: of('--text'), dim: of('--dim'), track: of('--track'), mark: of('--major'),
      focus: of('--focus')};
    if (onPaper) Object.assign(colours, {page: '#fff', text: '#000', dim: '#444', track: '#e9ecf0'});
    colours.kinds = this.engine.kind.words.map((kind) => of('--' + kindClass(kind)));
    return colours;
  }

  draw(onPaper) {
    const ratio = onPaper ? 3 : window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth || 1000;
    const height = this.rows.length * MODULE_HEIGHT + LAYER_HEIGHT + MARK_HEIGHT;
    this.canvas.style.height = height + 'px';
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.textBaseline = 'middle';
    pen.font = '11px system-ui, sans-serif';
    const colours = this.colours(onPaper);
    const x = (fraction) => (fraction - this.from) / (this.to - this.from) * width;
    this.rows.forEach((blocks, depth) => this.drawModules(pen, blocks, depth * MODULE_HEIGHT, x, width, colours));
    this.drawLayers(pen, this.rows.length * MODULE_HEIGHT, x, width, colours);
    this.drawMarks(pen, height - MARK_HEIGHT + 2, x, width, colours);
    this.tell();
  }

  tell() {
    const layer = this.chosen;
    this.canvas.setAttribute('aria-valuenow', String(Math.max(0, layer)));
    this.canvas.setAttribute('aria-valuetext', layer >= 0 ? 'layer ' + layer + ', ' + this.label(layer) : 'none');
    this.say({layer});
  }

  drawModules(pen, blocks, top, x, width, colours) {
    blocks.forEach((block) => {
      const left = Math.max(0, x(block.from)), right = Math.min(width, x(block.to));
      if (right - left < 1) return;
      pen.fillStyle = colours.track;
      pen.fillRect(left, top, right - left - 1, MODULE_HEIGHT - 1);
      pen.fillStyle = colours.text;
      const text = right - left < TEXT_ROOM ? '' : fitted(pen, block.text, right - left - 6);
      if (text) pen.fillText(text, left + 4, top + MODULE_HEIGHT / 2);
    });
  }

  // Layers within one pixel are one: that of the longest.
  drawLayers(pen, top, x, width, colours) {
    const {kind} = this.engine;
    let pixel = -1, longest = 0;
    for (let k = 0; k < this.layers.length; ++k) {
      const left = x(this.edges[k]), right = x(this.edges[k + 1]);
      if (right < 0) continue;
      if (left > width) break;
      const i = this.layers[k];
      if (right - left < 1) {
        if (Math.floor(left) === pixel && right - left <= longest) continue;
        pixel = Math.floor(left);
        longest = right - left;
      }
      this.drawLayer(pen, i, Math.max(-2, left), Math.min(width + 2, right), top, colours.kinds[kind.word[i]], colours);
    }
  }

  drawLayer(pen, i, left, right, top, colour, colours) {
    const {kind} = this.engine;
    const gap = right - left > 3 ? 1 : 0;
    const room = Math.max(1, right - left - gap);
    const word = kind.words[kind.word[i]];
    pen.fillStyle = colour;
    pen.fillRect(left, top, room, LAYER_HEIGHT);
    if (hatchOf(word) && room > 2) this.hatch(pen, left, top, room, colours.page, hatchOf(word));
    if (i === this.chosen) {
      pen.strokeStyle = colours.text;
      pen.lineWidth = 3;
      pen.strokeRect(left + 1, top + 1.5, Math.max(2, room - 2), LAYER_HEIGHT - 3);
    }
    const text = room < TEXT_ROOM ? '' : fitted(pen, this.label(i), room - 6);
    if (!text) return;
    pen.fillStyle = '#fff';
    pen.save();
    pen.shadowColor = 'rgba(0, 0, 0, 0.9)';
    pen.shadowBlur = 3;
    pen.fillText(text, left + 4, top + LAYER_HEIGHT / 2);
    pen.restore();
  }

  hatch(pen, left, top, width, colour, rise) {
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, LAYER_HEIGHT);
    pen.clip();
    pen.strokeStyle = colour;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.65;
    pen.beginPath();
    for (let at = left - LAYER_HEIGHT; at < left + width; at += 6) {
      pen.moveTo(at, rise > 0 ? top + LAYER_HEIGHT : top);
      pen.lineTo(at + LAYER_HEIGHT, rise > 0 ? top : top + LAYER_HEIGHT);
    }
    pen.stroke();
    pen.restore();
  }

  drawMarks(pen, top, x, width, colours) {
    pen.fillStyle = colours.mark;
    this.marked.forEach((i) => {
      const place = this.placeOf.get(i);
      if (place === undefined) return;
      const left = x(this.edges[place]), right = x(this.edges[place + 1]);
      if (right < 0 || left > width) return;
      pen.fillRect(left, top, Math.max(1, right - left - 0.5), MARK_HEIGHT - 3);
    });
  }

  key(event) {
    const place = this.placeOf.get(this.chosen);
    const to = (k) => this.choose(this.layers[Math.max(0, Math.min(this.layers.length - 1, k))]);
    const actions = {
      ArrowRight: () => to(place === undefined ? 0 : place + 1),
      ArrowLeft: () => to(place === undefined ? 0 : place - 1),
      Home: () => to(0), End: () => to(this.layers.length - 1),
      '+': () => this.zoom(0.5), '-': () => this.zoom(2), '0': () => this.show(0, 1),
    };
    if (!Object.prototype.hasOwnProperty.call(actions, event.key) || !this.layers.length) return;
    event.preventDefault();
    actions[event.key]();
  }
}
