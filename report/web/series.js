// Times of the queries, one after the other: zoom by dragging, values under the pointer.
const SERIES_HEIGHT = 220;
const WHOLE = [1, 2, 5].flatMap((n) => [n, 10 * n, 100 * n, 1000 * n, 1e4 * n, 1e5 * n, 1e6 * n]).sort((a, b) => a - b);  // no tick between two builds
const OUTLIER = 2;  // times the median: as SampleStats::outliers says

class Series {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.host = element('div', 'series');
    this.still = figure.querySelector('.scroll');
    if (this.still) this.still.classList.add('still');
    figure.querySelector('figcaption').after(this.host);
    this.place = -1;   // of the point at the cursor
    this.host.tabIndex = 0;
    this.host.setAttribute('role', 'slider');
    this.host.setAttribute('aria-label', figure.querySelector('figcaption').textContent);
    this.host.setAttribute('aria-valuemin', '1');
    this.host.setAttribute('aria-valuemax', String(data.x.length));
    this.host.setAttribute('aria-valuenow', '1');
    this.host.addEventListener('keydown', (event) => this.key(event));
    this.draw();
    window.addEventListener('resize', () => this.fit());
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  draw() {
    const style = getComputedStyle(this.figure);
    const of = (name) => style.getPropertyValue(name).trim();
    const {x, y, x_label: across, y_label: up} = this.data;
    const median = y.slice().sort((a, b) => a - b)[y.length >> 1];
    const whole = x.every(Number.isInteger) ? {incrs: WHOLE} : {};
    const slow = y.map((ms) => (ms > OUTLIER * median ? ms : null));
    const drawn = slow.some((ms) => ms !== null) ? [x, y, slow] : [x, y];
    const axis = {stroke: of('--dim'), grid: {stroke: of('--line'), width: 1}, ticks: {stroke: of('--line'), width: 1}};
    const value = (_, ms) => (ms === null || ms === undefined ? '–' : String(Number(ms.toPrecision(4))));
    this.host.replaceChildren();
    this.plot = new uPlot({
      width: this.width(), height: SERIES_HEIGHT, scales: {x: {time: false}},
      axes: [{...axis, ...whole, label: across, labelSize: 18}, {...axis, label: up, labelSize: 18, size: 64}],
      series: [{label: across, value}, {label: up, value, stroke: of('--link'), width: 1},
        {label: 'slow: more than twice the median', value, stroke: of('--major'), width: 0, points: {show: true, size: 6, fill: of('--major')}}].slice(0, drawn.length),
    }, drawn, this.host);
  }

  // The cursor goes from point to point, and what it is at is said.
  key(event) {
    const {x, y, x_label: across, y_label: up} = this.data;
    const last = x.length - 1, page = Math.max(1, Math.round(last / 20));
    const places = {ArrowRight: this.place + 1, ArrowLeft: this.place - 1, PageUp: this.place + page,
      PageDown: this.place - page, Home: 0, End: last};
    if (!Object.prototype.hasOwnProperty.call(places, event.key)) return;
    event.preventDefault();
    const at = this.place = Math.max(0, Math.min(last, places[event.key]));
    this.plot.setCursor({left: this.plot.valToPos(x[at], 'x'), top: this.plot.valToPos(y[at], 'y')});
    this.host.setAttribute('aria-valuenow', String(at + 1));
    this.host.setAttribute('aria-valuetext', across + ' ' + Number(x[at].toPrecision(4)) + ': ' + Number(y[at].toPrecision(4)) + ' ' + up);
  }

  width() { return Math.max(260, this.figure.clientWidth - 34); }
  fit() {
    if (this.figure.clientWidth > 0) this.plot.setSize({width: this.width(), height: SERIES_HEIGHT});
  }
}
