// What the parts of the page share: elements, data, and the one selection that all of them show.
const SVG = 'http://www.w3.org/2000/svg';

// Text of the input reaches the page through textContent only.
function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function drawing(tag, attributes) {
  const e = document.createElementNS(SVG, tag);
  Object.keys(attributes || {}).forEach((name) => e.setAttribute(name, attributes[name]));
  return e;
}

function button(text, action, label) {
  const e = element('button', '', text);
  e.type = 'button';
  if (label) e.setAttribute('aria-label', label);
  e.addEventListener('click', action);
  return e;
}

// The text, or its beginning and "…" where it is wider than `room` px; `pen`: of a canvas, with the
// font of the text.
function fitted(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let low = 0, high = text.length;  // letters that fit, and that do not
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (pen.measureText(text.slice(0, middle) + '…').width <= room) low = middle; else high = middle;
  }
  return low ? text.slice(0, low) + '…' : '';
}

// Rejects where the browser lets no page copy.
function copyText(text) {
  const byHand = () => {
    const area = element('textarea');
    area.value = text;
    document.body.appendChild(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied ? Promise.resolve() : Promise.reject(new Error('not copied'));
  };
  return navigator.clipboard ? navigator.clipboard.writeText(text).catch(byHand) : byHand();
}

function count(n, one) { return n + ' ' + one + (n === 1 ? '' : 's'); }
function shareText(part) { return (100 * part).toFixed(part < 0.0995 ? 1 : 0) + ' %'; }

// What packed data leave out: see report/formats/html/packed.h, grid.cc and engine.cc.
function unfold(data) {
  [...(data.columns || []), ...Object.values(data)].forEach((part) => {
    if (!part || !(part.word || part.kind)) return;
    if (!part.words) Object.assign(part, {words: part.value.map(String), word: part.value.map(() => 0)});
    let next = 0;
    part.word = part.word.map((k) => (k ? k - 1 : next++));
  });
  (data.to || []).forEach((step, edge, to) => {
    to[edge] = step + (edge ? to[edge - 1] : 0);
    data.from[edge] = to[edge] - data.from[edge];
  });
  return data;
}

// Data of the page: see report/formats/html/packed.h.
function unpacked(name) {
  const script = document.querySelector('script[data-packed="' + name + '"]');
  if (!script) return Promise.resolve(null);
  const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(json).json().then(unfold);
}

// The class of a word that has a colour.
const KIND_CLASSES = {'FP32': 'p-fp32', 'TF32': 'p-tf32', 'FP16': 'p-fp16', 'BF16': 'p-bf16',
  'FP8': 'p-fp8', 'INT8': 'p-int8', 'INT4': 'p-int4', 'FP4': 'p-fp4', 'mixed': 'p-mixed',
  'INT32': 'p-int32', 'INT64': 'p-int64', 'BOOL': 'p-bool', 'none': 'p-none',
  'no arithmetic': 'p-none', 'Q/DQ': 'p-qdq', 'reformat': 'p-reformat', 'unknown': 'p-unknown'};

function kindClass(kind) {
  return Object.prototype.hasOwnProperty.call(KIND_CLASSES, kind) ? KIND_CLASSES[kind] : 'p-unknown';
}
function isConversion(kind) { return kind === 'Q/DQ' || kind === 'reformat'; }
// Lines over the colour: 1 rise, -1 fall, 0 none. Also in report.css.
function hatchOf(kind) { return isConversion(kind) ? 1 : kindClass(kind) === 'p-unknown' ? -1 : 0; }

// An address may be anything.
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return ''; }
}

// One selection for all views, and in the address: #layer=2&finding=1&tab=tab-time,
// of a module its path: #module=layer1.0, of a drawing the row that a piece stands for:
// #piece=stages-1, or of a comparison the row of a table: #group=0-3, or a step of the way from the
// base to the candidate: #part=0-1, of the first comparison.
const selection = {
  layer: -1, finding: 0, module: '', group: '', part: '', piece: '', tab: '', listeners: [],

  choose(change) {
    const changed = Object.keys(change).filter((name) => this[name] !== change[name]);
    if (!changed.length) return;
    changed.forEach((name) => { this[name] = change[name]; });
    this.listeners.forEach((listener) => listener(changed));
    const parts = [];
    if (this.layer >= 0) parts.push('layer=' + this.layer);
    if (this.finding) parts.push('finding=' + this.finding);
    if (this.module) parts.push('module=' + encodeURIComponent(this.module));
    if (this.group) parts.push('group=' + this.group);
    if (this.part) parts.push('part=' + this.part);
    if (this.piece) parts.push('piece=' + this.piece);
    if (this.tab) parts.push('tab=' + this.tab);
    history.replaceState(null, '', parts.length ? '#' + parts.join('&') : location.pathname + location.search);
  },
  onChange(listener) { this.listeners.push(listener); },

  // What the address asks for; null: it names a place of the page.
  ofAddress(hash) {
    const found = {};
    let known = false;
    hash.slice(1).split('&').forEach((part) => {
      const match = /^(layer|finding)=(\d+)$|^(group|part|piece|tab)=([\w-]+)$|^(module)=([^&]+)$/.exec(part);
      if (!match) return;
      known = true;
      const [, numbered, number, named, name, , module] = match;
      if (numbered) found[numbered] = Number(number);
      else if (named) found[named] = name;
      else found.module = decoded(module);
    });
    return known ? found : null;
  },
};
