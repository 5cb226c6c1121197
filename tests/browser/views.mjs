// One selection in all views, and what a reader does with keys and buttons.
import { expect, noFaults, open } from './page.mjs';

const panelTitle = (page) => page.locator('#panel h3').first().innerText();

// A row of any table that is about a layer, evidence, a module, a card.
export async function checkLinks(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const everywhere = async (layer, how) => {
    expect((await panelTitle(page)).startsWith(`#${layer} `), `${how}: the panel shows ${await panelTitle(page)}, not #${layer}`);
    expect(await page.locator('#strip canvas').getAttribute('aria-valuenow') === String(layer), `${how}: the strip is elsewhere`);
    expect(page.url().includes(`layer=${layer}`), `${how}: the address is ${page.url()}`);
  };
  const tab = (name) => page.locator('nav.tabs a', { hasText: name }).click();
  await tab('Tactics');
  await page.locator('#tactics tr.row', { hasText: 'layer3.0.downsample' }).first().click();
  await everywhere(22, 'race');
  expect(await page.locator('#tactics .grid tr[aria-selected=true]').count() === 2, 'the other table of races shows another layer');
  expect(await page.locator('.peek').isVisible() === !await page.locator('#panel').evaluate((e) => e.getBoundingClientRect().bottom > 0), 'what is selected is out of sight');
  await tab('Time');
  await page.locator('#roofline > details > summary').click();
  await page.locator('#roofline tr[data-layer="2"] summary').first().click();
  await everywhere(2, 'roofline');
  await tab('Precision');
  await page.locator('#reformats summary').first().click();
  await page.locator('#reformats tr[data-layer="3"]').first().locator('td').first().click();
  await everywhere(3, 'reformat');
  await tab('Findings');
  await page.locator('#finding-1 .columns > div:last-child button[data-layer="4"]').first().click();
  await everywhere(4, 'evidence');
  // Short labels; the whole names are their titles.
  const places = await page.locator('.evidence .place').evaluateAll((all) => all.map((e) => [e.textContent, e.title]));
  const long = places.filter(([text]) => text.length > 60).map(([text]) => text);
  expect(long.length === 0, `evidence names ${long[0]}`);
  expect(places.some(([text, title]) => text === 'conv1 + relu' && /^onnx::Conv_193 \+ QuantizeLinear_2 \+/.test(title)), 'no whole name behind its label');
  await page.locator('#finding-2 > summary').click();
  await page.locator('#finding-2 > summary').click();
  expect(await panelTitle(page) === await page.locator('#finding-2 h3').innerText(), 'a card does not select its finding');
  await page.locator('#finding-1 details.window', { hasText: 'All 14 layers' }).locator('summary').click();
  expect(await page.locator('#finding-1 details.window li:visible').count() === 14, 'not all layers of "and 11 more"');
  await page.locator('#finding-1 details.window', { hasText: 'and 16 more' }).locator('summary').click();
  expect(await page.locator('#finding-1 .evidence li:visible').count() >= 24, 'the rest of the evidence does not open');
  await page.locator('a', { hasText: /notes?$/ }).first().click();
  expect(await page.locator('#notes').isVisible(), 'the link to the notes');
  noFaults(faults);
  await close();
}

// Modules: in the flame view and in their table.
export async function checkModules(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const box = await page.locator('#strip canvas').boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + 5);
  const rows = async () => page.locator('#layers td.name').allInnerTexts();
  expect(await panelTitle(page) === 'layer1' && /module=layer1/.test(page.url()), `${await panelTitle(page)} at ${page.url()}`);
  expect((await rows()).length > 3 && (await page.locator('#layers .chip').first().innerText()).startsWith('module layer1'), 'the table shows other rows');
  const link = page.url();
  await page.locator('nav.tabs a', { hasText: 'Time' }).click();
  await page.locator('#modules > details > summary').click();
  await page.locator('#modules tr[data-module="layer2.1"] summary').click();
  expect(await panelTitle(page) === 'layer2.1', `the row shows ${await panelTitle(page)}`);
  await close();
  const again = await open(browser, link);
  expect(await panelTitle(again.page) === 'layer1', `${link} shows ${await panelTitle(again.page)}`);
  noFaults([...faults, ...again.faults]);
  await again.close();
}

// A selected row that the filter hides is said, and comes back.
export async function checkHiddenRow(browser, url) {
  const { page, faults, close } = await open(browser, url);
  await page.locator('#layers tr.row').first().click();
  await page.locator('#layers input[type=search]').fill('pooling');
  const chip = page.locator('#layers button', { hasText: 'is hidden by the filter' });
  await page.locator('#strip canvas').focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < 2; ++i) await page.keyboard.press('ArrowRight');
  expect(/^#2 /.test(await chip.innerText()), `it says ${await chip.innerText()}`);
  await chip.click();
  expect(await page.locator('#layers tr[aria-selected=true]').count() === 1 && !await chip.isVisible(), 'the row does not come');
  await page.locator('a[data-finding="2"]').first().click();
  expect(!await chip.isVisible(), 'nothing is selected, but a row is hidden');
  noFaults(faults);
  await close();
}

