// Drawings whose pieces stand for rows of tables: each shows the other. See report/formats/html/drawing.cc.
class Pieces {
  // `grids`: those of the page, whose rows are not always drawn.
  constructor(figure, grids) {
    this.svg = figure.querySelector('svg.drawn');
    this.pieces = [...this.svg.querySelectorAll('.piece')];
    this.grids = grids;
    this.said = element('p', 'said');
    figure.appendChild(this.said);
    this.svg.tabIndex = 0;
    this.svg.setAttribute('role', 'slider');
    this.svg.setAttribute('aria-valuemin', '1');
    this.svg.setAttribute('aria-valuemax', String(this.pieces.length));
    this.pieces.forEach((piece) => {
      piece.addEventListener('mouseenter', () => { this.say(piece); this.light(piece, true); });
      piece.addEventListener('mouseleave', () => { this.say(this.chosen); this.light(piece, false); });
      piece.addEventListener('click', () => selection.choose({piece: piece.dataset.row}));
      this.linkRow(piece);
    });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    selection.onChange((changed) => { if (changed.includes('piece')) this.show(); });
    this.show();
  }

  // The grid of a piece and the number of its row; the elements of a row that is in the page.
  gridOf(piece) {
    const [table, row] = piece.dataset.row.split('-');
    return {grid: this.grids.find((grid) => grid.host.dataset.table === table), table, row: Number(row)};
  }
  rowOf(piece) {
    const {grid, table, row} = this.gridOf(piece);
    if (grid) return [document.getElementById(grid.host.id + '-row-' + row)].filter(Boolean);
    const host = document.querySelector('[data-table=' + table + ']');
    if (!host) return [];
    return (host.tBodies ? [host.tBodies[0].rows[row]] : [...host.children].slice(2 * row, 2 * row + 2)).filter(Boolean);
  }

  linkRow(piece) {
    const {grid, row} = this.gridOf(piece);
    if (grid) {
      const below = grid.onSelect;
      grid.onSelect = (chosen) => {
        below(chosen);
        if (chosen === row) selection.choose({piece: piece.dataset.row});
      };
      return;
    }
    this.rowOf(piece).forEach((e) => {
      e.addEventListener('mouseenter', () => this.light(piece, true));
      e.addEventListener('mouseleave', () => this.light(piece, false));
      e.addEventListener('click', () => selection.choose({piece: piece.dataset.row}));
    });
  }

  light(piece, on) {
    piece.classList.toggle('lit', on);
    this.rowOf(piece).forEach((e) => e.classList.toggle('lit', on));
  }

  say(piece) { this.said.textContent = piece ? piece.querySelector('title').textContent : ''; }

  show() {
    this.chosen = this.pieces.find((piece) => piece.dataset.row === selection.piece);
    this.pieces.forEach((piece) => {
      piece.classList.toggle('chosen', piece === this.chosen);
      const {grid, row} = this.gridOf(piece);
      if (grid && piece === this.chosen && grid.selected !== row) {
        grid.select(row, true);
      }
      if (!grid) this.rowOf(piece).forEach((e) => e.classList.toggle('chosen', piece === this.chosen));
    });
    const place = this.pieces.indexOf(this.chosen);
    this.svg.setAttribute('aria-valuenow', String(Math.max(1, place + 1)));
    this.svg.setAttribute('aria-valuetext', this.chosen ? this.chosen.querySelector('title').textContent : 'none');
    this.say(this.chosen);
  }

  key(event) {
    const place = this.pieces.indexOf(this.chosen), last = this.pieces.length - 1;
    const places = {ArrowRight: place + 1, ArrowLeft: Math.max(0, place - 1), Home: 0, End: last};
    if (!Object.prototype.hasOwnProperty.call(places, event.key)) return;
    event.preventDefault();
    selection.choose({piece: this.pieces[Math.min(last, places[event.key])].dataset.row});
  }
}
