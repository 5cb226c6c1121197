// Tables that sort, filter and scroll through any number of rows.
const ROW = 28;          // px; also in report.css
const AROUND = 8;        // rows drawn above and below what is seen
const SHORT = 14;        // so many rows need no scrolling
const PRINTED = 30;      // rows on paper
const MOST_CHOICES = 24;
const MOST_CARDS = 300;  // rows that are drawn as high as they are: on a phone as cards; of more each is a line
const PHONE = window.matchMedia('screen and (max-width: 760px)');  // also in report.css

// Where the end of a name begins, which tells it from others: what is in front of it is cut. 0: the
// name is short.
function endOf(name) {
  const at = Math.max(0, name.length - 10);
  return /[\uDC00-\uDFFF]/.test(name.charAt(at)) ? at - 1 : at;
}

class Grid {
  constructor(host, data) {
    this.host = host;
    this.data = data;
    this.classes = data.columns.map((c, i) => this.columnClass(i));
    this.shown = data.columns.map((c, i) => i).filter((i) => !data.columns[i].detail);
    this.rows = [];       // that pass the filter, in order
    this.keys = [];       // of the order: {column, sign}, the first one first
    this.only = null;     // a Set of rows: no others
    this.selected = -1;   // a row
    this.first = this.last = -1;
    this.top = 0;         // px scrolled, and the height of the view: asked for while rows change, they
    this.height = 0;      // would make the browser lay out the page
    this.onSelect = null;
    this.linked = false;  // a panel shows all of the chosen row
    this.build();
  }

  text(column, row) {
    const c = this.data.columns[column];
    return c.words[c.word[row]];
  }
  value(column, row) {
    const v = this.data.columns[column].value;
    return v ? v[row] : null;
  }

