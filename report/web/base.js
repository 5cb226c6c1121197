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

// Data of the page: see report/formats/html/packed.h.
function unpacked(name) {
  const script = document.querySelector('script[data-packed="' + name + '"]');
  if (!script) return Promise.resolve(null);
  const bytes = Uint8Array.from(atob(script.textContent), (c) => c.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(json).json();
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

// One selection for all views, and in the address: #layer=2&finding=1&tab=tab-time,
// of a drawing the row that a piece stands for: #piece=stages-1, or of a comparison the row of a
// table: #group=0-3.
const selection = {
  layer: -1, finding: 0, group: '', piece: '', tab: '', listeners: [],

  choose(change) {
    const changed = Object.keys(change).filter((name) => this[name] !== change[name]);
    if (!changed.length) return;
    changed.forEach((name) => { this[name] = change[name]; });
    this.listeners.forEach((listener) => listener(changed));
    const parts = [];
    if (this.layer >= 0) parts.push('layer=' + this.layer);
    if (this.finding) parts.push('finding=' + this.finding);
    if (this.group) parts.push('group=' + this.group);
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
      const match = /^(layer|finding|group|piece|tab)=([\w-]+)$/.exec(part);
      if (!match) return;
      known = true;
      found[match[1]] = /tab|group|piece/.test(match[1]) ? match[2] : Number(match[2]);
    });
    return known ? found : null;
  },
};
