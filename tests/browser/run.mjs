// Drives the HTML report in headless Chromium. Usage: node run.mjs TRTLENS CHROMIUM SCREENSHOT_FOLDER [WORDS]
// WORDS: only tests whose names have them. TRTLENS_ONLY_PAGES=1: the pages are made and not opened.
// Exit 77 is a skip that says why; with TRTLENS_REQUIRE_BROWSER=1 it is a failure.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkContrast, checkDrawings, checkMatrix, checkSeveral, checkTimeline } from './drawings.mjs';
import { checkBarContrast, checkBars, checkCards, checkGraph, checkHatching, checkHeads, checkLines, checkNameEnds, checkNarrow, checkPaper, checkSentences, checkTrend, checkWholeGraph } from './looks.mjs';
import { expect, noFaults, open } from './page.mjs';
import { checkFurther, checkHiddenRow, checkKeys, checkLinks, checkModules, checkScreen, checkStrips, checkWay } from './views.mjs';

const [trtlens, chromiumPath, screenshots, only = ''] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'trtlens-browser-'));
let axeSource = '';
process.on('exit', () => fs.rmSync(temp, { recursive: true, force: true }));

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(process.env.TRTLENS_REQUIRE_BROWSER === '1' ? 1 : 77);
}

function report(name, inputs, command = 'analyze') {
  const file = path.join(temp, `${name}.html`);
  execFileSync(trtlens, [command, ...inputs, '-o', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  return pathToFileURL(file).href;
}

const HOSTILE = ['</script><script>window.pwned = 1</script>', '<img src=x onerror="window.pwned = 2">', 'a"onfocus="window.pwned=3"autofocus="',
  "javascript:window.pwned=4", '${window.pwned=5}', 'rtl \u202e evil', '=HYPERLINK("http://x")', '\u2028line'];

// A build whose layer names try to be code.
function hostileBuild() {
  const folder = path.join(temp, 'hostile');
  fs.mkdirSync(folder);
  const layers = HOSTILE.map((name, i) => ({
    Name: name, LayerType: 'CaskConvolution', ParameterType: 'Convolution', TacticName: `sm80_xmma_${name}`,
    Inputs: [{ Name: `in ${name}`, Dimensions: [1, 3, 8, 8], 'Format/Datatype': 'Row major linear FP32' }],
    Outputs: [{ Name: `out ${i} ${name}`, Dimensions: [1, 3, 8, 8], 'Format/Datatype': 'Row major linear FP32' }],
  }));
  const profile = [{ count: 10 }, ...HOSTILE.map((name, i) => (
    { name, timeMs: 10 * (i + 1), averageMs: i + 1, medianMs: i + 1, percentage: 100 / HOSTILE.length }))];
  fs.writeFileSync(path.join(folder, 'layers.json'), JSON.stringify({ Layers: layers, Bindings: [] }));
  fs.writeFileSync(path.join(folder, 'profile.json'), JSON.stringify(profile));
  return [folder];
}

// Two builds of more layers than a phone gets as cards.
function longBuilds() {
  return [1, 1.2].map((factor, side) => {
    const folder = path.join(temp, `long-${side}`);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'profile.json'), JSON.stringify([{ count: 10 }, ...Array.from({ length: 320 }, (_, i) => (
      { name: `/features/block.${i}/conv/Conv`, timeMs: factor * (i + 1), averageMs: factor * (i + 1) / 10, percentage: 1 }))]));
    return folder;
  });
}

// Presses Tab until the focused element satisfies `test` (a function of the element, run in the page).
async function tabTo(page, what, test, limit = 300) {
  for (let i = 0; i < limit; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(test)) return;
  }
  throw new Error(`${what} is not reachable with ${limit} presses of Tab`);
}

// Position and cells of the column of the focused sort button.
const sortedColumn = () => {
  const head = document.activeElement.closest('th');
  const table = head.closest('table');
  const column = [...head.parentNode.children].indexOf(head);
  const cells = [...table.querySelectorAll('tbody tr')].filter((r) => r.offsetParent !== null && r.children.length > column)
    .map((r) => r.children[column].textContent.trim());
  return { sort: head.getAttribute('aria-sort'), cells };
};

