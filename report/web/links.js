// The layers of the page and all that shows one: their table, other tables, findings, evidence.
class Layers {
  constructor(engine, grid) {
    Object.assign(this, {engine, grid});
    const columns = grid.data.columns;
    const column = (title) => columns.findIndex((c) => c.title === title);
    this.place = column('#');
    this.short = column('Layer');
    this.rowOf = new Map();
    this.byName = new Map();  // whole names, the first layer of each
    const name = column('Name');
    for (let row = 0; row < grid.data.rows; ++row) {
      const layer = grid.value(this.place, row);
      this.rowOf.set(layer, row);
      const known = name < 0 ? undefined : this.byName.get(grid.text(name, row));
      if (name >= 0 && (known === undefined || layer < known)) this.byName.set(grid.text(name, row), layer);
    }
  }

  label(layer) { return this.grid.text(this.short, this.rowOf.get(layer)); }
  layerOf(row) { return this.grid.value(this.place, row); }
  named(name) { return this.byName.get(name); }
  slowest(layers) { return layers.reduce((a, b) => (this.engine.ms[b] > this.engine.ms[a] ? b : a)); }

  ofFinding(number) {
    const found = this.engine.findings.find((f) => f.number === number);
    return found ? found.layers : [];
  }
  ofModule(path) {
    const {words, word} = this.engine.module;
    const inside = words.map((name) => name === path || name.startsWith(path + '.'));
    return word.map((k, layer) => layer).filter((layer) => inside[word[layer]]);
  }
  hasModule(path) { return this.engine.module.words.some((name) => name === path || name.startsWith(path + '.')); }

  timeText(layers) {
    const sum = (of) => of.reduce((s, layer) => s + this.engine.ms[layer], 0);
    const whole = this.engine.ms.reduce((s, ms) => s + ms, 0);
    return whole ? sum(layers).toPrecision(3) + ' ms · ' + shareText(sum(layers) / whole) : '';
  }

  // The finding that is shown: at first the worst one; the cause of a failure stands above already.
  static finding() {
    const first = selection.layer < 0 && !selection.module && !document.querySelector('.first .cause');
    return selection.finding || (first ? 1 : 0);
  }
}

// Findings without a card of their own: a row says in short what the panel shows of one.
function linkFurtherFindings() {
  const table = document.querySelector('[data-table=further-findings]');
  if (!table) return;
  const titles = [...table.querySelectorAll('thead th')].map((th) => th.textContent);
  const place = (title) => titles.indexOf(title);
  const choose = (tr) => {
    const number = Number(tr.dataset.further);
    selection.choose({finding: selection.finding === number ? 0 : number, layer: -1, module: ''});
  };
  [...table.tBodies[0].rows].forEach((tr) => {
    tr.dataset.further = tr.cells[place('#')].textContent;
    const link = button('', () => choose(tr));
    link.className = 'link';
    link.append(...tr.cells[place('Finding')].childNodes);
    tr.cells[place('Finding')].append(link);
    tr.addEventListener('click', (event) => { if (!event.target.closest('button')) choose(tr); });
  });
}

// Marks the layers of the shown finding or module in the strip, and leaves only those of the chosen
// one in the table.
function linkFindings(layers, strip) {
  linkFurtherFindings();
  const {grid, rowOf} = layers;
  const show = () => {
    const number = Layers.finding();
    const marked = selection.module && !selection.finding ? layers.ofModule(selection.module) : layers.ofFinding(number);
    if (strip) strip.mark(selection.layer, marked, number ? 'finding ' + number : selection.module);
    document.querySelectorAll('a[data-finding]').forEach((link) => {
      link.setAttribute('aria-current', String(Number(link.dataset.finding) === number));
    });
    document.querySelectorAll('details.finding').forEach((card) => {
      card.classList.toggle('chosen', card.id === 'finding-' + selection.finding);
    });
    document.querySelectorAll('tr[data-further]').forEach((tr) => {
      tr.classList.toggle('same', Number(tr.dataset.further) === selection.finding);
    });
  };
  document.querySelectorAll('a[data-finding]').forEach((link) => {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const number = Number(link.dataset.finding);
      selection.choose({finding: selection.finding === number ? 0 : number, layer: -1, module: ''});
    });
  });
  document.querySelectorAll('details.finding > summary').forEach((summary) => {
    summary.addEventListener('click', () => {
      const card = summary.parentNode;
      if (!card.open) selection.choose({finding: Number(card.id.replace('finding-', '')), layer: -1, module: ''});
    });
  });
  grid.onClear = () => selection.choose({finding: 0, module: ''});
  selection.onChange((changed) => {
    show();
    if (!changed.includes('finding') && !changed.includes('module')) return;
    const only = selection.finding ? layers.ofFinding(selection.finding) : selection.module ? layers.ofModule(selection.module) : [];
    grid.restrict(only.length ? new Set(only.map((i) => rowOf.get(i))) : null,
      selection.finding ? 'finding ' + selection.finding : 'module ' + selection.module);
  });
  show();
}

