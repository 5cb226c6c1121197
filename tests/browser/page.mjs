// A page of the report in the browser, and what is expected of it.
export function expect(condition, what) {
  if (!condition) throw new Error(what);
}

// A page that remembers everything it should not have done.
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('request', (r) => { if (!/^(file|data|blob|about):/.test(r.url())) faults.push(`request ${r.url()}`); });
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) faults.push(`console ${m.text()}`); });
  page.on('pageerror', (e) => faults.push(`exception ${e}`));
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('reportViolation', (text) => faults.push(`CSP ${text}`));
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation',
      (e) => window.reportViolation(`${e.violatedDirective} ${e.blockedURI}`)));
  }
  await page.goto(url);
  await page.waitForLoadState('load');
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
  return { page, faults, close: () => context.close() };
}

export const noFaults = (faults) => expect(faults.length === 0, faults.join('\n'));
