// Puts the parts together: tabs, panel, grids, strip.
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

function showEngine(engine, grid, grids) {
  const layers = new Layers(engine, grid);
  const figure = document.getElementById('strip');
  const strip = figure ? new Strip(figure, engine, (layer) => layers.label(layer), (layer) => selection.choose({layer}),
    (block) => selection.choose({module: block.name, finding: 0, layer: -1})) : null;
  linkWhere(layers);
  linkRows(layers, grids);
  const panel = new Panel(document.getElementById('panel'), layers);
  grid.linked = true;
  grid.draw(true);
  grid.onSelect = (row) => selection.choose({layer: layers.layerOf(row)});
  selection.onChange((changed) => {
    if (changed.includes('layer')) grid.select(selection.layer < 0 ? -1 : layers.rowOf.get(selection.layer), false);
  });
  linkFindings(layers, strip);
  panel.show([]);
  return engine.ms.length;
}

// The folds around an element.
function openAround(e) {
  for (let fold = e.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
}

// The layer that a group is about: the slowest one that computes, where one does.
function leadOf({ms, kind}, layers) {
  const computes = (layer) => !isConversion(kind.words[kind.word[layer]]) && kind.words[kind.word[layer]] !== 'no arithmetic';
  const own = layers.filter(computes);
  return (own.length ? own : layers).reduce((a, b) => (a < 0 || ms[b] > ms[a] ? b : a), -1);
}

// Both sides of a comparison: a row of a table is a group of layers of either. Tables are counted
// through the page; `first` is the number of this comparison's first one. `place` holds the
// comparison, the one of that `number`.
function showSides(sides, {tables: groups, steps}, grids, place, number, first) {
  const suffix = place.dataset.suffix || '';
  const names = ['base' + suffix, 'candidate' + suffix];
  const sum = (engine) => engine.ms.reduce((s, ms) => s + ms, 0);
  const whole = Math.max(...sides.map(sum));
  const groupOf = [new Map(), new Map()];  // by side: layer -> group
  groups.forEach((rows, table) => rows.forEach((group, row) => group.forEach((layers, side) => {
    layers.forEach((layer) => groupOf[side].set(layer, first + table + '-' + row));
  })));
  let picked = null;  // {side, layer}: the layer of a strip that was chosen there
  const strips = sides.map((engine, side) => {
    const figure = document.getElementById('strip-' + names[side]);
    const label = (layer) => engine.label.words[engine.label.word[layer]];
    // A group may have several layers: the strip goes through each.
    const choose = (layer) => {
      picked = {side, layer};
      selection.choose({group: groupOf[side].get(layer) || '', layer: -1});
      mark();
    };
    const zoom = (block) => strips[side].show(block.from, block.to);
    return figure ? new Strip(figure, engine, label, choose, zoom, whole) : null;
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
  const way = linkWay(place, number, steps, groupOf, grids, first);
  const mark = () => {
    const [table, row] = selection.group.split('-').map(Number);
    const group = (groups[table - first] || [])[row] || [[], []];
    if (picked && (groupOf[picked.side].get(picked.layer) || '') !== selection.group) picked = null;
    strips.forEach((strip, side) => {
      if (!strip) return;
      const layer = picked && picked.side === side ? picked.layer : leadOf(sides[side], group[side]);
      const part = way.chosen();
      strip.mark(layer, part ? part.layers[side] : group[side], 'selected');
    });
  };
  selection.onChange(mark);
}

// Rows of the way from the base to the candidate: each selects the layers that it is made of.
function linkWay(place, number, steps, groupOf, grids, first) {
  const links = [...place.querySelectorAll('a[data-part]')];
  const partOf = (link) => number + '-' + link.dataset.part;
  const chosen = () => {
    const link = links.find((one) => partOf(one) === selection.part);
    return link ? {link, label: link.textContent, layers: steps[link.dataset.part]} : null;
  };
  links.forEach((link) => link.addEventListener('click', (event) => {
    event.preventDefault();
    selection.choose({part: selection.part === partOf(link) ? '' : partOf(link), group: ''});
  }));
  grids.forEach((grid) => { grid.onClear = () => selection.choose({part: '', group: ''}); });
  selection.onChange((changed) => {
    if (!changed.includes('part')) return;
    const part = chosen();
    links.forEach((link) => link.setAttribute('aria-current', String(Boolean(part) && link === part.link)));
    const rows = new Set(part ? part.layers.flatMap((layers, side) => layers.map((layer) => groupOf[side].get(layer))) : []);
    if (part) openAround(part.link);
    grids.forEach((grid, table) => {
      const own = [...rows].filter((row) => row && row.startsWith(first + table + '-')).map((row) => Number(row.split('-')[1]));
      grid.restrict(part ? new Set(own) : null, part ? part.label : '');
      if (own.length) openAround(grid.host);
    });
  });
  return {chosen};
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
    const grid = (asked.group && document.querySelector('details.comparison [aria-activedescendant]')) ||
      (asked.part && document.querySelector('details.comparison a[data-part][aria-current=true]'));
    const place = grid ? grid.closest('details') : document.getElementById(asked.tab || '');
    if (place && place.closest('details.comparison')) place.scrollIntoView();
    return;
  }
  const target = document.getElementById(hash.slice(1));
  if (target) {
    openAround(target);
    target.scrollIntoView();  // what was opened moved it
  }
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
  for (const [number, place] of (folds.length ? folds : [document.body]).entries()) {
    const suffix = place.dataset.suffix || '';
    const groups = await unpacked('groups' + suffix);
    if (!groups) continue;
    const own = grids.filter((grid) => place.contains(grid.host));
    showSides([await unpacked('base' + suffix), await unpacked('candidate' + suffix)], groups, own, place, number, first);
    first += own.length;
  }
}

// Every command can be copied.
function addCopyButtons() {
  document.querySelectorAll('.command').forEach((line) => {
    line.append(' ');
    line.appendChild(element('button', 'copy', 'Copy')).type = 'button';
  });
  document.addEventListener('click', (event) => {
    const copy = event.target.closest('button.copy');
    if (!copy) return;
    const say = (text) => { copy.textContent = text; setTimeout(() => { copy.textContent = 'Copy'; }, 2000); };
    copyText(copy.parentNode.querySelector('code').textContent).then(() => say('Copied'), () => {
      window.getSelection().selectAllChildren(copy.parentNode.querySelector('code'));
      say('Selected: Ctrl-C');
    });
  });
}

// On a phone a row is a card, each of its cells with the title of its column. A title in the markup
// of each cell would make the page of a wide engine a tenth larger.
function titleCells() {
  document.querySelectorAll('.scroll > table').forEach((table) => {
    const titles = [...table.querySelectorAll('thead th')].map((th) => th.textContent);
    table.querySelectorAll('tbody td').forEach((td) => {
      if (td.textContent && titles[td.cellIndex]) td.dataset.title = titles[td.cellIndex];
    });
  });
}

// "/" goes to the filter of the table in sight.
function listenForSlash() {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, textarea, select')) return;
    const shown = [...document.querySelectorAll('.grid input[type=search]')]
      .filter((input) => !input.closest('.tab[hidden], details:not([open])'));
    const inSight = shown.find((input) => input.closest('.grid').getBoundingClientRect().bottom > 60) || shown[0];
    if (!inSight) return;
    event.preventDefault();
    inSight.focus();
  });
}

