import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../scripts/chromium.mjs';
import { mp3 } from '../tests/support/mp3';
import { addAudio, prepareBenchmark } from './prepare-benchmark';
import { onAppHost } from './public-pages';
import { startApp } from './servers';
import { type BenchmarkRow, median, milliseconds, percentile } from './table';

const VISITS = 40;
const EPISODE_SECONDS = 1500;

/** Times from the click. `playing` is the browser's event; `sound` is the first time that the position has advanced. */
type Start = { playing: number; sound: number };

/**
 * From the click to the sound on localhost, without throttling, on a show's page: on a first visit, when no part of the
 * player is loaded, and on a second one, when the browser has cached its code and the beginning of the audio.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { episodeId } = await addAudio(prepared, mp3(EPISODE_SECONDS));
  const app = await startApp(prepared);
  const executablePath = (await findBrowser()) ?? undefined;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--mute-audio'] });
  const url = `http://${app.host}${onAppHost('/p/corto')}`;
  const starts: { cold: Start; warm: Start }[] = [];
  // the first visit fills the server's caches
  for (let i = 0; i <= VISITS; i++) starts.push(await visitTwice(browser, { url, episodeId }));
  await browser.close();
  await app.stop();
  await prepared.close();
  const counted = starts.slice(1);
  return [
    ...rowsOf(
      'first visit',
      counted.map(({ cold }) => cold),
    ),
    ...rowsOf(
      'second visit',
      counted.map(({ warm }) => warm),
    ),
  ];
}

type Target = { url: string; episodeId: number };

async function visitTwice(browser: Browser, target: Target) {
  const context = await browser.newContext();
  await context.addInitScript({ content: OBSERVE });
  const cold = await startOnce(context, target);
  const warm = await startOnce(context, target);
  await context.close();
  return { cold, warm };
}

/** In a new page, without the player's remembered state, which would show the player at once. */
async function startOnce(context: BrowserContext, { url, episodeId }: Target): Promise<Start> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load' });
  await page.click(`button[data-play="${episodeId}"]`);
  const start = await page.waitForFunction(() => window.playerStart.sound && window.playerStart);
  const measured = (await start.jsonValue()) as Start;
  await forgetPlayer(page);
  return measured;
}

async function forgetPlayer(page: Page): Promise<void> {
  await page.getByRole('button', { name: /close the player|cerrar el reproductor/i }).click();
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

declare global {
  interface Window {
    playerStart: Partial<Start>;
  }
}

/** Runs in the page, so it is text. The element is in no document, so its events reach no other code. */
const OBSERVE = `
  const start = {};
  window.playerStart = start;
  let clickedAt = 0;
  addEventListener('click', (event) => { clickedAt ||= event.timeStamp; }, true);
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    this.addEventListener('playing', () => { start.playing ??= performance.now() - clickedAt; });
    const from = this.currentTime;
    const timer = setInterval(() => {
      if (this.currentTime <= from) return;
      clearInterval(timer);
      start.sound ??= performance.now() - clickedAt;
    }, 1);
    return play.call(this);
  };
`;

function rowsOf(visit: string, starts: Start[]): BenchmarkRow[] {
  const row = (label: string, values: number[]): BenchmarkRow => ({
    label: `${visit}: click to ${label}`,
    figure: milliseconds(median(values)),
    details: `p95 ${milliseconds(percentile(values, 0.95))} of ${values.length}`,
  });
  return [
    row(
      'playing',
      starts.map(({ playing }) => playing),
    ),
    row(
      'the first advance of the position',
      starts.map(({ sound }) => sound),
    ),
  ];
}