// "/" goes to the filter of the table in sight; commands can be copied.
export async function checkKeys(browser, url) {
  const { page, faults, close } = await open(browser, url);
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement === document.querySelector('#layers input[type=search]')), '"/" does not go to the filter');
  await page.keyboard.type('a/b');
  expect(await page.locator('#layers input[type=search]').inputValue() === 'a/b', 'in the filter "/" is a letter');
  await page.locator('nav.tabs a', { hasText: 'Tactics' }).click();
  await page.locator('h1').click();
  await page.keyboard.press('/');
  expect(await page.evaluate(() => Boolean(document.activeElement.closest('#tactics'))), '"/" goes to a hidden table');
  await page.evaluate(() => { navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; });
  const command = page.locator('#panel .command').first();
  await command.locator('button').click();
  expect(await page.evaluate(() => window.copied) === await command.locator('code').textContent(), 'another text is copied');
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false; });
  await command.locator('button').click();
  expect((await page.evaluate(() => String(window.getSelection()))).startsWith('trtexec'), 'without a clipboard the command is not selected');
  await page.locator('nav.tabs a', { hasText: 'Time' }).click();
  const series = page.locator('.series');
  await series.focus();
  await page.keyboard.press('End');
  const end = await series.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  const before = await series.getAttribute('aria-valuetext');
  expect(/^seconds since the run began [\d.]+: 0\.[78]\d* ms per query$/.test(before) && end !== before, `${end}, then ${before}`);
  const shown = await page.locator('.series .u-value').nth(1).innerText();
  expect(before.includes(`: ${shown} `), `${shown} is shown, "${before}" is said`);
  noFaults(faults);
  await close();
}

// Of both sides every layer can be reached by arrow keys; shares are of the strip's own time.
export async function checkStrips(browser, url) {
  const { page, faults, close } = await open(browser, url);
  const sums = await page.locator('.ladder td:last-child').allInnerTexts();
  for (const [side, sum] of [['base', parseFloat(sums[0])], ['candidate', parseFloat(sums.at(-1))]]) {
    const canvas = page.locator(`#strip-${side} canvas`);
    await canvas.focus();
    await page.keyboard.press('Home');
    let last = -1;
    for (let i = 0; i < 14; ++i) {
      const now = Number(await canvas.getAttribute('aria-valuenow'));
      expect(now > last, `${side}: ArrowRight stays at ${last}`);
      last = now;
      const said = await page.locator(`#strip-${side} .said`).innerText();
      const [, ms, share] = /· ([\d.]+) ms · ([\d.]+) %/.exec(said);
      expect(Math.abs(100 * ms / sum - share) < 0.6, `${side}: ${said} of ${sum} ms`);
      await page.keyboard.press('ArrowRight');
    }
  }
  noFaults(faults);
  await close();
}

// A row of the way from the base to the candidate: its layers in both strips and in the tables.
export async function checkWay(browser, url, unlike) {
  const { page, faults, close } = await open(browser, url);
  const link = page.locator('.ladder a[data-part]', { hasText: /from FP16 to INT8|fused differently/ }).first();
  const label = await link.innerText();
  const all = Number(await page.locator('.grid [role=grid]').first().getAttribute('aria-rowcount')) - 1;
  await link.focus();
  await page.keyboard.press('Enter');
  const shown = async (where) => {
    expect(/part=0-\d/.test(where.url()), `the address is ${where.url()}`);
    expect(await where.locator('.ladder a[aria-current=true]').innerText() === label, 'another row is the chosen one');
    for (const side of ['base', 'candidate']) {
      expect(await where.locator(`#strip-${side} .marked`).isVisible(), `nothing is marked in the strip of the ${side}`);
    }
    expect((await where.locator('.grid .chip').first().innerText()).startsWith(label), 'the table does not say what it shows');
    const rows = Number(await where.locator('.grid [role=grid]').first().getAttribute('aria-rowcount')) - 1;
    expect(rows > 0 && rows < all, `${rows} of ${all} rows`);
    return rows;
  };
  const rows = await shown(page);
  const [count] = label.split(' ').map(Number);
  expect(rows === count, `${label}: ${rows} rows`);
  const again = await open(browser, page.url());
  await shown(again.page);
  await again.page.locator('.grid .chip').first().click();
  expect(!/part=/.test(again.page.url()) && !await again.page.locator('.marked').first().isVisible(), 'what was chosen stays');
  // A part of layers that one side alone has opens the table of these.
  await again.page.goto(unlike);
  await again.page.locator('.ladder a[data-part]', { hasText: 'gone' }).first().click();
  expect(await again.page.locator('#unmatched tr.row').first().isVisible(), 'the table of one side stays closed');
  noFaults([...faults, ...again.faults]);
  await again.close();
  await close();
}