// Of the grid of the focused filter: rows that it says it has, and rows whose data contain the word.
const gridRows = async (word) => {
  const host = document.activeElement.closest('.grid');
  const packed = document.querySelector(`script[data-packed="${host.id}"]`).textContent;
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const { columns, rows } = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
  const texts = columns.map((c) => {
    let next = 0;
    return c.words ? c.word.map((k) => c.words[k ? k - 1 : next++]) : c.value.map(String);
  });
  const holds = (row) => texts.some((text) => text[row].toLowerCase().includes(word));
  return {
    shown: Number(host.querySelector('table').getAttribute('aria-rowcount')) - 1,
    drawn: host.querySelectorAll('tbody tr.row').length,
    expected: Array.from({ length: rows }, (_, row) => row).filter(holds).length,
    all: rows,
    status: host.querySelector('[role=status]').textContent,
  };
};

async function checkSort(page) {
  await tabTo(page, 'a sort button of the layer table', () => {
    const e = document.activeElement;
    const head = e && e.tagName === 'BUTTON' && e.closest('th');
    return Boolean(head) && /ms|time/i.test(head.textContent);
  });
  const orders = [];
  for (let i = 0; i < 2; ++i) {
    await page.keyboard.press('Enter');
    const { sort, cells } = await page.evaluate(sortedColumn);
    expect(['ascending', 'descending'].includes(sort), `aria-sort is ${sort} after Enter`);
    const numbers = cells.map(parseFloat).filter((n) => !Number.isNaN(n));
    expect(numbers.length > 5, `only ${numbers.length} times in the sorted column: ${cells.slice(0, 5)}`);
    const sign = sort === 'ascending' ? 1 : -1;
    expect(numbers.every((n, k) => k === 0 || sign * (n - numbers[k - 1]) >= 0), `${sort}, but the cells are ${numbers.slice(0, 12)}`);
    orders.push(sort);
  }
  expect(orders[0] !== orders[1], `Enter twice sorts ${orders}`);
}

async function checkFilter(page) {
  await tabTo(page, 'the filter', () => document.activeElement instanceof HTMLInputElement && document.activeElement.type === 'search');
  const before = await page.evaluate(gridRows, '');
  expect(before.shown === before.all && before.drawn > 5, `at first ${JSON.stringify(before)}`);
  await page.keyboard.type('reformat');
  const during = await page.evaluate(gridRows, 'reformat');
  expect(during.shown === during.expected && during.shown > 0 && during.shown < before.shown, `filtered ${JSON.stringify(during)}`);
  expect(during.status.includes(String(during.shown)), `status "${during.status}" for ${during.shown} rows`);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  expect((await page.evaluate(gridRows, '')).shown === before.all, 'clearing the filter does not bring the rows back');
}

const panelTitle = (page) => page.locator('#panel h3').innerText();
const strip = (page) => page.locator('#strip canvas');

// A click, an arrow key or the address: all views show the same layer, and the address says which.
async function checkSelection(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const chosenRow = () => page.locator('#layers tr[aria-selected=true]');
  await page.locator('#layers tr.row').nth(2).click();
  const label = await chosenRow().locator('td.name').first().innerText();
  const number = Number(await chosenRow().locator('td').first().innerText());
  const everywhere = async (layer, name, how) => {
    expect(await panelTitle(page) === `#${layer} ${name}`, `${how}: the panel shows ${await panelTitle(page)}, not #${layer} ${name}`);
    expect(await strip(page).getAttribute('aria-valuenow') === String(layer), `${how}: the strip is at another layer than ${layer}`);
    expect(await page.locator('.node.chosen').getAttribute('data-layer') === String(layer), `${how}: the graph is around another layer`);
    expect((await page.url()).includes(`layer=${layer}`), `${how}: the address is ${page.url()}`);
  };
  await everywhere(number, label, 'row');
  await strip(page).focus();
  await page.keyboard.press('ArrowRight');
  const next = await chosenRow().locator('td.name').first().innerText();
  expect(Number(await chosenRow().locator('td').first().innerText()) > number, 'ArrowRight does not go on in the order of execution');
  await everywhere(Number(await chosenRow().locator('td').first().innerText()), next, 'key');
  const neighbour = page.locator('.node:not(.chosen)').first();
  const title = (await neighbour.locator('text').first().textContent()).replace('…', '');
  await neighbour.focus();
  await page.keyboard.press('Enter');
  expect(title.length > 2 && (await panelTitle(page)).startsWith(title), `Enter on ${title} shows ${await panelTitle(page)}`);
  const link = page.url();
  await close();
  const again = await open(browser, link);
  expect((await panelTitle(again.page)).startsWith(title), `${link} shows ${await panelTitle(again.page)}`);
  noFaults([...faults, ...again.faults]);
  await again.close();
}

