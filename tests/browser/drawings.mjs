// What the report draws of the build, and pages of several comparisons.
import { expect, noFaults, open } from './page.mjs';

// Variants against one base: a click on one opens its comparison, whose views are its own.
export async function checkMatrix(browser, url) {
  const { page, faults, close } = await open(browser, url, { viewport: { width: 1280, height: 800 } });
  const headings = await page.locator('#matrix th').allInnerTexts();
  expect(headings.slice(0, 2).join() === 'Layer,Base (ms)' && headings.length === 5, `the matrix has ${headings.join()}`);
  expect(await page.locator('#variants tr.row').first().innerText().then((text) => text.startsWith('base')), 'the base is not first');
  const fold = page.locator('#comparison-3');
  expect(!await fold.evaluate((e) => e.open), 'the third comparison is open at first');
  await page.locator('#variants tr.row a', { hasText: 'b_r18_notf32' }).click();
  await page.waitForFunction(() => {
    const place = document.getElementById('comparison-3');
    return place.open && place.getBoundingClientRect().top < 200;
  }, null, { timeout: 5000 }).catch(() => expect(false, 'a click on a variant does not open its comparison'));
  await page.locator('#comparison-3 tr.row').nth(1).click();
  expect(/group=\d+-1/.test(page.url()), `the address is ${page.url()}`);
  const link = page.url();
  expect(/^layer \d+, /.test(await page.locator('#strip-candidate-3 canvas').getAttribute('aria-valuetext')), 'the row marks nothing in its strip');
  await close();
  const again = await open(browser, link);
  expect(await again.page.locator('#comparison-3 tr.row[aria-selected=true]').count() === 1, `${link} selects no row`);
  await again.close();
  noFaults([...faults, ...again.faults]);
}

// Of several comparisons each has its own views, selection, tabs and links.
export async function checkSeveral(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const lines = await page.locator('.lines tbody tr').evaluateAll((trs) => trs.map((tr) => [...tr.children].map((e) => e.textContent)));
  expect(lines.length === 2 && lines.every((cells) => cells.length === 6 && cells.every((text) => text)), `lines ${JSON.stringify(lines)}`);
  const isOpen = () => page.locator('details.comparison').evaluateAll((folds) => folds.map((fold) => fold.open).join());
  expect(await isOpen() === 'true,false', `open at first: ${await isOpen()}`);
  const layers = async () => Promise.all(['base-1', 'candidate-1', 'base-2', 'candidate-2'].map(async (side) =>
    /^layer \d+, /.test(await page.locator(`#strip-${side} canvas`).getAttribute('aria-valuetext'))));
  await page.locator('#comparison-1 tr.row').nth(1).click();
  expect(`${await layers()}` === 'true,true,false,false', `the first comparison's row marks ${await layers()}`);
  expect(/group=0-1/.test(page.url()), `the address is ${page.url()}`);
  await page.locator('.lines a').nth(1).click();
  await page.waitForFunction(() => [...document.querySelectorAll('details.comparison')].every((fold) => fold.open), null, { timeout: 5000 })
    .catch(async () => expect(false, `the line opens ${await isOpen()}`));
  await page.locator('#comparison-2 nav.tabs a', { hasText: 'Differences' }).click();
  expect(await page.locator('#differences-2').isVisible() && await page.locator('#groups-1').isVisible(), 'a tab changes the other comparison');
  await page.locator('#comparison-2 nav.tabs a', { hasText: 'Layers' }).click();
  const row = page.locator('#comparison-2 tr.row').nth(2);
  const name = await row.locator('td.name').innerText();
  await row.click();
  expect(`${await layers()}` === 'false,false,true,true', `the second comparison's row marks ${await layers()}`);
  const width = await page.locator('#strip-base-2 canvas').evaluate((canvas) => canvas.width / canvas.clientWidth);
  expect(Math.abs(width - 1) < 0.01, `the strip was drawn for another width, ${width} times as wide`);
  const link = page.url();
  await close();
  const again = await open(browser, link);
  const chosen = again.page.locator('tr.row[aria-selected=true]');
  expect(await chosen.count() === 1 && await chosen.locator('td.name').innerText() === name, `${link} selects ${await chosen.count()} rows`);
  await again.page.waitForFunction(() => {
    const fold = document.getElementById('comparison-2');
    return fold.open && fold.getBoundingClientRect().top < 200;
  }, null, { timeout: 5000 }).catch(() => expect(false, `${link} does not go to the second comparison`));
  await again.page.emulateMedia({ media: 'print' });
  await again.page.evaluate(() => { document.querySelectorAll('details.comparison').forEach((d) => { d.open = false; }); window.dispatchEvent(new Event('beforeprint')); });
  expect(await again.page.locator('#strip-base-1 canvas').isVisible() && await again.page.locator('#strip-base-2 canvas').isVisible(), 'not all of it is printed');
  noFaults([...faults, ...again.faults]);
  await again.close();
}

