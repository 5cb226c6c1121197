// Times of the queries, one after the other: zoom by dragging, values under the pointer.
const SERIES_HEIGHT = 220;
const OUTLIER = 2;  // times the median: as SampleStats::outliers says

class Series {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.host = element('div', 'series');
    this.still = figure.querySelector('.scroll');
    if (this.still) this.still.classList.add('still');
    figure.querySelector('figcaption').after(this.host);
    this.draw();
    window.addEventListener('resize', () => this.fit());
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  draw() {
    const style = getComputedStyle(this.figure);
    const of = (name) => style.getPropertyValue(name).trim();
    const {x, y, x_label: across, y_label: up} = this.data;
    const median = y.slice().sort((a, b) => a - b)[y.length >> 1];
    const slow = y.map((ms) => (ms > OUTLIER * median ? ms : null));
    const axis = {stroke: of('--dim'), grid: {stroke: of('--line'), width: 1}, ticks: {stroke: of('--line'), width: 1}};
    const value = (_, ms) => (ms === null || ms === undefined ? '–' : String(Number(ms.toPrecision(4))));
    this.host.replaceChildren();
    this.plot = new uPlot({
      width: this.width(), height: SERIES_HEIGHT, scales: {x: {time: false}},
      axes: [{...axis, label: across, labelSize: 18}, {...axis, label: up, labelSize: 18, size: 64}],
      series: [{label: across, value}, {label: up, value, stroke: of('--link'), width: 1},
        {label: 'over ' + OUTLIER + ' × median', value, stroke: of('--major'), width: 0, points: {show: true, size: 6, fill: of('--major')}}],
    }, [x, y, slow], this.host);
  }

  width() { return Math.max(260, this.figure.clientWidth - 34); }
  fit() {
    if (this.figure.clientWidth > 0) this.plot.setSize({width: this.width(), height: SERIES_HEIGHT});
  }
}