// A finding marks its layers, leaves only them in the table, and shows what to do.
async function checkFinding(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const all = Number(await page.locator('#layers table[role=grid]').getAttribute('aria-rowcount'));
  const link = page.locator('.list a[data-finding]').nth(1);
  await link.click();
  expect(await link.getAttribute('aria-current') === 'true', 'the chosen finding is not marked');
  expect(await panelTitle(page) === await link.locator('.what').innerText(), `the panel shows ${await panelTitle(page)}`);
  expect(/What to do/.test(await page.locator('#panel').innerText()), 'no word of what to do');
  const few = Number(await page.locator('#layers table[role=grid]').getAttribute('aria-rowcount'));
  expect(few > 1 && few < all, `${few} of ${all} rows`);
  expect(page.url().includes('finding=2'), `the address is ${page.url()}`);
  const slowest = await page.locator('#layers tr.row').first().locator('td').first().innerText();  // of its layers, by time
  expect(await page.locator('#panel .node.chosen').getAttribute('data-layer') === slowest, 'the graph is not around the slowest layer');
  await page.locator('#layers .chip').click();
  expect(Number(await page.locator('#layers table[role=grid]').getAttribute('aria-rowcount')) === all, 'the rows do not come back');
  noFaults(faults);
  await close();
}

async function checkTabs(browser, url) {
  const { page, faults, close } = await open(browser, url);
  expect(await page.locator('.tab:not([hidden])').count() === 1, 'not one tab is open');
  await page.locator('nav.tabs a', { hasText: 'Time' }).click();
  expect(await page.locator('#time').isVisible() && !await page.locator('#layers').isVisible(), 'the tab does not change');
  const link = page.url();
  await close();
  const again = await open(browser, link);
  expect(await again.page.locator('#time').isVisible(), `${link} opens another tab`);
  await again.page.goto(url + '#tactics');
  expect(await again.page.locator('#tactics').isVisible(), 'the address of a section does not open its tab');
  const third = await open(browser, url + '#roofline');
  const whole = third.page.locator('#roofline .whole').first();
  expect(await whole.isVisible(), 'the address of a fold does not open it');
  await whole.locator('summary').click();
  expect(/onnx::Conv_193/.test(await whole.locator('.sub').innerText()), 'the whole name is not behind the short one');
  await third.close();
  noFaults([...faults, ...again.faults]);
  await again.close();
}

// By two columns, as a spreadsheet sorts: the second one orders what the first leaves equal.
async function checkColumns(browser, url) {
  const { page, faults, close } = await open(browser, url);
  await page.locator('#layers th button', { hasText: 'Precision' }).click();
  await page.locator('#layers th button', { hasText: 'Time' }).click({ modifiers: ['Shift'] });
  const rows = await page.locator('#layers tr.row').evaluateAll((trs) => trs.map((tr) => [
    tr.querySelector('td.precision').textContent, parseFloat(tr.children[2].textContent)]));
  expect(rows.length > 10, `${rows.length} rows`);
  expect(rows.every(([kind, ms], i) => i === 0 || rows[i - 1][0] < kind || (rows[i - 1][0] === kind && rows[i - 1][1] >= ms)),
    `not in order: ${rows.join(' ')}`);
  await page.locator('#layers .menu summary').click();
  await page.locator('#layers .menu label', { hasText: 'Tactic' }).locator('input').check();
  expect(await page.locator('#layers th button', { hasText: 'Tactic' }).count() === 1, 'the column does not come');
  await page.locator('#layers .menu label', { hasText: 'Share' }).locator('input').uncheck();
  expect(await page.locator('#layers th button', { hasText: 'Share' }).count() === 0, 'the column does not go');
  await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
  await page.locator('button', { hasText: 'Copy CSV' }).first().click();
  const lines = (await page.evaluate(() => window.copied)).trim().split('\n');
  expect(lines[0] === '#,Layer,Time (ms),Precision,Of roof,Type,Tactic', `heading ${lines[0]}`);
  expect(lines.length === 1 + await page.evaluate(() => document.querySelector('#layers table').getAttribute('aria-rowcount') - 1), 'not all rows');
  noFaults(faults);
  await close();
}