// The bar and its tables: as wide as the time says, and each shows the other.
export async function checkTimeline(browser, url) {
  const { page, faults, close } = await open(browser, url + '#tab=tab-build');
  const figure = page.locator('#build-time figure.pieces');
  const piece = (name) => figure.locator(`[data-row=${name}]`);
  const row = (n) => page.locator('[data-table=stages] tbody tr').nth(n);
  const whole = await figure.locator('svg.drawn').evaluate((svg) => svg.getBoundingClientRect().width);
  for (const n of [0, 1, 2]) {
    const s = parseFloat(await row(n).locator('td').first().innerText());
    const wide = await piece(`stages-${n}`).locator('rect').evaluate((rect) => rect.getBoundingClientRect().width);
    expect(Math.abs(wide / whole - s / 124.97) < 0.003, `${s} s are ${wide} of ${whole} px`);
  }
  await piece('stages-2').locator('rect').hover();
  expect(await row(2).evaluate((tr) => tr.classList.contains('lit')), 'the row of the piece under the pointer is not shown');
  expect(/^engine generation: 52.2 s$/.test(await figure.locator('.said').innerText()), `it says ${await figure.locator('.said').innerText()}`);
  await row(0).hover();
  expect(await piece('stages-0').evaluate((svg) => svg.classList.contains('lit')), 'the piece of the row under the pointer is not shown');
  await row(0).click();
  const chosen = () => figure.locator('.piece.chosen').getAttribute('data-row');
  expect(await chosen() === 'stages-0' && /piece=stages-0/.test(page.url()), `${await chosen()} at ${page.url()}`);
  await figure.locator('svg.drawn').focus();
  await page.keyboard.press('ArrowRight');
  expect(await chosen() === 'stages-2', `ArrowRight goes to ${await chosen()}`);
  expect(await figure.locator('svg.drawn').getAttribute('aria-valuetext') === 'engine generation: 52.2 s', 'a screen reader hears something else');
  const grid = page.locator('.grid[data-table=tuning]');
  await piece('tuning-1').locator('rect').click();
  expect(await grid.locator('tr[aria-selected=true]').getAttribute('data-row') === '1', 'the row of a layer is not selected');
  expect(await grid.locator('.details').isVisible(), 'nothing is said of the layer');
  await grid.locator('tr.row').nth(3).click();
  expect(await chosen() === 'tuning-3', `a row of the grid selects ${await chosen()}`);
  const link = page.url();
  await close();
  const again = await open(browser, link);
  expect(await again.page.locator('.piece.chosen').getAttribute('data-row') === 'tuning-3', `${link} shows another piece`);
  noFaults([...faults, ...again.faults]);
  await again.close();
}

// What is drawn has a contrast of 3 with what is beside it, labels one of 4.5 with their piece.
export async function checkContrast(browser, url, options) {
  const { page, close } = await open(browser, url + '#tab=tab-build', options);
  const pairs = await page.evaluate(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
    const style = (e) => getComputedStyle(e);
    const page = style(document.body).backgroundColor;
    const found = [];
    document.querySelectorAll('.even > rect, .odd > rect').forEach((rect) => found.push(['piece', 3, contrast(style(rect).fill, page)]));
    document.querySelectorAll('.rest > rect').forEach((rect) => found.push(['rest', 3, contrast(style(rect).stroke, page)]));
    document.querySelectorAll('.even > text, .odd > text').forEach((text) => found.push(['label', 4.5, contrast(style(text).fill, style(text.parentNode.querySelector('rect')).fill)]));
    document.querySelectorAll('.over path').forEach((path) => found.push(['line', 3, contrast(style(path).stroke, style(document.querySelector('.step > rect')).fill)]));
    document.querySelectorAll('.drawn .what, .beside, .rest text').forEach((text) => found.push(['text', 4.5, contrast(style(text).fill, page)]));
    return found;
  });
  expect(new Set(pairs.map(([what]) => what)).size === 5, `only ${[...new Set(pairs.map(([what]) => what))]}`);
  pairs.forEach(([what, least, is]) => expect(is >= least, `${what}: ${is}`));
  await close();
}

// Without script, on paper and on a narrow screen the drawings are there; nothing is where nothing is known.
export async function checkDrawings(browser, urls) {
  for (const [name, options] of [['no script', { javaScriptEnabled: false }], ['narrow', { viewport: { width: 390, height: 800 } }], ['paper', {}]]) {
    const { page, close } = await open(browser, urls.small + '#tab=tab-build', options);
    if (name === 'paper') {
      await page.emulateMedia({ media: 'print' });
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
      expect(!await page.locator('[data-table=stages]').isVisible(), 'the table is printed, too');
    }
    const titles = [];
    for (const figure of await page.locator('figure.pieces').all()) {
      const box = await figure.locator('svg.drawn').boundingBox();
      expect(box && box.width > 300 && box.height > 50, `${name}: ${JSON.stringify(box)}`);
      expect((await figure.locator('svg.drawn').getAttribute('aria-label')).length > 20, `${name}: no name`);
      titles.push(await figure.locator('b').innerText());
    }
    expect(titles.length === 4, `${name}: ${titles}`);
    await close();
  }
  const { page, close } = await open(browser, urls.hostile);
  expect(await page.locator('figure.pieces').count() === 0, 'a drawing of nothing');
  await close();
}
