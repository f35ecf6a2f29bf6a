import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../scripts/chromium.mjs';
import { pageRows, type Visit } from './phone-rows';
import { prepareBenchmark } from './prepare-benchmark';
import { onAppHost, publicPages } from './public-pages';
import { startApp } from './servers';
import type { BenchmarkRow } from './table';

/** Lighthouse's slow phone: a processor four times slower, 1.6 Mbit/s and 150 ms to the server. */
const PHONE = { cpu: 4, bytesPerSecond: (1.6 * 1_000_000) / 8, latencyMs: 150 };
const VISITS = 5;
const SETTLED_MS = 3000;

/** First visits to public pages in Chromium, throttled to a phone: the median of five, each with an empty cache. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const app = await startApp(prepared);
  const browser = await openBrowser();
  const rows: BenchmarkRow[] = [];
  for (const { name, path } of await publicPages(prepared)) {
    rows.push(...pageRows(name, await visitByPhone(browser, `http://${app.host}${onAppHost(path)}`)));
  }
  await browser.close();
  await app.stop();
  await prepared.close();
  return rows;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = (await findBrowser()) ?? undefined;
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--mute-audio'] });
}

/** @param token of the session in which the page is visited */
export async function visitByPhone(browser: Browser, url: string, token?: string): Promise<Visit[]> {
  const visits: Visit[] = [];
  // the first visit fills the server's cache
  for (let i = 0; i <= VISITS; i++) visits.push(await visit(browser, url, token));
  return visits.slice(1);
}

async function visit(browser: Browser, url: string, token?: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 });
  if (token) await context.addCookies([{ name: 'token', value: token, url }]);
  const page = await context.newPage();
  await throttle(page);
  const bytes: Record<string, number> = {};
  page.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }));
    bytes[request.resourceType()] = (bytes[request.resourceType()] ?? 0) + responseBodySize;
  });
  await page.addInitScript({ content: OBSERVE });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLED_MS);
  const figures = await page.evaluate(() => window.figures);
  await context.close();
  if (figures.lcp === 0) throw new Error(`${url} painted nothing`);
  return { ...figures, bytes };
}

async function throttle(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.latencyMs,
    downloadThroughput: PHONE.bytesPerSecond,
    uploadThroughput: PHONE.bytesPerSecond,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: PHONE.cpu });
}

declare global {
  interface Window {
    figures: Omit<Visit, 'bytes'>;
  }
}

/**
 * Runs in the page, so it is text: tsx adds names to functions, which are undefined in the page. Tasks block beyond 50
 * ms.
 */
const OBSERVE = `
  const figures = { lcp: 0, tbt: 0, cls: 0, shifted: [] };
  window.figures = figures;
  const watch = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { figures.lcp = entry.startTime; });
  watch('longtask', (entry) => { figures.tbt += entry.duration - 50; });
  const nameOf = (node) => {
    const element = node && (node.nodeType === 1 ? node : node.parentElement);
    return element ? element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') : 'a removed node';
  };
  watch('layout-shift', (entry) => {
    figures.cls += entry.value;
    figures.shifted.push(...entry.sources.map(({ node }) => nameOf(node)));
  });
`;
