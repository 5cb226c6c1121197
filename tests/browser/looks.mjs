// What is seen: contrast, bars, heads of tables, narrow screens and paper.
import { expect, noFaults, open } from './page.mjs';

// Of all tabs: bars, their tracks, marks of the kinds and the ladder, each against what is behind it.
export async function checkBarContrast(browser, url, options) {
  const { page, close } = await open(browser, url, options);
  for (const tab of await page.locator('nav.tabs a').all()) {
    await tab.click();
    const found = await page.evaluate(() => {
      document.querySelectorAll('.tab:not([hidden]) details').forEach((fold) => { fold.open = true; });
      const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
      const style = (e) => getComputedStyle(e);
      const behind = (e) => {
        for (let at = e.parentElement; at; at = at.parentElement) {
          const colour = style(at).backgroundColor;
          if (!/, 0\)$/.test(colour) && colour !== 'transparent') return colour;
        }
        return style(document.documentElement).backgroundColor;
      };
      const rgb = (hex) => 'rgb(' + [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(', ') + ')';
      const variable = (name) => rgb(style(document.documentElement).getPropertyValue(name).trim());
      const pairs = [];
      const seen = (e) => e.getClientRects().length > 0;
      document.querySelectorAll('.bar > rect').forEach((rect) => {
        if (seen(rect) && !/url/.test(style(rect).fill)) pairs.push(['bar', contrast(style(rect).fill, behind(rect))], ['bar in its row', contrast(style(rect).fill, behind(rect.parentElement))]);
      });
      document.querySelectorAll('.ladder .sure').forEach((rect) => pairs.push(['ladder', contrast(style(rect).fill, behind(rect))]));
      document.querySelectorAll('.ladder .range').forEach((rect) => pairs.push(['range', style(rect).stroke === 'none' ? 1 : contrast(style(rect).stroke, behind(rect))]));
      for (const kind of ['fp32', 'tf32', 'fp16', 'bf16', 'fp8', 'int8', 'int4', 'fp4', 'mixed', 'int32', 'int64', 'bool', 'none', 'qdq', 'reformat', 'unknown']) {
        ['--page', '--surface', '--sunk'].forEach((place) => pairs.push([`${kind} on ${place}`, contrast(variable('--p-' + kind), variable(place))]));
      }
      return pairs;
    });
    found.forEach(([what, is]) => expect(is >= 3, `${what}: ${is.toFixed(2)}`));
    expect(found.some(([what]) => what === 'ladder') && found.some(([what]) => what === 'range'), 'no ladder');
  }
  expect(await page.locator('.bar > rect').count() > 10, 'no bars');
  await close();
}

// A share of 23 % fills 23 % of its bar; other bars say how long the longest is.
export async function checkBars(browser, urls) {
  const { page, faults, close } = await open(browser, urls.small);
  for (const tab of await page.locator('nav.tabs a').all()) {
    await tab.click();
    await page.evaluate(() => document.querySelectorAll('.tab:not([hidden]) details').forEach((fold) => { fold.open = true; }));
    const cells = await page.locator('td.share:visible').evaluateAll((tds) => tds.filter((td) => td.querySelector('.bar')).map((td) => [
      parseFloat(td.textContent.replace('<', '')), 100 * td.querySelector('rect').getBoundingClientRect().width / td.querySelector('.bar').getBoundingClientRect().width]));
    cells.forEach(([share, filled]) => expect(Math.abs(share - filled) < 1, `${share} % fill ${filled.toFixed(1)} %`));
  }
  await page.goto(urls.comparison);
  await page.reload();
  const scale = await page.locator('.view .scale').first().innerText();
  expect(/^bars to ±0\.\d+ ms$/.test(scale), `the scale of the shifts is "${scale}"`);
  const shares = await page.locator('#groups td.share:nth-child(4)').allInnerTexts();
  expect(shares.length > 5 && shares.every((text) => /^[\d.]+ %$/.test(text)), `shares ${shares}`);
  noFaults(faults);
  await close();
}