  build() {
    this.tools();
    this.view = element('div', 'view');
    this.table = element('table');
    this.table.setAttribute('role', 'grid');
    this.table.tabIndex = 0;
    this.table.setAttribute('aria-label', this.data.title);
    this.pad = element('div');  // stands for the rows that are not drawn
    this.pad.appendChild(this.table);
    this.view.appendChild(this.pad);
    this.host.append(this.toolbar, this.view);
    if (this.data.rows > PRINTED) {
      this.host.appendChild(element('p', 'paper', 'On paper only the first ' + PRINTED + ' rows.'));
    }
    this.heading();
    this.view.addEventListener('scroll', () => {
      this.top = this.view.scrollTop;
      this.draw();
    }, {passive: true});
    this.table.addEventListener('click', (event) => {
      const row = event.target.closest('tr.row');
      if (row) this.select(Number(row.dataset.row), true);
    });
    this.table.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => {
      this.height = this.view.clientHeight;
      this.draw();
    }).observe(this.view);
    window.addEventListener('resize', () => this.draw(true));
    window.addEventListener('beforeprint', () => this.fill(0, Math.min(PRINTED, this.rows.length), false));
    window.addEventListener('afterprint', () => this.draw(true));
    this.sortRows();
  }

  tools() {
    this.toolbar = element('div', 'tools');
    this.search = element('input');
    this.search.type = 'search';
    const texts = this.data.columns.filter((c) => !c.value && !c.detail).map((c) => c.title).slice(0, 3);
    this.search.placeholder = 'Filter ( / ): words of ' + texts.join(', ') + '…';
    this.search.setAttribute('aria-label', 'Filter the rows of: ' + this.data.title);
    this.search.addEventListener('focus', () => this.lowered());
    this.search.addEventListener('input', () => this.filter());
    this.toolbar.appendChild(this.search);
    this.choices = [];
    this.shown.forEach((i) => this.addChoice(i));
    this.chip = button('', () => { if (this.onClear) this.onClear(); });
    this.chip.className = 'chip';
    this.chip.hidden = true;
    this.hiddenRow = button('', () => this.showAll(this.selected));
    this.hiddenRow.className = 'hidden-row';
    this.hiddenRow.hidden = true;
    this.status = element('span');
    this.status.setAttribute('role', 'status');
    this.toolbar.append(this.chip, this.hiddenRow, this.columnMenu(), button('Copy CSV', () => this.copy()), this.status);
  }

  // Columns of few distinct words can be chosen from.
  addChoice(i) {
    const column = this.data.columns[i];
    const few = column.words.length > 1 && column.words.length <= MOST_CHOICES;
    if (!few || column.value || column.words.length === this.data.rows) return;
    const select = element('select');
    select.setAttribute('aria-label', column.title);
    const add = (text, value) => {
      const option = element('option', '', text);
      option.value = String(value);
      select.appendChild(option);
    };
    add(column.title + ': all', -1);
    column.words.map((word, k) => [word, k]).sort((a, b) => (a[0] < b[0] ? -1 : 1))
      .forEach((pair) => add(pair[0], pair[1]));
    select.addEventListener('change', () => this.filter());
    this.toolbar.appendChild(select);
    this.choices.push({column, select});
  }

  columnMenu() {
    const menu = element('details', 'menu');
    const list = element('div');
    menu.append(element('summary', '', 'Columns'), list);
    this.data.columns.forEach((column, i) => {
      const label = element('label');
      const box = element('input');
      box.type = 'checkbox';
      box.checked = !column.detail;
      box.addEventListener('change', () => {
        this.shown = this.data.columns.map((c, k) => k)
          .filter((k) => (k === i ? box.checked : this.shown.includes(k)));
        this.heading();
        this.draw(true);
      });
      label.append(box, document.createTextNode(' ' + column.title));
      list.appendChild(label);
    });
    return menu;
  }

  heading() {
    const columns = element('colgroup');
    const titles = element('tr');
    this.heads = [];
    this.shown.forEach((i) => {
      const col = element('col', this.classes[i]);
      if (this.shown.length > 10) col.classList.add('crowded');  // the others leave a name no room
      col.style.setProperty('--need', this.need(i) + 'px');
      columns.appendChild(col);
      titles.appendChild(this.headCell(i));
    });
    const head = element('thead');
    head.appendChild(titles);
    this.body = element('tbody');
    this.table.replaceChildren(columns, head, this.body);
    this.markOrder();
  }

  // What a column needs at least: its title with the sign of its order, and short words.
  need(i) {
    const {kind, title, words} = this.data.columns[i];
    const isName = kind === 'name' && this.wraps();
    if ((kind === 'name' && !isName) || kind === 'text') return 0;
    const pen = element('canvas').getContext('2d');
    const wide = (font, text) => { pen.font = font; return pen.measureText(text).width; };
    if (isName) {  // the rest is for the sentences
      const most = words.reduce((m, word) => Math.max(m, wide('12.5px ui-monospace, monospace', word)), 0);
      return Math.max(140, Math.min(400, Math.ceil(most) + 26));
    }
    let most = wide('600 12px system-ui, sans-serif', title + ' ↑') + 26;
    if (kind === 'precision' || kind === 'label') {
      words.slice(0, MOST_CHOICES).forEach((word) => {
        const around = kind === 'precision' ? 42 : 26;  // with its colour
        most = Math.max(most, Math.min(200, wide('13px system-ui, sans-serif', word) + around));
      });
    }
    return Math.ceil(most);
  }

  // On a narrow screen only the name, the first number that is no rank, and one more stay: what came
  // of a build or of the layers, else the share, else the precision.
  columnClass(i) {
    const columns = this.data.columns;
    const isRank = (c) => c.kind === 'number' && c.title === '#';
    const first = (...tests) => tests.map((test) => columns.findIndex(test)).find((k) => k >= 0);
    const stay = [first((c) => c.kind === 'name'), first((c) => /number|delta/.test(c.kind) && !isRank(c)),
      first((c) => /^(Outcome|Verdict)$/.test(c.title), (c) => c.kind === 'share', (c) => c.kind === 'precision')];
    const kind = columns[i].kind;
    const css = isRank(columns[i]) ? 'rank' : kind === 'name' && i !== stay[0] ? 'type' :
      kind === 'precision' ? 'label' : kind;
    return stay.includes(i) ? css : css + ' minor';
  }

  headCell(i) {
    const column = this.data.columns[i];
    const th = element('th', /number|share|delta/.test(column.kind) ? 'num' : '');
    if (/minor/.test(this.classes[i])) th.classList.add('minor');
    th.scope = 'col';
    const sort = element('button', '', column.title);
    sort.type = 'button';
    sort.title = (column.hint ? column.hint + ' ' : '') + 'Sort; with Shift by this column as well';
    sort.addEventListener('click', (event) => this.sort(i, event.shiftKey));
    if (column.kind === 'delta' && column.value) sort.appendChild(element('span', 'scale', 'bars to ' + this.scale(column)));
    th.appendChild(sort);
    this.heads[i] = th;
    return th;
  }

  // `more`: behind the columns that the rows are sorted by already.
  sort(i, more) {
    const column = this.data.columns[i];
    const known = this.keys.find((key) => key.column === i);
    const sign = known ? -known.sign : column.value && column.title !== '#' ? -1 : 1;
    if (!more) this.keys = [];
    if (known && more) known.sign = sign;
    else this.keys.push({column: i, sign});
    this.markOrder();
    this.sortRows();
  }

  markOrder() {
    this.heads.forEach((th, i) => {
      const place = this.keys.findIndex((key) => key.column === i);
      const order = place < 0 ? 'none' : this.keys[place].sign < 0 ? 'descending' : 'ascending';
      th.setAttribute('aria-sort', order);
      th.dataset.place = place >= 0 && this.keys.length > 1 ? String(place + 1) : '';
    });
  }

  // Numbers to compare by: values, or the places of the words in their order. Unknown is last.
  keyOf(column) {
    if (column.value) return column.value;
    if (!column.places) {
      const place = new Map([...column.words].sort().map((word, at) => [word, at]));
      const places = column.words.map((word) => place.get(word));
      column.places = column.word.map((k) => places[k]);
    }
    return column.places;
  }

  sortRows() {
    const keys = this.keys.map((key) => ({by: this.keyOf(this.data.columns[key.column]), sign: key.sign}));
    this.order = Array.from({length: this.data.rows}, (_, row) => row);
    if (keys.length) {
      this.order.sort((a, b) => {
        for (let k = 0; k < keys.length; ++k) {
          const x = keys[k].by[a], y = keys[k].by[b];
          if (x === y) continue;
          if (x === null || y === null) return x === null ? 1 : -1;
          return x < y ? -keys[k].sign : keys[k].sign;
        }
        return a - b;
      });
    }
    this.filter();
  }

  // The texts of each column in lower case: made when the reader goes to the filter, before the first key.
  lowered() {
    if (!this.lower) this.lower = this.data.columns.map((column) => column.words.map((text) => text.toLowerCase()));
    return this.lower;
  }

  // A word is in a row when it is in one of its texts: the texts are few, each is looked at once.
  matches(word) {
    const hit = new Uint8Array(this.data.rows);
    this.lowered().forEach((texts, i) => {
      const has = texts.map((text) => text.includes(word));
      if (!has.includes(true)) return;
      this.data.columns[i].word.forEach((k, row) => { if (has[k]) hit[row] = 1; });
    });
    return hit;
  }

  filter() {
    const hits = this.search.value.toLowerCase().split(/\s+/).filter(Boolean).map((word) => this.matches(word));
    const chosen = this.choices.filter((c) => c.select.value !== '-1')
      .map((c) => ({word: c.column.word, wanted: Number(c.select.value)}));
    this.rows = this.order.filter((row) => (!this.only || this.only.has(row)) &&
      chosen.every((c) => c.word[row] === c.wanted) && hits.every((hit) => hit[row]));
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.view.classList.toggle('short', this.rows.length <= SHORT);
    this.say();
    this.tellHidden();
    this.draw(true);
  }

  // Only these rows, and why; null: all.
  restrict(rows, why) {
    this.only = rows;
    this.chip.hidden = !rows;
    this.chip.textContent = why + ' ✕';
    this.chip.setAttribute('aria-label', 'Show all rows, not only ' + why);
    this.view.scrollTop = 0;
    this.filter();
  }

  say() {
    let text = this.rows.length === this.data.rows ? count(this.data.rows, 'row') :
      this.rows.length + ' of ' + count(this.data.rows, 'row');
    const share = this.data.columns.findIndex((c) => c.title === 'Share' && c.value);
    if (share >= 0) {
      text += ', ' + shareText(this.rows.reduce((s, row) => s + (this.value(share, row) || 0), 0)) + ' of the time';
    }
    this.status.textContent = text;
  }

  // Bars to either side of zero: the longest one is half of its cell, and the head says what it is.
  most(column) {
    if (!column.most) column.most = column.value.reduce((m, v) => Math.max(m, Math.abs(v || 0)), 0) || 1;
    return column.most;
  }
  scale(column) {
    const row = column.value.findIndex((v) => Math.abs(v) === this.most(column));
    return row < 0 ? '' : '±' + column.words[column.word[row]].replace(/^[+\-−]/, '');
  }
  shift(column, value) {
    const width = 50 * Math.abs(value) / this.most(column);
    const bar = drawing('svg', {'class': 'bar', 'aria-hidden': 'true'});
    bar.appendChild(drawing('rect', {x: (value < 0 ? 50 - width : 50).toFixed(2) + '%', width: width.toFixed(2) + '%',
      'class': value < 0 ? 'less' : 'more'}));
    return bar;
  }

  cell(i, row) {
    const column = this.data.columns[i];
    const text = this.text(i, row);
    const kind = column.kind;
    const td = element('td', kind === 'share' || kind === 'delta' ? 'num share' : kind === 'number' ? 'num' : kind);
    td.dataset.title = column.title;
    if (/minor/.test(this.classes[i])) td.classList.add('minor');
    if (kind === 'share' && this.value(i, row) !== null) {
      const bar = drawing('svg', {'class': 'bar', 'aria-hidden': 'true'});
      bar.appendChild(drawing('rect', {
        width: (100 * Math.min(1, this.value(i, row))).toFixed(2) + '%'}));
      td.appendChild(bar);
    }
    if (kind === 'delta' && this.value(i, row) !== null) td.appendChild(this.shift(column, this.value(i, row)));
    if (kind === 'precision') td.appendChild(element('i', 'swatch ' + kindClass(text)));
    const page = column.page ? column.page[row] : '';
    const said = page ? element('a') : td;
    const end = kind === 'name' ? endOf(text) : 0;
    if (end > 0) said.appendChild(element('span', 'begun', text.slice(0, end)));
    said.appendChild(document.createTextNode(text.slice(end)));
    if (page) {
      said.href = page;
      td.appendChild(said);
    }
    if (kind === 'name' || kind === 'text') td.title = text;
    return td;
  }

  rowElement(place) {
    const row = this.rows[place];
    const tr = element('tr', 'row');
    tr.id = this.host.id + '-row-' + row;
    tr.dataset.row = String(row);
    tr.setAttribute('aria-rowindex', String(place + 2));
    tr.setAttribute('aria-selected', String(row === this.selected));
    this.shown.forEach((i) => tr.appendChild(this.cell(i, row)));
    return tr;
  }

  fill(first, last, spaced) {
    const part = document.createDocumentFragment();
    for (let place = first; place < last; ++place) part.appendChild(this.rowElement(place));
    this.body.replaceChildren(part);
    this.pad.style.paddingTop = (spaced ? first * ROW : 0) + 'px';
    this.pad.style.paddingBottom = (spaced ? (this.rows.length - last) * ROW : 0) + 'px';
  }

  // A sentence is not cut: it takes as many lines as it needs. Of very many rows each has one.
  wraps() {
    return this.data.rows <= MOST_CARDS && this.shown.some((i) => this.data.columns[i].kind === 'text');
  }

  // On a phone a row is a card with all of its cells.
  isCards() { return PHONE.matches && !this.linked && this.data.rows <= MOST_CARDS; }

  draw(always) {
    const cards = this.isCards(), wraps = !cards && this.wraps();
    this.view.classList.toggle('cards', cards);
    this.view.classList.toggle('wraps', wraps);
    if (cards || wraps) {
      this.first = this.last = -1;
      if (always) this.fill(0, this.rows.length, false);
      return;
    }
    const top = Math.floor(this.top / ROW);
    const first = Math.max(0, Math.min(top - AROUND, this.rows.length - SHORT));
    const last = this.rows.length <= SHORT ? this.rows.length :
      Math.min(this.rows.length, top + Math.ceil((this.height || ROW * SHORT) / ROW) + AROUND);
    if (!always && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    this.fill(first, last, true);
  }

  // The selected row may not pass the filter.
  tellHidden() {
    const name = this.data.columns.findIndex((c) => c.kind === 'name');
    this.hiddenRow.hidden = this.selected < 0 || this.rows.includes(this.selected);
    if (this.hiddenRow.hidden) return;
    const rank = this.data.columns[0].title === '#' ? '#' + this.text(0, this.selected) + ' ' : '';
    this.hiddenRow.textContent = rank + this.text(Math.max(0, name), this.selected) + ' is hidden by the filter: show';
  }

  // No filter, so that this row is shown.
  showAll(row) {
    this.search.value = '';
    this.choices.forEach((c) => { c.select.value = '-1'; });
    if (this.only && this.onClear) this.onClear();
    this.filter();
    this.select(row, false);
  }

  // `tell`: the reader chose it here.
  select(row, tell) {
    this.selected = row;
    const place = this.rows.indexOf(row);
    if (place >= 0) {
      const top = place * ROW;
      const drawn = (this.isCards() || this.wraps()) && document.getElementById(this.host.id + '-row-' + row);
      const height = this.view.clientHeight - 2 * ROW;
      if (drawn) drawn.scrollIntoView({block: 'nearest'});
      else if (top < this.view.scrollTop) this.view.scrollTop = top;
      else if (top > this.view.scrollTop + height) this.view.scrollTop = top - height;
      this.table.setAttribute('aria-activedescendant', this.host.id + '-row-' + row);
    } else {
      this.table.removeAttribute('aria-activedescendant');
    }
    this.tellHidden();
    this.draw(true);
    if (tell && this.onSelect) this.onSelect(row);
  }

  key(event) {
    if (event.target !== this.table || this.rows.length === 0) return;
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW) - 2);
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (!Object.prototype.hasOwnProperty.call(steps, event.key)) return;
    event.preventDefault();
    const place = this.rows.indexOf(this.selected) + steps[event.key];
    this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, place))], true);
  }

  // Rows as shown, columns as shown. A spreadsheet must not take a name for a formula.
  csv() {
    const quoted = (text) => (/[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
    const safe = (i, text) => (this.data.columns[i].value ? text : text.replace(/^[=+\-@\t\r]/, "'$&"));
    const lines = [this.shown.map((i) => quoted(this.data.columns[i].title)).join(',')];
    this.rows.forEach((row) => {
      lines.push(this.shown.map((i) => quoted(safe(i, this.text(i, row)))).join(','));
    });
    return lines.join('\n') + '\n';
  }

  copy() {
    const done = (text) => { this.status.textContent = text; };
    copyText(this.csv()).then(() => done('Copied ' + count(this.rows.length, 'row') + '.'),
      () => done('The browser does not let this page copy.'));
  }
}