async function checkComparison(browser, url) {
  const { page, faults, close } = await open(browser, url);
  expect(await page.locator('.strip canvas').count() === 2, 'not two strips');
  await page.locator('tr.row').nth(1).click();
  for (const side of ['base', 'candidate']) {
    const text = await page.locator(`#strip-${side} canvas`).getAttribute('aria-valuetext');
    expect(/^layer \d+, /.test(text), `the strip of the ${side} shows ${text}`);
  }
  expect(/group=0-1/.test(page.url()), `the address is ${page.url()}`);
  // Of a convolution and the slower conversion in front of it, the convolution.
  await page.locator('#groups tr.row', { hasText: 'layer2.0.conv1 + relu' }).click();
  for (const side of ['base', 'candidate']) {
    const text = await page.locator(`#strip-${side} canvas`).getAttribute('aria-valuetext');
    expect(/, layer2\.0\.conv1 \+ relu$/.test(text), `of a group the strip of the ${side} shows ${text}`);
  }
  const steps = await page.locator('.ladder tr').evaluateAll((trs) => trs.map((tr) => [tr.children[0].textContent, parseFloat(tr.children[2].textContent)]));
  const sum = steps.slice(0, -1).reduce((s, [, ms]) => s + ms, 0);
  expect(steps[0][0] === 'base' && steps.at(-1)[0] === 'candidate', `steps ${steps}`);
  expect(Math.abs(sum - steps.at(-1)[1]) < 0.02, `base and steps add up to ${sum}, the candidate is ${steps.at(-1)[1]}`);
  noFaults(faults);
  await close();
}

