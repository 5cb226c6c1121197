// A picture of the first screen of a page. Usage: node picture.mjs CHROMIUM PAGE PICTURE.png WIDTH HEIGHT
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [executablePath, page_file, picture, width, height] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, colorScheme: 'light' });
await page.goto(pathToFileURL(path.resolve(page_file)).href);
await page.waitForFunction(() => document.documentElement.dataset.ready === 'true');
await page.screenshot({ path: picture });
await browser.close();
