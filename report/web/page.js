// Puts the parts together: tabs, panel, grids, strip.
function factsOf(grid, row, skipped) {
  const list = element('dl', 'facts');
  grid.data.columns.forEach((column, i) => {
    const text = grid.text(i, row);
    if (!text || skipped.includes(column.title)) return;
    list.append(element('dt', '', column.title), element('dd', '', text));
  });
  return list;
}

// What stands behind the selected layer or finding.
class Panel {
  constructor(host, engine, grid, rowOf, label) {
    Object.assign(this, {host, engine, grid, rowOf, label, steps: 1});
    this.neighbourhood = new Neighbourhood(engine, label);
    this.host.hidden = false;
    selection.onChange((changed) => {
      if (changed.includes('layer') || changed.includes('finding')) this.show(changed);
    });
  }

  // The layer when it was chosen last, else the finding.
  show(changed) {
    const layer = changed.includes('layer') ? selection.layer >= 0 : selection.layer >= 0 && !selection.finding;
    this.host.replaceChildren();
    this.host.scrollTop = 0;
    if (layer) this.showLayer(selection.layer);
    else this.showFinding(selection.finding || 1);
  }

  showFinding(number) {
    const card = document.getElementById('finding-' + number);
    if (!card) {
      this.host.appendChild(element('p', 'note', 'Select a layer to see it here.'));
      return;
    }
    this.host.appendChild(element('h3', '', card.querySelector('h3').textContent));
    this.host.appendChild(card.querySelector('.columns').cloneNode(true));
    const found = this.engine.findings.find((f) => f.number === number);
    if (!found || !found.layers.length) return;
    const {ms} = this.engine;
    this.showGraph(found.layers.reduce((a, b) => (ms[b] > ms[a] ? b : a)), this.host);  // the slowest of its layers
  }

  showLayer(layer) {
    const {ms, kind, findings} = this.engine;
    this.host.appendChild(element('h3', 'name', '#' + layer + ' ' + this.label(layer)));
    const row = this.rowOf.get(layer);
    const parts = [kind.words[kind.word[layer]]];
    ['Time (ms)', 'Share', 'Roof'].forEach((title) => {
      const i = this.grid.data.columns.findIndex((c) => c.title === title);
      const text = i < 0 ? '' : this.grid.text(i, row);
      if (text) parts.push(title === 'Time (ms)' ? text + ' ms' : title === 'Share' ? text + ' of the profile' : text + ' of the roof');
    });
    this.host.appendChild(element('p', '', parts.join(' · ')));
    findings.filter((f) => f.layers.includes(layer)).forEach((f) => {
      const p = element('p');
      p.appendChild(button('Finding ' + f.number, () => selection.choose({finding: f.number})));
      this.host.appendChild(p);
    });
    const facts = factsOf(this.grid, row, ['#', 'Layer', 'Time (ms)', 'Share', 'Precision', 'Roof']);
    const pair = element('div', 'layer');
    pair.appendChild(facts);
    this.host.appendChild(pair);
    this.showGraph(layer, pair);
  }

  showGraph(layer, host) {
    if (!this.engine.from.length) return;
    const tools = element('p', 'graph-tools', 'Around it: ');
    const box = element('div', 'graph');
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'Neighbourhood graph');
    const draw = () => {
      box.replaceChildren(this.neighbourhood.draw(layer, this.steps));
      const chosen = box.querySelector('.chosen rect');
      box.scrollTop = Number(chosen.getAttribute('y')) - (box.clientHeight - NODE_HEIGHT) / 2;
      box.scrollLeft = Number(chosen.getAttribute('x')) + 95 - box.clientWidth / 2;
    };
    [1, 2, 3].forEach((steps) => tools.appendChild(button(String(steps), () => { this.steps = steps; draw(); },
      steps + (steps > 1 ? ' steps' : ' step') + ' up and down')));
    const part = element('div');
    part.append(tools, box);
    host.appendChild(part);
    draw();
  }
}

