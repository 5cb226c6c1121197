// speedscope's own importer reads what `trtlens convert --to speedscope` writes, and exports the same layers again.
// Usage: node run.mjs TRTLENS CHROMIUM BUILD...    Exit 77 is a skip that says why.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [trtlens, chromiumPath, ...builds] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'trtlens-speedscope-'));
process.on('exit', () => fs.rmSync(temp, { recursive: true, force: true }));

const page_file = path.join(here, 'node_modules', 'speedscope', 'dist', 'release', 'index.html');
const playwright = path.join(here, '..', 'browser', 'node_modules', 'playwright-core');
if (!fs.existsSync(page_file) || !fs.existsSync(playwright)) {
  console.log('skipped: npm packages of tests/speedscope and tests/browser are not there');
  process.exit(process.env.TRTLENS_REQUIRE_BROWSER === '1' ? 1 : 77);
}
const { chromium } = createRequire(import.meta.url)(playwright);

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

// As speedscope's command line hands a file to its page.
async function imported(browser, build) {
  const file = execFileSync(trtlens, ['convert', '--to', 'speedscope', build, '-q']);
  const script = path.join(temp, 'profile.js');
  fs.writeFileSync(script, `speedscope.loadFileFromBase64("layers.json", "${file.toString('base64')}")`);
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (e) => faults.push(String(e)));
  page.on('dialog', (d) => { faults.push(d.message()); d.dismiss(); });
  await page.goto(`${pathToFileURL(page_file).href}#localProfilePath=${script}`);
  await page.waitForSelector('canvas', { timeout: 30000 }).catch(() => faults.push('nothing was drawn'));
  expect(faults.length === 0, `${build}: ${faults.join('; ')}`);
  const download = page.waitForEvent('download', { timeout: 30000 });
  await page.keyboard.press('Control+s');
  const exported = JSON.parse(fs.readFileSync(await (await download).path(), 'utf8'));
  await page.close();
  return exported;
}

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
for (const build of builds) {
  const { build: { layers, totals } } = JSON.parse(execFileSync(trtlens, ['analyze', build, '--format', 'json', '-q'], { maxBuffer: 1 << 28 }));
  const { shared: { frames }, profiles } = await imported(browser, build);
  expect(profiles.length === 1 && profiles[0].unit === 'milliseconds', `${build}: ${profiles.length} profiles`);
  const of_layers = frames.filter((frame) => frame.file).map((frame) => frame.file).sort();
  // It draws nothing that takes no time.
  const expected = layers.filter((layer) => layer.time?.mean_ms > 0).map((layer) => layer.name).sort();
  const lost = expected.filter((name) => !of_layers.includes(name));
  expect(JSON.stringify(of_layers) === JSON.stringify(expected), `${build}: ${of_layers.length} of ${expected.length} layers; not ${lost}`);
  expect(Math.abs(profiles[0].endValue - (totals.profile_sum_ms ?? 0)) < 1e-6, `${build}: ${profiles[0].endValue} ms`);
  console.log(`${build}: ${expected.length} layers, ${profiles[0].endValue.toFixed(4)} ms`);
}
await browser.close();
