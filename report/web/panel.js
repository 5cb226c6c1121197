// What stands behind the selected layer, module or finding.
function factsOf(grid, row, skipped) {
  const list = element('dl', 'facts');
  grid.data.columns.forEach((column, i) => {
    const text = grid.text(i, row);
    if (!text || skipped.includes(column.title)) return;
    list.append(element('dt', '', column.title), element('dd', '', text));
  });
  return list;
}

class Panel {
  constructor(host, layers) {
    Object.assign(this, {host, layers, engine: layers.engine, grid: layers.grid, steps: 1});
    this.neighbourhood = new Neighbourhood(this.engine, (layer) => layers.label(layer));
    this.host.hidden = false;
    this.peek = this.makePeek();
    selection.onChange((changed) => {
      if (changed.some((name) => /layer|finding|module/.test(name))) this.show(changed);
    });
  }

  // What was chosen last: a layer, a module, or a finding.
  show(changed) {
    const layer = changed.includes('layer') ? selection.layer >= 0 : selection.layer >= 0 && !selection.finding;
    this.host.replaceChildren();
    this.host.scrollTop = 0;
    if (layer) this.showLayer(selection.layer);
    else if (selection.module) this.showModule(selection.module);
    else this.showFinding(Layers.finding());
    this.peek.tell(changed.length > 0);
  }

  // What is selected, at the foot of the window while the panel is out of sight.
  makePeek() {
    const bar = element('div', 'peek');
    bar.hidden = true;
    const text = element('span');
    bar.append(text, button('Show', () => {
      this.host.scrollIntoView({block: 'center'});
      this.host.focus({preventScroll: true});
    }, 'Show what is selected'));
    document.body.appendChild(bar);
    let seen = true, chosen = false;
    const show = () => { bar.hidden = seen || !chosen; };
    new IntersectionObserver((entries) => {
      seen = entries[entries.length - 1].isIntersecting;
      show();
    }).observe(this.host);
    return {tell: (isChosen) => {
      chosen = isChosen && (selection.layer >= 0 || Boolean(selection.module || selection.finding));
      text.textContent = [...this.host.querySelectorAll('h3, h3 + p.brief')].map((e) => e.textContent).join(' · ');
      show();
    }};
  }

  showFinding(number) {
    const card = document.getElementById('finding-' + number);
    const row = document.querySelector('tr[data-further="' + number + '"]');
    const found = this.layers.ofFinding(number);
    if (card) {
      this.host.appendChild(element('h3', '', card.querySelector('h3').textContent));
      this.host.appendChild(card.querySelector('.columns').cloneNode(true));
      if (found.length) this.showGraph(this.layers.slowest(found), this.host);
    } else if (row) {
      const [, severity, title, stake, rule] = [...row.cells].map((cell) => cell.textContent);
      this.host.appendChild(element('h3', '', title));
      this.host.appendChild(element('p', 'brief', [severity, stake, rule].join(' · ')));
      this.showLayers(found);
    } else {
      this.host.appendChild(element('p', 'note', 'Select a layer to see it here.'));
    }
  }

  showModule(path) {
    const layers = this.layers.ofModule(path);
    this.host.appendChild(element('h3', 'name', path));
    this.host.appendChild(element('p', 'brief', [count(layers.length, 'layer'), this.layers.timeText(layers)].filter(Boolean).join(' · ')));
    this.showLayers(layers);
  }

  // The slowest ones, to choose from.
  showLayers(layers) {
    const list = element('ol', 'items');
    const {ms} = this.engine;
    layers.slice().sort((a, b) => ms[b] - ms[a]).slice(0, 20).forEach((layer) => {
      const item = element('li');
      const link = button('#' + layer + ' ' + this.layers.label(layer), () => selection.choose({layer}));
      link.className = 'link';
      item.append(link, document.createTextNode(' ' + this.layers.timeText([layer])));
      list.appendChild(item);
    });
    this.host.appendChild(list);
  }

  showLayer(layer) {
    const {kind, findings} = this.engine;
    const pair = element('div', 'layer');
    const said = element('div');
    pair.appendChild(said);
    this.host.appendChild(pair);
    said.appendChild(element('h3', 'name', '#' + layer + ' ' + this.layers.label(layer)));
    const row = this.layers.rowOf.get(layer);
    const parts = [kind.words[kind.word[layer]]];
    const figures = {'Time (ms)': ' ms', 'Share': ' of the profile', 'Of roof': " of the roof (what the GPU's peaks allow)"};
    Object.keys(figures).forEach((title) => {
      const i = this.grid.data.columns.findIndex((c) => c.title === title);
      const text = i < 0 ? '' : this.grid.text(i, row);
      if (text) parts.push(text + figures[title]);
    });
    said.appendChild(element('p', 'brief', parts.join(' · ')));
    findings.filter((f) => f.layers.includes(layer)).forEach((f) => {
      const p = element('p');
      p.appendChild(button('Finding ' + f.number, () => selection.choose({finding: f.number, module: ''})));
      said.appendChild(p);
    });
    said.appendChild(factsOf(this.grid, row, ['#', 'Layer', 'Precision', ...Object.keys(figures)]));
    this.showGraph(layer, pair);
  }

  showGraph(layer, host) {
    if (!this.engine.from.length) return;
    const tools = element('p', 'graph-tools', 'Around it: ');
    const box = element('div', 'graph');
    box.tabIndex = 0;
    box.setAttribute('role', 'group');
    box.setAttribute('aria-label', 'Neighbourhood graph');
    const cut = element('span', 'note');
    const draw = () => {
      const svg = this.neighbourhood.draw(layer, this.steps);
      box.replaceChildren(svg);
      Neighbourhood.fit(svg, box);
      choices.forEach((choice, i) => choice.setAttribute('aria-pressed', String(i + 1 === this.steps)));
      cut.textContent = this.neighbourhood.cut ? 'the nearest ' + MOST_NODES + ' layers' : '';
    };
    const choices = [1, 2, 3].map((steps) => button(String(steps), () => { this.steps = steps; draw(); },
      count(steps, 'step') + ' up and down'));
    tools.append(...choices, document.createTextNode('steps up and down'), cut);
    const part = element('div', 'around');
    part.append(tools, box);
    host.appendChild(part);
    draw();
  }
}