// One tab at a time. What the browser searches for opens its tab.
class Tabs {
  constructor(nav) {
    this.links = [...nav.querySelectorAll('a')];
    this.tabs = this.links.map((link) => document.getElementById(link.hash.slice(1)));
    this.tabs.forEach((tab) => {
      tab.addEventListener('beforematch', () => selection.choose({tab: tab.id}));
    });
    nav.addEventListener('click', (event) => {
      const link = event.target.closest('a');
      if (!link) return;
      event.preventDefault();
      selection.choose({tab: link.hash.slice(1)});
    });
    selection.onChange((changed) => { if (changed.includes('tab')) this.show(); });
    window.addEventListener('beforeprint', () => this.tabs.forEach((tab) => tab.removeAttribute('hidden')));
    window.addEventListener('afterprint', () => this.show());
    this.show();
  }

  // Of several comparisons each has tabs: what was chosen in another one changes nothing here.
  show() {
    this.chosen = this.tabs.find((tab) => tab.id === selection.tab) || this.chosen;
    const open = this.chosen || this.tabs[0];
    if (open.id === selection.tab) openAround(open);
    this.tabs.forEach((tab, i) => {
      if (tab === open) tab.removeAttribute('hidden');
      else tab.setAttribute('hidden', 'until-found');
      this.links[i].setAttribute('aria-current', tab === open ? 'true' : 'false');
    });
    window.dispatchEvent(new Event('resize'));  // what was hidden had no size
  }

  // The tab that an element stands in.
  static of(e) {
    const tab = e && e.closest('.tab');
    return tab ? tab.id : '';
  }
}

// A finding of the list: its layers are marked in the strip, and the only ones in the table.
function linkFindings(engine, grid, rowOf, strip) {
  const layersOf = (number) => {
    const found = engine.findings.find((f) => f.number === number);
    return found ? found.layers : [];
  };
  const mark = () => { if (strip) strip.mark(selection.layer, layersOf(selection.finding || 1)); };
  mark();
  document.querySelectorAll('a[data-finding]').forEach((link) => {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const number = Number(link.dataset.finding);
      selection.choose({finding: selection.finding === number ? 0 : number, layer: -1});
    });
  });
  grid.onClear = () => selection.choose({finding: 0});
  selection.onChange((changed) => {
    mark();
    if (!changed.includes('finding')) return;
    const layers = layersOf(selection.finding);
    document.querySelectorAll('a[data-finding]').forEach((link) => {
      link.setAttribute('aria-current', String(Number(link.dataset.finding) === selection.finding));
    });
    const rows = new Set(layers.map((i) => rowOf.get(i)));
    grid.restrict(layers.length ? rows : null, 'finding ' + selection.finding);
  });
}

function showEngine(engine, grid) {
  const columns = grid.data.columns;
  const place = columns.findIndex((c) => c.title === '#');
  const name = columns.findIndex((c) => c.title === 'Layer');
  const rowOf = new Map();
  for (let row = 0; row < grid.data.rows; ++row) rowOf.set(grid.value(place, row), row);
  const label = (layer) => grid.text(name, rowOf.get(layer));
  const figure = document.getElementById('strip');
  const strip = figure ? new Strip(figure, engine, label, (layer) => selection.choose({layer})) : null;
  const panel = new Panel(document.getElementById('panel'), engine, grid, rowOf, label);
  grid.onSelect = (row) => selection.choose({layer: grid.value(place, row)});
  selection.onChange((changed) => {
    if (changed.includes('layer')) grid.select(selection.layer < 0 ? -1 : rowOf.get(selection.layer), false);
  });
  linkFindings(engine, grid, rowOf, strip);
  panel.show([]);
  return engine.ms.length;
}