// Rows of other tables that are about a layer or a module, and evidence that names one.
function linkRows(layers, grids) {
  grids.filter((grid) => grid !== layers.grid).forEach((grid) => linkGrid(layers, grid));
  document.querySelectorAll('.scroll > table').forEach((table) => {
    const title = [...table.querySelectorAll('thead th')].findIndex((th) => /^(Layer|Module)$/.test(th.textContent));
    if (title < 0) return;
    const isLayer = table.querySelectorAll('thead th')[title].textContent === 'Layer';
    [...table.tBodies[0].rows].forEach((tr) => linkRow(layers, tr, tr.children[title], isLayer));
  });
  document.querySelectorAll('.evidence .place').forEach((place) => {
    const layer = layers.named(place.title || place.textContent);
    if (layer === undefined) return;
    const link = element('button', 'link place', place.textContent);
    link.title = place.title;
    link.type = 'button';
    link.dataset.layer = String(layer);
    place.replaceWith(link);
  });
  document.addEventListener('click', (event) => {
    const from = event.target.closest('button[data-layer], tr[data-layer], tr[data-module]');
    if (!from) return;
    if (from.dataset.module) selection.choose({module: from.dataset.module, finding: 0, layer: -1});
    else selection.choose({layer: Number(from.dataset.layer)});
  });
  const show = () => {
    document.querySelectorAll('tr.same').forEach((tr) => tr.classList.remove('same'));
    if (selection.layer >= 0) document.querySelectorAll('tr[data-layer="' + selection.layer + '"]').forEach((tr) => tr.classList.add('same'));
    document.querySelectorAll('tr[data-module]').forEach((tr) => tr.classList.toggle('same', tr.dataset.module === selection.module));
  };
  selection.onChange(show);
}

function linkRow(layers, tr, cell, isLayer) {
  const fold = cell.querySelector('details.whole > summary');
  const whole = isLayer && [...cell.querySelectorAll('.sub')].find((e) => e.firstChild.textContent === 'Name');
  const name = whole ? whole.lastChild.textContent.trim() : (fold || cell).firstChild.textContent;
  if (isLayer) {
    const layer = layers.named(name);
    if (layer === undefined) return;
    tr.dataset.layer = String(layer);
  } else {
    if (!layers.hasModule(name)) return;
    tr.dataset.module = name;
  }
  if (fold) return;  // which is a way for the keyboard
  const link = element('button', 'link');
  link.type = 'button';
  link.appendChild(cell.firstChild);
  cell.prepend(link);
}

function linkGrid(layers, grid) {
  const columns = grid.data.columns;
  const short = columns.findIndex((c) => c.title === 'Layer');
  if (short < 0) return;
  const whole = columns.findIndex((c) => c.title === 'Name');
  const layerOf = (row) => layers.named((whole < 0 ? '' : grid.text(whole, row)) || grid.text(short, row));
  const rowOf = new Map();
  for (let row = grid.data.rows - 1; row >= 0; --row) {
    const layer = layerOf(row);
    if (layer !== undefined) rowOf.set(layer, row);
  }
  const below = grid.onSelect;
  grid.onSelect = (row) => {
    below(row);
    const layer = layerOf(row);
    if (layer !== undefined) selection.choose({layer});
  };
  selection.onChange((changed) => {
    if (!changed.includes('layer')) return;
    if (grid.selected >= 0 && layerOf(grid.selected) === selection.layer) return;
    const row = rowOf.get(selection.layer);
    grid.select(row === undefined ? -1 : row, false);
    if (row !== undefined) below(row);
  });
}

// All layers of a finding, where the card names the first ones.
function linkWhere(layers) {
  document.querySelectorAll('details.finding').forEach((card) => {
    const where = [...card.querySelectorAll('h4')].find((h) => h.textContent === 'Where');
    const found = layers.ofFinding(Number(card.id.replace('finding-', '')));
    if (!where || !/ and \d+ more$/.test(where.nextSibling.textContent) || !found.length) return;
    const fold = element('details', 'window');
    const list = element('ul', 'evidence');
    fold.append(element('summary', '', 'All ' + count(found.length, 'layer')), list);
    found.slice(0, 200).forEach((layer) => {
      const item = element('li');
      const link = element('button', 'link place', '#' + layer + ' ' + layers.label(layer));
      link.type = 'button';
      link.dataset.layer = String(layer);
      item.appendChild(link);
      list.appendChild(item);
    });
    if (found.length > 200) list.appendChild(element('li', '', 'and ' + (found.length - 200) + ' more: the table of layers has them'));
    where.nextSibling.after(fold);
  });
}