// Kinds that are grey differ by hatching, without script, too.
export async function checkHatching(browser, url) {
  const { page, close } = await open(browser, url, { javaScriptEnabled: false });
  const fills = await page.locator('#strip svg').evaluate((svg) => Object.fromEntries([...svg.querySelectorAll('rect')].map((rect) => [
    rect.getAttribute('class'), getComputedStyle(rect).fill])));
  for (const [kind, fill] of Object.entries(fills)) {
    const hatched = /p-(qdq|reformat|unknown)/.test(kind);
    expect(/^url/.test(fill) === hatched, `${kind} is filled with ${fill}`);
    if (hatched) expect(await page.locator('#' + /#([\w-]+)/.exec(fill)[1]).count() === 1, `no ${fill}`);
  }
  expect(Object.keys(fills).length >= 4, `only ${Object.keys(fills)}`);
  expect(await page.locator('#h-layers').isVisible(), 'without script a section has no heading');
  const box = await page.locator('#h-layers').boundingBox();
  expect(box.height > 10, `a heading of ${box.height} px without script`);
  await close();
}

// No head and no short word of a table is cut.
export async function checkHeads(browser, url) {
  const { page, faults, close } = await open(browser, url);
  for (const tab of await page.locator('nav.tabs a').all()) {
    await tab.click();
    const cut = await page.locator('.view th button:visible, .view td.precision:visible').evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent));
    expect(cut.length === 0, `cut: ${cut}`);
  }
  noFaults(faults);
  await close();
}