// The folds around an element.
function openAround(e) {
  for (let fold = e.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
}

// Both sides of a comparison: a row of a table is a group of layers of either. Tables are counted
// through the page; `first` is the number of this comparison's first one.
function showSides(sides, groups, grids, suffix, first) {
  const names = ['base' + suffix, 'candidate' + suffix];
  const sum = (engine) => engine.ms.reduce((s, ms) => s + ms, 0);
  const whole = Math.max(...sides.map(sum));
  const groupOf = [new Map(), new Map()];  // by side: layer -> group
  groups.forEach((rows, table) => rows.forEach((group, row) => group.forEach((layers, side) => {
    layers.forEach((layer) => groupOf[side].set(layer, first + table + '-' + row));
  })));
  const strips = sides.map((engine, side) => {
    const figure = document.getElementById('strip-' + names[side]);
    const label = (layer) => engine.label.words[engine.label.word[layer]];
    const choose = (layer) => selection.choose({group: groupOf[side].get(layer) || '', layer: -1});
    return figure ? new Strip(figure, engine, label, choose, whole) : null;
  });
  if (strips[0] && strips[1]) { strips[0].twin = strips[1]; strips[1].twin = strips[0]; }
  grids.forEach((grid, table) => {
    const below = grid.onSelect;
    grid.onSelect = (row) => selection.choose({group: first + table + '-' + row});
    selection.onChange(() => {
      const [chosen, row] = selection.group.split('-').map(Number);
      if (selection.group && chosen === first + table && row < grid.data.rows) {
        openAround(grid.host);
        grid.select(row, false);
        below(row);
      } else grid.select(-1, false);
    });
  });
  selection.onChange(() => {
    const [table, row] = selection.group.split('-').map(Number);
    const group = (groups[table - first] || [])[row] || [[], []];
    strips.forEach((strip, side) => {
      if (strip) strip.mark(group[side].length ? group[side].reduce((a, b) => (sides[side].ms[b] > sides[side].ms[a] ? b : a)) : -1, group[side]);
    });
  });
}

// A grid without a panel shows what it knows of a row below itself.
function showRowBelow(grid) {
  const pane = element('div', 'details');
  pane.setAttribute('aria-live', 'polite');
  grid.host.appendChild(pane);
  grid.onSelect = (row) => pane.replaceChildren(factsOf(grid, row, []));
}

// Where the address points: a selection, or an element inside a tab.
function followAddress(layers, hash) {
  const asked = selection.ofAddress(hash);
  if (asked) {
    if (asked.layer >= layers) delete asked.layer;
    selection.choose(asked);
    const grid = asked.group && document.querySelector('details.comparison [aria-activedescendant]');
    const place = grid ? grid.closest('details') : document.getElementById(asked.tab || '');
    if (place && place.closest('details.comparison')) place.scrollIntoView();
    return;
  }
  const target = document.getElementById(hash.slice(1));
  if (target) openAround(target);
  const tab = Tabs.of(target);
  if (!tab) return;
  selection.choose({tab});
  const fold = target.closest('details') || target.querySelector('details.fold');
  if (fold) fold.open = true;
  target.scrollIntoView();
}

// Paper has no buttons: closed findings are printed open.
function openForPrint() {
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details.finding:not([open]), details.fold:not([open]), details.comparison:not([open])')];
    opened.forEach((d) => { d.open = true; });
  });
  window.addEventListener('afterprint', () => opened.forEach((d) => { d.open = false; }));
}

// The one comparison of the page, or each of several.
async function showComparisons(grids) {
  const folds = [...document.querySelectorAll('details.comparison')];
  let first = 0;
  for (const place of folds.length ? folds : [document.body]) {
    const suffix = place.dataset.suffix || '';
    const groups = await unpacked('groups' + suffix);
    if (!groups) continue;
    const own = grids.filter((grid) => place.contains(grid.host));
    showSides([await unpacked('base' + suffix), await unpacked('candidate' + suffix)], groups, own, suffix, first);
    first += own.length;
  }
}

async function start() {
  const asked = location.hash;  // before a tab that the browser searches for the place in changes it
  document.documentElement.classList.add('script');
  document.querySelectorAll('nav.tabs').forEach((nav) => new Tabs(nav));
  document.querySelectorAll('details.comparison').forEach((fold) => {
    fold.addEventListener('toggle', () => window.dispatchEvent(new Event('resize')));  // what was hidden had no size
  });
  openForPrint();
  for (const figure of document.querySelectorAll('[data-series]')) {
    new Series(figure, await unpacked(figure.dataset.series));
  }
  const engine = await unpacked('engine');
  let layers = 0;
  const grids = [];
  for (const host of document.querySelectorAll('.grid')) {
    const grid = new Grid(host, await unpacked(host.id));
    grids.push(grid);
    if (engine && host.closest('#layers')) layers = showEngine(engine, grid);
    else showRowBelow(grid);
  }
  document.querySelectorAll('figure.pieces').forEach((figure) => new Pieces(figure, grids));
  await showComparisons(grids);
  followAddress(layers, asked);
  window.addEventListener('hashchange', () => followAddress(layers, location.hash));
  document.documentElement.dataset.ready = 'true';
}

start();
