// Tables that sort, filter and scroll through any number of rows. The data is JSON in the page; text of
// the input reaches the page through textContent only.
(function () {
  'use strict';
  var ROW = 30;        // px; also in report.css
  var AROUND = 8;      // rows drawn above and below what is seen
  var SHORT = 14;      // so many rows need no scrolling
  var PRINTED = 60;    // rows on paper
  var MOST_CHOICES = 24;
  var SVG = 'http://www.w3.org/2000/svg';

  function element(tag, className, text) {
    var e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function Grid(host, data) {
    this.host = host;
    this.data = data;
    this.shown = data.columns.map(function (c, i) { return i; }).filter(function (i) {
      return !data.columns[i].detail;
    });
    this.order = [];
    for (var r = 0; r < data.rows; ++r) this.order.push(r);
    this.rows = this.order;  // those that pass the filter, in order
    this.sortColumn = -1;
    this.descending = false;
    this.selected = -1;      // place in this.rows
    this.haystack = null;
    this.first = -1;
    this.last = -1;
    this.build();
  }

  Grid.prototype.text = function (column, row) {
    var c = this.data.columns[column];
    return c.words[c.word[row]];
  };
  Grid.prototype.value = function (column, row) {
    var v = this.data.columns[column].value;
    return v ? v[row] : null;
  };

  Grid.prototype.build = function () {
    var self = this;
    var tools = element('div', 'tools');
    this.search = element('input');
    this.search.type = 'search';
    this.search.placeholder = 'Filter: words of name, type, tactic…';
    this.search.setAttribute('aria-label', 'Filter the rows of: ' + this.data.title);
    this.search.addEventListener('input', function () { self.filter(); });
    tools.appendChild(this.search);
    this.choices = [];
    this.shown.forEach(function (i) { self.addChoice(tools, i); });
    this.status = element('span');
    this.status.setAttribute('role', 'status');
    tools.appendChild(this.status);

    this.view = element('div', 'view');
    var table = this.table = element('table');
    table.setAttribute('role', 'grid');
    table.tabIndex = 0;
    table.setAttribute('aria-label', this.data.title);
    var columns = element('colgroup');
    var head = element('thead');
    var titles = element('tr');
    this.heads = [];
    this.shown.forEach(function (i) {
      columns.appendChild(element('col', self.columnClass(i)));
      titles.appendChild(self.headCell(i));
    });
    head.appendChild(titles);
    this.body = element('tbody');
    table.appendChild(columns);
    table.appendChild(head);
    table.appendChild(this.body);
    this.pad = element('div');  // stands for the rows that are not drawn
    this.pad.appendChild(table);
    this.view.appendChild(this.pad);
    this.pane = element('div', 'details');
    this.pane.setAttribute('aria-live', 'polite');
    this.host.appendChild(tools);
    this.host.appendChild(this.view);
    this.host.appendChild(this.pane);
    if (this.data.rows > PRINTED) {
      this.host.appendChild(element('p', 'paper', 'On paper only the first ' + PRINTED + ' rows.'));
    }
    this.view.addEventListener('scroll', function () { self.draw(); }, {passive: true});
    this.body.addEventListener('click', function (event) {
      var row = event.target.closest('tr.row');
      if (row) self.select(Number(row.dataset.place));
    });
    table.addEventListener('keydown', function (event) { self.key(event); });
    window.addEventListener('resize', function () { self.draw(true); });
    window.addEventListener('beforeprint', function () { self.drawForPrint(); });
    window.addEventListener('afterprint', function () { self.draw(true); });
    this.filter();
  };

  // On a narrow screen only the name, the first number that is no rank and the first share stay.
  Grid.prototype.columnClass = function (i) {
    var columns = this.data.columns;
    var kind = columns[i].kind;
    var name = columns.findIndex(function (c) { return c.kind === 'name'; });
    var rank = function (c) { return c.kind === 'number' && c.title === '#'; };
    var number = columns.findIndex(function (c) { return c.kind === 'number' && !rank(c); });
    var share = columns.findIndex(function (c) { return c.kind === 'share'; });
    var css = kind === 'name' && i !== name ? 'type' : kind === 'precision' ? 'label' : kind;
    if (rank(columns[i])) css = 'rank';
    return [name, number, share].indexOf(i) < 0 ? css + ' minor' : css;
  };

  Grid.prototype.headCell = function (i) {
    var self = this;
    var column = this.data.columns[i];
    var th = element('th', /number|share/.test(column.kind) ? 'num' : '');
    if (/minor/.test(this.columnClass(i))) th.classList.add('minor');
    th.scope = 'col';
    th.setAttribute('aria-sort', 'none');
    var button = element('button', '', column.title);
    button.type = 'button';
    button.addEventListener('click', function () { self.sort(i); });
    th.appendChild(button);
    this.heads[i] = th;
    return th;
  };

  // Columns of few distinct words can be chosen from.
  Grid.prototype.addChoice = function (tools, i) {
    var self = this;
    var column = this.data.columns[i];
    var few = column.words.length > 1 && column.words.length <= MOST_CHOICES;
    if (!few || column.value || column.words.length === this.data.rows) return;
    var select = element('select');
    select.setAttribute('aria-label', column.title);
    var all = element('option', '', column.title + ': all');
    all.value = '-1';
    select.appendChild(all);
    column.words.map(function (word, k) { return [word, k]; }).sort(function (a, b) {
      return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
    }).forEach(function (pair) {
      var option = element('option', '', pair[0]);
      option.value = String(pair[1]);
      select.appendChild(option);
    });
    select.addEventListener('change', function () { self.filter(); });
    tools.appendChild(select);
    this.choices.push({column: column, select: select});
  };

  Grid.prototype.sort = function (i) {
    var column = this.data.columns[i];
    if (this.sortColumn === i) {
      this.descending = !this.descending;
    } else {
      this.sortColumn = i;
      this.descending = Boolean(column.value) && this.shown[0] !== i;
    }
    var sign = this.descending ? -1 : 1;
    var key = column.value || column.word.map(function (w) { return column.words[w]; });
    this.order = this.order.slice().sort(function (a, b) {
      var x = key[a], y = key[b];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;  // unknown last
      return x < y ? -sign : x > y ? sign : a - b;
    });
    this.heads.forEach(function (th) { th.setAttribute('aria-sort', 'none'); });
    this.heads[i].setAttribute('aria-sort', this.descending ? 'descending' : 'ascending');
    this.filter();
  };

  Grid.prototype.filter = function () {
    var self = this;
    var words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !this.haystack) {
      this.haystack = this.data.columns[0].word.map(function (w, row) {
        return self.data.columns.map(function (c, i) { return self.text(i, row); }).join('\n').toLowerCase();
      });
    }
    var chosen = this.choices.filter(function (c) { return c.select.value !== '-1'; });
    this.rows = this.order.filter(function (row) {
      return chosen.every(function (c) { return c.column.word[row] === Number(c.select.value); }) &&
          words.every(function (w) { return self.haystack[row].indexOf(w) >= 0; });
    });
    this.selected = -1;
    this.pane.textContent = '';
    this.table.removeAttribute('aria-activedescendant');
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.view.classList.toggle('short', this.rows.length <= SHORT);
    this.view.scrollTop = 0;
    this.say();
    this.draw(true);
  };

  Grid.prototype.say = function () {
    var self = this;
    var text = this.rows.length === this.data.rows ? this.data.rows + ' rows' :
        this.rows.length + ' of ' + this.data.rows + ' rows';
    var share = this.data.columns.findIndex(function (c) { return c.kind === 'share' && c.value; });
    if (share >= 0) {
      var sum = this.rows.reduce(function (s, row) { return s + (self.value(share, row) || 0); }, 0);
      text += ', ' + (100 * sum).toFixed(sum < 0.0995 ? 1 : 0) + ' % of the time';
    }
    this.status.textContent = text;
  };

  // The longest bar of a column fills its cell.
  Grid.prototype.most = function (i) {
    var column = this.data.columns[i];
    if (!column.most) column.most = column.value.reduce(function (m, v) { return Math.max(m, v || 0); }, 0) || 1;
    return column.most;
  };

  Grid.prototype.cell = function (i, row) {
    var column = this.data.columns[i];
    var text = this.text(i, row);
    var kind = column.kind;
    var td = element('td', kind === 'share' ? 'num share' : kind === 'number' ? 'num' : kind);
    if (/minor/.test(this.columnClass(i))) td.classList.add('minor');
    if (kind === 'share' && this.value(i, row) !== null) {
      var svg = document.createElementNS(SVG, 'svg');
      var rect = document.createElementNS(SVG, 'rect');
      svg.setAttribute('class', 'bar');
      svg.setAttribute('aria-hidden', 'true');
      rect.setAttribute('width', (100 * this.value(i, row) / this.most(i)).toFixed(2) + '%');
      rect.setAttribute('height', '100%');
      svg.appendChild(rect);
      td.appendChild(svg);
    }
    if (kind === 'precision' && Object.prototype.hasOwnProperty.call(this.data.classes, text)) {
      td.appendChild(element('i', 'swatch ' + this.data.classes[text]));
    }
    td.appendChild(document.createTextNode(text));
    if (kind === 'name') td.title = text;
    return td;
  };

  Grid.prototype.rowElement = function (place) {
    var self = this;
    var tr = element('tr', 'row');
    tr.id = this.host.id + '-row-' + place;
    tr.dataset.place = String(place);
    tr.setAttribute('aria-rowindex', String(place + 2));
    tr.setAttribute('aria-selected', String(place === this.selected));
    this.shown.forEach(function (i) { tr.appendChild(self.cell(i, self.rows[place])); });
    return tr;
  };

  Grid.prototype.fill = function (first, last, spaced) {
    var part = document.createDocumentFragment();
    for (var place = first; place < last; ++place) part.appendChild(this.rowElement(place));
    this.body.textContent = '';
    this.body.appendChild(part);
    this.pad.style.paddingTop = (spaced ? first * ROW : 0) + 'px';
    this.pad.style.paddingBottom = (spaced ? (this.rows.length - last) * ROW : 0) + 'px';
  };

  Grid.prototype.draw = function (always) {
    var height = this.view.clientHeight || ROW * SHORT;
    var top = Math.floor(this.view.scrollTop / ROW);
    var first = Math.max(0, top - AROUND);
    var last = Math.min(this.rows.length, top + Math.ceil(height / ROW) + AROUND);
    if (this.rows.length <= SHORT) last = this.rows.length;
    if (!always && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    this.fill(first, last, true);
  };

  Grid.prototype.drawForPrint = function () {
    this.fill(0, Math.min(PRINTED, this.rows.length), false);
  };

  Grid.prototype.select = function (place) {
    var self = this;
    this.selected = Math.max(0, Math.min(this.rows.length - 1, place));
    var top = this.selected * ROW;
    var height = this.view.clientHeight - 2 * ROW;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    if (top > this.view.scrollTop + height) this.view.scrollTop = top - height;
    this.draw(true);
    this.table.setAttribute('aria-activedescendant', this.host.id + '-row-' + this.selected);
    var list = element('dl', 'facts');
    this.data.columns.forEach(function (column, i) {
      var text = self.text(i, self.rows[self.selected]);
      if (!text) return;
      list.appendChild(element('dt', '', column.title));
      list.appendChild(element('dd', '', text));
    });
    this.pane.textContent = '';
    this.pane.appendChild(list);
  };

  Grid.prototype.key = function (event) {
    if (event.target !== this.table || this.rows.length === 0) return;
    var page = Math.max(1, Math.floor(this.view.clientHeight / ROW) - 2);
    var steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (!Object.prototype.hasOwnProperty.call(steps, event.key)) return;
    event.preventDefault();
    this.select(this.selected + steps[event.key]);
  };

  document.querySelectorAll('script[data-grid]').forEach(function (script) {
    var host = document.getElementById(script.dataset.grid);
    if (host) new Grid(host, JSON.parse(script.textContent));
  });

  // Paper has no buttons: closed findings are printed open.
  var opened = [];
  window.addEventListener('beforeprint', function () {
    opened = Array.prototype.slice.call(document.querySelectorAll('details:not([open])'));
    opened.forEach(function (d) { d.open = true; });
  });
  window.addEventListener('afterprint', function () {
    opened.forEach(function (d) { d.open = false; });
  });
})();
