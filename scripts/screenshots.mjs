// `npm run screenshots`: takes the pictures of the studio and of public pages that the site's texts show, from the demo,
// as scripts/screenshots.json lists them, in each language, on a computer and a phone, light and dark.
// `-- --at http://altavoz.localhost:3000` takes them from a demo that is running. A picture that differs in few pixels
// from the stored one is not written again.
import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { findBrowser } from './chromium.mjs';
import { pictureName } from './screenshot-names.mjs';

const PASSWORD = 'altavoz-demo';
const FOLDER = 'content/pictures';
const LANGUAGES = ['en', 'es'];
const SCHEMES = ['light', 'dark'];
/** Pixels of which a colour differs by so much are different, and so large a share of them makes a new picture. */
const DIFFERENCE = { color: 32, share: 0.004 };

const { clock, devices, maxBytes, screens } = JSON.parse(await fs.readFile('scripts/screenshots.json', 'utf8'));
const { values } = parseArgs({ options: { at: { type: 'string' } } });
const demo = values.at ? { origin: values.at, stop: async () => {} } : await startDemo();
try {
  await takeAll(demo.origin);
} finally {
  await demo.stop();
}

async function startDemo() {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-screenshots-'));
  const port = await freePort();
  const env = {
    ...process.env,
    ...{ PORT: String(port), DATA_DIR: folder, SEED_DEMO: '1', FIXED_CLOCK: clock },
    NODE_OPTIONS: `--import=${new URL('fixed-clock.mjs', import.meta.url).href}`,
  };
  console.log('Preparing the demo, which takes some minutes …');
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await untilReady(child, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: `http://altavoz.localhost:${port}`, stop };
}

/** The server prints the accounts of the demo when it is complete. */
async function untilReady({ stdout }, ended) {
  const ready = new Promise((resolve) => {
    let printed = '';
    stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes(PASSWORD)) resolve('ready');
    });
  });
  if ((await Promise.race([ready, ended])) !== 'ready') throw new Error('the demo did not start');
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function takeAll(origin) {
  const executablePath = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] });
  await fs.mkdir(FOLDER, { recursive: true });
  for (const language of LANGUAGES)
    for (const device of Object.keys(devices))
      for (const scheme of SCHEMES)
        for (const as of new Set(Object.values(screens).map((screen) => screen[language].as)))
          await takeAs(browser, { origin, language, device, scheme, as });
  await browser.close();
}

/** One session for all pictures of a person, a language, a device and a colour scheme. */
async function takeAs(browser, { origin, language, device, scheme, as }) {
  const { viewport, scale } = devices[device];
  const context = await browser.newContext({
    ...{ viewport, deviceScaleFactor: scale, colorScheme: scheme, reducedMotion: 'reduce' },
    ...{ isMobile: device === 'phone', hasTouch: device === 'phone' },
    ...{ locale: language, timezoneId: 'Europe/Madrid', bypassCSP: true },
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(clock));
  if (as) await logIn(page, `${origin}/${language}/login`, as);
  for (const [name, screen] of Object.entries(screens)) {
    if (screen[language].as !== as) continue;
    await page.goto(`${origin}/${language}${screen[language].path}`, { waitUntil: 'networkidle' });
    if (screen.press) await page.locator(screen.press).first().click();
    const { at, above } = screen[device] ?? {};
    if (at) await scrollTo(page.locator(at).first(), above);
    await page.evaluate(() => document.fonts.ready);
    await keep(pictureName({ name, language, device, scheme }), await page.screenshot({ animations: 'disabled' }));
  }
  await context.close();
}

/** `above`: pixels of the page that stay visible above the element. */
function scrollTo(element, above) {
  return element.evaluate((of, pixels) => window.scrollBy(0, of.getBoundingClientRect().top - pixels), above);
}

async function logIn(page, url, person) {
  await page.goto(url);
  await page.fill('[name=email]', `${person}@altavoz.example`);
  await page.fill('[name=password]', PASSWORD);
  await page.click('main form button[type=submit]');
  await page.waitForURL((address) => !address.pathname.endsWith('/login'));
}

async function keep(name, png) {
  const file = path.join(FOLDER, name);
  const bytes = await optimised(png);
  const isSame = await looksAlike(await fs.readFile(file).catch(() => null), bytes);
  if (!isSame) await fs.writeFile(file, bytes);
  console.log(`${name} ${isSame ? 'is unchanged' : `${Math.ceil(bytes.length / 1000)} kB`}`);
}

async function optimised(png) {
  for (const quality of [86, 78, 70, 60]) {
    const bytes = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer();
    if (bytes.length <= maxBytes) return bytes;
  }
  throw new Error(`a picture has more than ${maxBytes} bytes`);
}

async function looksAlike(former, next) {
  if (!former) return false;
  const [a, b] = await Promise.all(
    [former, next].map((each) => sharp(each).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return false;
  let different = 0;
  for (let i = 0; i < a.data.length; i += 3)
    if ([0, 1, 2].some((part) => Math.abs(a.data[i + part] - b.data[i + part]) > DIFFERENCE.color)) different += 1;
  return different / (a.data.length / 3) < DIFFERENCE.share;
}