// On a phone: the precision of a layer without a time, in a table that a panel belongs to.
export async function checkNarrow(browser, url) {
  const { page, close } = await open(browser, url, { viewport: { width: 390, height: 800 } });
  const heads = await page.locator('.view').first().locator('th:visible').evaluateAll((ths) => ths.map((th) => th.querySelector('button').firstChild.textContent));
  expect(`${heads}` === 'Layer,Precision', `${heads}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `${wide} px wider than the window`);
  await close();
}

// A sentence in a table of some rows is whole, on as many lines as it needs.
export async function checkSentences(browser, url) {
  for (const [width, wrapped] of [[1280, 0], [900, 1]]) {
    const { page, faults, close } = await open(browser, url, { viewport: { width, height: 500 } });
    if (wrapped) await page.evaluate(() => { document.querySelector('.view table').style.minWidth = '0'; });
    const cells = page.locator('.view td.text');
    const cut = await cells.evaluateAll((all) => all.filter((td) => td.scrollWidth > td.clientWidth).map((td) => td.textContent));
    expect(await cells.count() > 2 && cut.length === 0, `at ${width} px of ${await cells.count()} cut: ${cut}`);
    const high = (await cells.evaluateAll((all) => all.map((td) => td.offsetHeight))).filter((px) => px > 40);
    expect(high.length >= wrapped, `at ${width} px no sentence is on two lines`);
    await page.locator('.view table').focus();
    await page.keyboard.press('End');
    const row = await page.locator('tr[aria-selected=true]').boundingBox();
    expect(row.y >= 0 && row.y + row.height <= 500, `at ${width} px the last row is at ${row.y} px`);
    noFaults(faults);
    await close();
  }
}

// On a phone, of very many rows: a name has half of its line.
export async function checkLines(browser, url) {
  const { page, close } = await open(browser, url, { viewport: { width: 390, height: 800 } });
  const [name, whole] = await page.locator('#groups tr.row').first().evaluate((tr) => [tr.querySelector('td.name').clientWidth, tr.clientWidth]);
  expect(name >= whole / 2, `a name has ${name} of ${whole} px`);
  const cut = await page.locator('#groups td:visible:not(.name)').evaluateAll((all) => all.filter((td) => td.scrollWidth > td.clientWidth).map((td) => td.textContent));
  expect(cut.length === 0, `cut: ${cut.slice(0, 3)}`);
  await close();
}

// On a phone: what tells a layer from the others, the end of its name, is in view; in the middle it is cut.
export async function checkNameEnds(browser, url) {
  const { page, close } = await open(browser, url, { viewport: { width: 390, height: 800 } });
  const found = await page.locator('#layers .view:not(.cards) td.name:visible').evaluateAll((cells) => cells.map((td) => {
    const rest = document.createRange();
    rest.selectNodeContents(td.lastChild);
    const room = td.getBoundingClientRect().right - parseFloat(getComputedStyle(td).paddingRight);
    const begun = td.querySelector('.begun');
    return { name: td.textContent, whole: td.innerText, over: rest.getBoundingClientRect().right - room, cut: begun !== null && begun.scrollWidth > begun.clientWidth };
  }));
  expect(found.some((cell) => cell.cut), `no name is cut: ${found.length} rows`);
  const wrong = found.filter((cell) => cell.over > 1 || cell.whole !== cell.name).map((cell) => `${cell.name} (${cell.over} px)`);
  expect(wrong.length === 0, `the end is cut: ${wrong.slice(0, 3)}`);
  await close();
}

// On a phone: every cell of every other table is there with the title of its column, and none is cut.
export async function checkCards(browser, url) {
  const { page, close } = await open(browser, url, { viewport: { width: 390, height: 800 } });
  let seen = 0;
  for (const tab of [null, ...await page.locator('nav.tabs a').all()]) {
    if (tab) await tab.click();
    const found = await page.evaluate(() => {
      document.querySelectorAll('.tab:not([hidden]) details, main > details, main > section details').forEach((fold) => { fold.open = true; });
      window.dispatchEvent(new Event('resize'));
      const wrong = [];
      let cells = 0;
      const visible = (e) => e.getClientRects().length > 0;
      document.querySelectorAll('.scroll > table:has(thead) td, .view.cards tr.row td').forEach((td) => {
        if (!td.closest('table').offsetParent || td.closest('details:not([open])') || !td.textContent) return;
        ++cells;
        const box = td.getBoundingClientRect();
        const label = getComputedStyle(td, '::before').content.replace(/^attr.*/, td.dataset.title);
        const about = td.closest('.cards') && td.classList.contains('name');
        if (!visible(td) || box.left < 0 || box.right > 390 || td.scrollWidth > td.clientWidth + 1) wrong.push(`cut: ${td.textContent.slice(0, 60)}`);
        else if (!about && (label === 'none' || !td.dataset.title)) wrong.push(`no label: ${td.textContent.slice(0, 60)}`);
      });
      document.querySelectorAll('.scroll, .view.cards').forEach((box) => {
        if (visible(box) && !box.querySelector('img') && box.scrollWidth > box.clientWidth) wrong.push(`scrolls sideways: ${box.getAttribute('aria-label') || box.className}`);
      });
      const rows = [...document.querySelectorAll('.view.cards')].filter((view) => view.offsetParent).map((view) => [
        view.querySelectorAll('tr.row').length, Number(view.querySelector('table').getAttribute('aria-rowcount')) - 1, view.querySelectorAll('thead th').length,
        view.querySelectorAll('tr.row:first-child td').length]);
      return { wrong, cells, rows };
    });
    expect(found.wrong.length === 0, found.wrong.slice(0, 5).join('; '));
    found.rows.forEach(([drawn, all, heads, cells]) => expect(drawn === all && heads === cells, `${drawn} of ${all} rows, ${cells} of ${heads} cells`));
    seen += found.cells;
  }
  expect(seen > 2, `only ${seen} cells`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `${wide} px wider than the window`);
  await close();
}

// On A4 with margins nothing is wider than its box, and no number is on two lines.
export async function checkPaper(browser, urls) {
  for (const name of ['small', 'large', 'comparison', 'three']) {
    const { page, close } = await open(browser, urls[name], { viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const wrong = await page.evaluate(() => {
      const found = [];
      const seen = (e) => e.getClientRects().length > 0;
      document.querySelectorAll('.chart img, .chart svg, .scroll table, .view table, canvas, .ladder').forEach((e) => {
        const box = e.closest('.chart, .scroll, .view, main').getBoundingClientRect();
        if (seen(e) && e.getBoundingClientRect().right > box.right + 1) found.push(`${e.tagName} ${e.getAttribute('alt') || e.className} is wider than its box`);
      });
      document.querySelectorAll('table:not(.u-legend) th, table:not(.u-legend) td').forEach((e) => {
        if (seen(e) && e.scrollWidth > e.clientWidth + 1) found.push(`cut: ${e.textContent.slice(0, 60)}`);
      });
      document.querySelectorAll('td.num').forEach((td) => {
        if (!seen(td) || !td.lastChild) return;
        const text = document.createRange();
        text.selectNodeContents(td.lastChild);
        if (new Set([...text.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(`on two lines: ${td.textContent}`);
      });
      if (document.documentElement.scrollWidth > 718) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
      return found;
    });
    expect(wrong.length === 0, `${name}: ${wrong.slice(0, 6).join('; ')}`);
    await close();
  }
}

// The neighbourhood graph: no text leaves it, every edge has one, and the steps are said.
export async function checkGraph(browser, url) {
  const { page, faults, close } = await open(browser, url + '#layer=8');
  await page.locator('#panel .graph-tools button').nth(2).click();
  const pressed = await page.locator('#panel .graph-tools button').evaluateAll((all) => all.map((e) => e.getAttribute('aria-pressed')).join());
  expect(pressed === 'false,false,true', `pressed: ${pressed}`);
  expect(/steps/.test(await page.locator('#panel .graph-tools').innerText()), 'no word of steps');
  const { out, edges, texts, layouts, titles } = await page.locator('#panel .graph svg').evaluate((svg) => {
    const box = svg.getBoundingClientRect();
    const all = [...svg.querySelectorAll('text')];
    return {
      out: all.filter((e) => e.getBoundingClientRect().right > box.right + 1 || e.getBoundingClientRect().left < box.left - 1).map((e) => e.textContent),
      edges: svg.querySelectorAll('.edge path').length,
      texts: [...svg.querySelectorAll('.edge text')].filter((e) => /^[\d×]+ (INT8|FP16|FP32)$/.test(e.textContent)).length,
      layouts: [...new Set([...svg.querySelectorAll('.edge text')].map((e) => e.textContent).filter((text) => !/×/.test(text)))],
      titles: [...svg.querySelectorAll('.edge title')].map((e) => e.textContent).join('; '),
    };
  });
  expect(layouts.every((text) => /^(linear|CHW\d+|HWC\d*)$/.test(text)), `layouts: ${layouts}`);
  expect(/wide channel vectorized|Channel major|Row major/.test(titles), `titles: ${titles}`);
  expect(out.length === 0, `out of the box: ${out}`);
  expect(edges > 8 && texts === edges, `${texts} texts of ${edges} edges`);
  noFaults(faults);
  await close();
}

// At 1280 × 800, without scrolling: the layer of the address and those beside it.
export async function checkWholeGraph(browser, url) {
  for (const layer of [3, 8, 20]) {
    const { page, faults, close } = await open(browser, `${url}#layer=${layer}`, { viewport: { width: 1280, height: 800 } });
    const { nodes, out, font } = await page.locator('#panel .graph svg').evaluate((svg) => {
      const boxes = ['.graph', '#panel'].map((name) => svg.closest(name).getBoundingClientRect());
      const all = [...svg.querySelectorAll('.node')];
      const isOut = (e) => {
        const r = e.getBoundingClientRect();
        return boxes.some((box) => r.left < box.left || r.right > box.right || r.top < box.top || r.bottom > Math.min(box.bottom, 800));
      };
      return { nodes: all.length, out: all.filter(isOut).map((e) => e.textContent), font: 11 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width };
    });
    expect(nodes > 1 && out.length === 0, `layer ${layer}: of ${nodes} nodes are out of view: ${out}`);
    expect(font > 7.5, `layer ${layer}: texts of ${font} px`);
    noFaults(faults);
    await close();
  }
}

// Of a trend, zoomed to three builds: its ticks, and the words below it.
export async function checkTrend(browser, urls) {
  const { page, faults, close } = await open(browser, urls.trend);
  await page.evaluate(() => {
    window.drawn = [];
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      window.drawn.push(String(text));
      draw.call(this, text, ...place);
    };
  });
  const box = await page.locator('.series .u-over').boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await page.evaluate(() => { window.drawn = []; });
  await page.mouse.up();
  await page.waitForTimeout(200);
  const builds = (await page.evaluate(() => window.drawn)).filter((text) => parseFloat(text) >= 1);
  expect(builds.length > 1 && builds.length < 5 && builds.every((text) => /^\d+$/.test(text)), `ticks at ${builds}`);
  const legend = await page.locator('.series .u-legend .u-label').allInnerTexts();
  expect(`${legend}` === 'build,ms', `legend: ${legend}`);
  expect(!/[▁▂▃▄▅▆▇█]/.test(await page.locator('main').innerText()), 'the chart stands there twice');
  noFaults(faults);
  await close();
}