// Findings without a card: their rows select layers, and the panel says what is known.
export async function checkFurther(browser, url) {
  const { page, faults, close } = await open(browser, url);
  await page.locator('nav.tabs a', { hasText: 'Findings' }).click();
  const row = page.locator('[data-table=further-findings] tbody tr').first();
  const title = await row.locator('th').innerText();
  await row.locator('button').focus();
  await page.keyboard.press('Enter');
  expect(await panelTitle(page) === title, `the panel shows ${await panelTitle(page)}`);
  const number = await row.locator('td').first().innerText();
  expect(page.url().includes(`finding=${number}`), `the address is ${page.url()}`);
  const layers = await page.locator('#panel li').count();
  expect(layers > 0 && await page.locator('.marked').innerText() === `finding ${number}`, 'its layers are not marked');
  await page.locator('nav.tabs a', { hasText: 'Layers' }).click();
  const rows = Number(await page.locator('#layers [role=grid]').getAttribute('aria-rowcount')) - 1;
  expect(rows === layers, `${rows} rows in the table, ${layers} layers in the panel`);
  await page.locator('#layers .chip').click();
  expect(!/finding=/.test(page.url()), 'what was chosen stays');
  noFaults(faults);
  await close();
}

// The first screen: each step to the roof with its finding, times of the queries, and what is marked.
export async function checkScreen(browser, urls) {
  const { page, faults, close } = await open(browser, urls.small);
  const steps = await page.locator('.first .ladder tr').evaluateAll((trs) => trs.map((tr) => tr.innerText.replace(/\s+/g, ' ')));
  expect(/at the roof \(no conversions, arithmetic at the GPU's peak in INT8, everything else as it is\)/.test(await page.locator('.ladder caption').innerText()), 'the roof is not explained');
  expect(/^Roof: what the GPU's peaks allow\./.test(await page.locator('#layers th button', { hasText: 'Of roof' }).getAttribute('title')), 'the column is not explained');
  expect(steps.length === 4 && /^now /.test(steps[0]) && /^after 1: 8 residual Adds.* ms \(inferred\)$/.test(steps[1]) && /^roof /.test(steps[3]), steps.join('; '));
  expect(await page.locator('.spark path').isVisible(), 'no times of the queries');
  // Two lines, neither with a dot at an end of it.
  const dots = await page.locator('.figures .line').evaluate((p) => {
    const box = p.getBoundingClientRect();
    const spans = [...p.querySelectorAll('span')].map((span) => span.getBoundingClientRect());
    const first = spans.filter((r, i) => i === 0 || r.top > spans[i - 1].top + 4);
    return { height: box.height, after: getComputedStyle(p.querySelector('span'), '::after').content, clipped: first.every((r) => r.left + 13 <= box.left + 0.5), first: first.length };
  });
  expect(dots.height < 48 && dots.after === 'none' && dots.first === 2 && dots.clipped, JSON.stringify(dots));
  expect(await page.locator('a[data-finding="1"][aria-current=true]').count() > 0 && await page.locator('.marked').innerText() === 'finding 1', 'what is shown is not marked');
  await page.locator('#layers tr.row').first().click();
  expect(!await page.locator('.marked').isVisible(), 'a legend of nothing');
  expect(/ of the roof/.test(await page.locator('#panel .brief').innerText()), 'no roof in the panel');
  await page.locator('.spark').click();
  expect(await page.locator('#time').isVisible(), 'the small chart does not lead to the large one');
  const fold = page.locator('#finding-1 .window summary').first();
  expect(await fold.evaluate((e) => getComputedStyle(e, '::after').content) === 'none', 'a closed fold shows a minus');
  await page.goto(urls.untimed);
  expect(/no profile/.test(await page.locator('#strip figcaption').innerText()), 'a strip without a word of the missing profile');
  expect(!/ ms/.test(await page.locator('#strip .said').innerText()), 'a time that nobody measured');
  expect(!(await page.locator('#panel').innerText()).includes(await page.locator('.cause h2').innerText()), 'the cause stands in the panel, too');
  await page.goto(urls.failed);
  expect(!await page.locator('#finding-1').evaluate((card) => card.open), 'the cause stands twice');
  await page.goto(urls.overview);
  const placeholder = await page.locator('input[type=search]').first().getAttribute('placeholder');
  expect(/Build/.test(placeholder) && !/tactic/.test(placeholder), placeholder);
  noFaults(faults);
  await close();
}