// The table of layers begins on the first screen: what stands beside each other above it gives way.
function fitFirstScreen() {
  const pair = document.querySelector('.first .pair');
  const row = document.querySelector('#layers tr.row');
  if (!pair || !row) return;
  pair.style.removeProperty('--pair');
  const below = row.getBoundingClientRect().bottom + window.scrollY - window.innerHeight;
  const least = 170;
  if (below <= 0 || window.innerWidth <= 760) return;
  pair.style.setProperty('--pair', Math.max(least, Math.ceil(pair.offsetHeight - below - 1)) + 'px');
}

async function start() {
  const asked = location.hash;  // before a tab that the browser searches for the place in changes it
  document.documentElement.classList.add('script');
  document.querySelectorAll('nav.tabs').forEach((nav) => new Tabs(nav));
  document.querySelectorAll('details.comparison').forEach((fold) => {
    fold.addEventListener('toggle', () => window.dispatchEvent(new Event('resize')));  // what was hidden had no size
  });
  openForPrint();
  titleCells();
  addCopyButtons();
  listenForSlash();
  for (const figure of document.querySelectorAll('[data-series]')) {
    new Series(figure, await unpacked(figure.dataset.series));
  }
  const engine = await unpacked('engine');
  let layers = 0;
  const grids = [];
  for (const host of document.querySelectorAll('.grid')) {
    const grid = new Grid(host, await unpacked(host.id));
    grids.push(grid);
    if (!engine || !host.closest('#layers')) showRowBelow(grid);
  }
  const table = engine && grids.find((grid) => grid.host.closest('#layers'));
  if (table) layers = showEngine(engine, table, grids);
  document.querySelectorAll('figure.pieces').forEach((figure) => new Pieces(figure, grids));
  await showComparisons(grids);
  fitFirstScreen();
  window.addEventListener('resize', fitFirstScreen);
  followAddress(layers, asked);
  window.addEventListener('hashchange', () => followAddress(layers, location.hash));
  document.documentElement.dataset.ready = 'true';
}

start();