// axe-core's rules of WCAG 2.1 A and AA, landmarks that differ, and a skip link that leads somewhere.
// What axe-core finds, as texts: all that it looked at takes longer to hand over than to look at.
const violationsHere = async () => {
  const { violations } = await window.axe.run(document, {
    resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], rules: { 'landmark-unique': { enabled: true }, 'skip-link': { enabled: true } },
  });
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(' | ')}`);
};

async function checkAccessibility(browser, url, options) {
  const { page, close } = await open(browser, url, options);
  await page.evaluate(axeSource);
  await page.evaluate(() => document.querySelectorAll('details.comparison').forEach((fold) => { fold.open = true; }));
  for (const tab of [null, ...await page.locator('nav.tabs a').all()]) {
    if (tab) await tab.click();
    const found = await page.evaluate(violationsHere);
    expect(found.length === 0, found.join('\n'));
  }
  await close();
}

async function screenshot(page, name) {
  fs.mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
  await page.screenshot({ path: path.join(screenshots, `${name}-whole.png`), fullPage: true });
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

function tests(urls) {
  const list = [];
  for (const name of ['small', 'large']) {
    list.push([`${name}: loads without network, errors or CSP violations`, async (browser) => {
      const { page, faults, close } = await open(browser, urls[name]);
      const policy = await page.evaluate(() => document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content || '');
      expect(/default-src 'none'/.test(policy) && !/unsafe/.test(policy), `policy: ${policy}`);
      expect((await page.title()).length > 0 && await page.evaluate(() => document.documentElement.lang), 'no title or language');
      expect(await page.locator('h1').count() === 1, 'not one h1');
      noFaults(faults);
      await close();
    }]);
    list.push([`${name}: sorting and filtering by keyboard`, async (browser) => {
      const { page, faults, close } = await open(browser, urls[name]);
      await checkSort(page);
      await page.reload();
      await checkFilter(page);
      noFaults(faults);
      await close();
    }]);
    for (const [theme, options] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 380, height: 800 } }]]) {
      list.push([`${name}: ${theme}`, async (browser) => {
        const { page, faults, close } = await open(browser, urls[name], options);
        expect(await overflow(page) <= 1, `the page is ${await overflow(page)} px wider than the window`);
        await screenshot(page, `${name}-${theme}`);
        noFaults(faults);
        await close();
      }]);
    }
  }
  for (const name of ['small', 'large']) {
    list.push([`${name}: one selection in all views`, (browser) => checkSelection(browser, urls[name])]);
    list.push([`${name}: a finding and its layers`, (browser) => checkFinding(browser, urls[name])]);
  }
  list.push(['tabs', (browser) => checkTabs(browser, urls.small)]);
  list.push(['columns: order, choice, CSV', (browser) => checkColumns(browser, urls.small)]);
  list.push(['build timeline and its tables', (browser) => checkTimeline(browser, urls.small)]);
  list.push(['drawings: without script, narrow, on paper', (browser) => checkDrawings(browser, urls)]);
  for (const colorScheme of ['light', 'dark']) {
    list.push([`drawings: contrast, ${colorScheme}`, (browser) => checkContrast(browser, urls.small, { colorScheme })]);
  }
  for (const colorScheme of ['light', 'dark']) {
    list.push([`bars and marks: contrast, ${colorScheme}`, (browser) => checkBarContrast(browser, urls.small, { colorScheme })]);
  }
  for (const name of ['small', 'comparison']) {
    list.push([`${name}: no head is cut`, (browser) => checkHeads(browser, urls[name])]);
  }
  list.push(['bars: as long as the share', (browser) => checkBars(browser, urls)]);
  list.push(['kinds without a colour are hatched', (browser) => checkHatching(browser, urls.small)]);
  list.push(['on a phone the columns that matter stay', (browser) => checkNarrow(browser, urls.untimed)]);
  list.push(['sentences in tables are whole', (browser) => checkSentences(browser, urls.overview)]);
  list.push(['on a phone a name of many has half of its line', (browser) => checkLines(browser, urls.lines)]);
  list.push(['on a phone the end of a name stays', (browser) => checkNameEnds(browser, urls.large)]);
  for (const name of ['overview', 'history', 'check', 'comparison', 'matrix', 'small', 'failed']) {
    list.push([`${name}: on a phone every cell is in view`, (browser) => checkCards(browser, urls[name])]);
  }
  list.push(['on paper nothing is wider than its box', (browser) => checkPaper(browser, urls)]);
  list.push(['neighbourhood graph: texts and steps', (browser) => checkGraph(browser, urls.small)]);
  for (const name of ['small', 'large']) {
    list.push([`${name}: neighbourhood graph: whole`, (browser) => checkWholeGraph(browser, urls[name])]);
  }
  list.push(['rows, evidence and cards select their layers', (browser) => checkLinks(browser, urls.small)]);
  list.push(['modules select their layers', (browser) => checkModules(browser, urls.small)]);
  list.push(['a hidden row is said', (browser) => checkHiddenRow(browser, urls.small)]);
  list.push(['keys, copies, the cursor of the chart', (browser) => checkKeys(browser, urls.small)]);
  list.push(['first screen: steps, times, marks', (browser) => checkScreen(browser, urls)]);
  list.push(['comparison: every layer by keyboard', (browser) => checkStrips(browser, urls.comparison)]);
  list.push(['comparison: a step of the way selects its layers', (browser) => checkWay(browser, urls.comparison, urls.unlike)]);
  list.push(['further findings select their layers', (browser) => checkFurther(browser, urls.top)]);
  list.push(['several comparisons in one page', (browser) => checkSeveral(browser, urls.three)]);
  list.push(['comparison: both strips and the way', (browser) => checkComparison(browser, urls.comparison)]);
  list.push(['variants against one base', (browser) => checkMatrix(browser, urls.matrix)]);
  for (const name of ['small', 'failed', 'comparison', 'faster', 'three', 'matrix', 'hostile', 'check', 'history']) {
    for (const width of [1280, 390]) {
      list.push([`${name}: axe-core at ${width} px`, async (browser) => {
        for (const colorScheme of ['light', 'dark']) {
          await checkAccessibility(browser, urls[name], { colorScheme, viewport: { width, height: 800 } });
        }
      }]);
    }
    list.push([`${name}: no sideways scrolling at 390 px`, async (browser) => {
      const { page, close } = await open(browser, urls[name], { viewport: { width: 390, height: 800 } });
      expect(await overflow(page) <= 0, `the page is ${await overflow(page)} px wider than the window`);
      await close();
    }]);
  }
  list.push(['the first screen shows cause, strip and findings', async (browser) => {
    const { page, close } = await open(browser, urls.small, { viewport: { width: 1280, height: 800 } });
    for (const part of ['.speed', '#strip canvas', '.ladder', '.list a[data-finding]', '#panel', '#layers tr.row']) {
      const box = await page.locator(part).first().boundingBox();
      expect(box && box.y + Math.min(box.height, 28) <= 800, `${part} begins at ${box && box.y} px`);
    }
    // Whatever else there is, the first row of the table is in view, and no step of the way is cut.
    for (const [name, height] of [['small', 720], ['large', 760], ['large', 800]]) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto('about:blank');
      await page.goto(urls[name]);
      await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
      const row = await page.locator('#layers tr.row').first().boundingBox();
      expect(row.y + row.height <= height, `${name}: the first row ends at ${row.y + row.height} of ${height} px`);
      const cut = await page.locator('.ladder th a').evaluateAll((all) => all.filter((a) => a.scrollWidth > a.clientWidth + 1 || a.offsetHeight < a.scrollHeight).map((a) => a.textContent));
      expect(cut.length === 0, `${name}: cut: ${cut}`);
    }
    await page.goto(urls.failed);
    const cause = await page.locator('.cause').boundingBox();
    expect(cause.y < 100, `the cause begins at ${cause.y} px`);
    await close();
  }]);
  list.push(['times of the queries: drawn, values, zoom', async (browser) => {
    const { page, faults, close } = await open(browser, urls.small + '#time');
    const plot = page.locator('.series .u-over');
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const shown = async () => parseFloat((await page.locator('.series .u-legend .u-value').nth(1).innerText()));
    const ms = await shown();
    expect(ms > 0.78 && ms < 0.84, `the value in the middle is ${ms}`);
    const middle = async () => parseFloat(await page.locator('.series .u-legend .u-value').first().innerText());
    const before = await middle();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 40);
    await page.mouse.up();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    expect(await middle() > before * 1.3, `dragging does not zoom: ${before} and ${await middle()} s`);
    noFaults(faults);
    await close();
  }]);
  list.push(['trend: whole builds on the axis, no row for what is not drawn', (browser) => checkTrend(browser, urls)]);
  list.push(['vendored files are those of the lock file', async () => {
    const here = path.dirname(fileURLToPath(import.meta.url));
    for (const name of ['uPlot.iife.min.js', 'uPlot.min.css']) {
      const npm = fs.readFileSync(path.join(here, 'node_modules', 'uplot', 'dist', name), 'utf8');
      expect(fs.readFileSync(path.join(root, 'report', 'web', 'vendor', name), 'utf8') === npm, `${name} differs from npm's`);
    }
  }]);
  list.push(['dark and light differ', async (browser) => {
    const colours = [];
    for (const colorScheme of ['light', 'dark']) {
      const { page, close } = await open(browser, urls.small, { colorScheme });
      colours.push(await page.evaluate(() => [document.documentElement, document.body].map((e) => getComputedStyle(e).backgroundColor).join()));
      await close();
    }
    expect(colours[0] !== colours[1], `both have ${colours[0]}`);
  }]);
  list.push(['readable without scripts', async (browser) => {
    const { page, faults, close } = await open(browser, urls.small, { javaScriptEnabled: false });
    expect(/INT8/.test(await page.locator('body').innerText()), 'no word of INT8');
    expect(await page.locator('table tr').count() > 10, 'no table of layers');
    const titles = (await page.locator('h3, caption').allInnerTexts()).filter((text) => text);
    const twice = titles.filter((text, i) => titles.indexOf(text) < i);
    expect(twice.length === 0, `there twice: ${twice}`);
    noFaults(faults);
    await close();
  }]);
  list.push(['prints on a few pages', async (browser) => {
    const { page, close } = await open(browser, urls.large);
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
    expect(pages <= 6, `${pages} pages`);
    await close();
  }]);
  list.push(['names from the input are never code', async (browser) => {
    const { page, faults, close } = await open(browser, urls.hostile);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => window.pwned) === undefined, 'a layer name was run as code');
    expect(await page.evaluate(() => document.querySelectorAll('img[src="x"]').length) === 0, 'a layer name became an element');
    const text = await page.locator('body').innerText();
    expect(text.includes('onerror='), 'the hostile name is not shown as text');
    expect(!text.includes('\u202e'), 'a bidirectional control reaches the page');
    noFaults(faults);
    await close();
  }]);
  return list;
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < 18) skip(`node ${process.versions.node}, 18 is needed`);
  let chromium;
  try {
    ({ chromium } = await import('playwright-core'));
    axeSource = fs.readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
  } catch {
    skip('playwright-core and axe-core are not installed (scripts/setup test)');
  }
  const builds = path.join(root, 'fixtures', 'builds');
  const urls = {
    small: report('small', [path.join(builds, 'b_r18_q_conv')]),
    large: report('large', [path.join(builds, 'b_mob_q_dwnow_i8')]),
    failed: report('failed', [path.join(builds, 'b_nofile')]),
    comparison: report('comparison', [path.join(builds, 'b_r18_q_conv'), path.join(builds, 'g_r18_q_res')], 'compare'),
    faster: report('faster', [path.join(builds, 'b_r18_q_conv'), path.join(builds, 'b_r18_q_res'), '--fail-on', 'none'], 'compare'),
    three: report('three', ['a_r18_fp16', 'b_r18_q_conv', 'b_r18_q_res'].map((name) => path.join(builds, name)).concat('--fail-on', 'none'), 'compare'),
    matrix: report('matrix', ['a_r18_fp16', 'b_r18_q_conv', 'b_r18_q_res', 'b_r18_notf32'].map((name) => path.join(builds, name)).concat('--against', 'base', '--fail-on', 'none'), 'compare'),
    lines: report('lines', longBuilds().concat('--fail-on', 'none'), 'compare'),
    hostile: report('hostile', hostileBuild()),
    unlike: report('unlike', [path.join(builds, 'b_lstm'), path.join(builds, 'g_gather'), '--force', '--fail-on', 'none'], 'compare'),
    top: report('top', [path.join(builds, 'b_r18_q_conv'), '--top', '1']),
    untimed: report('untimed', [path.join(builds, 'rtx_mlp_fp8')]),
    overview: report('overview', ['a_r18_fp16', 'b_nofile', 'b_lstm'].map((name) => path.join(builds, name))),
    check: report('check', [path.join(root, 'fixtures', 'contracts', 'attention', 'bad'), '--contract',
      path.join(root, 'fixtures', 'contracts', 'attention', 'engine.contract'), '--fail-on', 'none'], 'check'),
    history: report('history', ['list', '--db', path.join(root, 'fixtures', 'history', 'builds.db')], 'history'),
    trend: report('trend', ['trend', '--db', path.join(root, 'fixtures', 'history', 'builds.db'), '--series', 'net.onnx'], 'history'),
  };
  if (process.env.TRTLENS_ONLY_PAGES === '1') {
    console.log(`${Object.keys(urls).length} pages made`);
    return 0;
  }
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
  let failed = 0;
  for (const [name, run] of tests(urls).filter(([name]) => name.includes(only))) {
    const begin = performance.now();
    try {
      await run(browser);
      console.log(`ok      ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n        ${String(error.message).split('\n').slice(0, 12).join('\n        ')}`);
    }
  }
  await browser.close();
  console.log(`${failed} failed; screenshots in ${screenshots}`);
  return failed ? 1 : 0;
}

process.exitCode = await main();
