import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { splice } from '~/server/audio/splice';
import { toEpisode } from '~/server/audio/timeline';
import { createAudioDoor } from '~/server/http/audio';
import { createLog } from '~/server/log';
import { recordingOf } from '../support/decoding';
import { isDeep } from '../support/deep';
import { toolPath } from '../support/tools';

const browserPath = process.env.CHROMIUM_PATH ?? toolPath('chromium-headless-shell') ?? toolPath('chromium');
const RATE = 44_100;
const SECONDS = 120;
/** The pitch of the episode rises, so the pitch gives the time in the episode. */
const LOWEST = 500;
const HERTZ_PER_SECOND = 100;
const CLIP_HERTZ = 14_500;

async function tone(seconds: number, phase: (t: number) => number): Promise<Buffer> {
  const samples = Float32Array.from(
    { length: seconds * RATE },
    (_, i) => 0.4 * Math.sin(2 * Math.PI * phase(i / RATE)),
  );
  const format = { version: 1, sampleRate: RATE, channels: 1, kbps: 128 } as const;
  return Buffer.from(await encodeMp3({ sampleRate: RATE, channels: [samples] }, format));
}

async function serveRendition() {
  const root = await mkdtemp(join(tmpdir(), 'altavoz-browser-'));
  const store = await diskStore({ root, formUrl: (key) => key });
  const files = {
    'audio/episode.mp3': await tone(SECONDS, (t) => LOWEST * t + (HERTZ_PER_SECOND / 2) * t * t),
    'audio/clip.mp3': await tone(6, (t) => CLIP_HERTZ * t),
  };
  for (const [key, file] of Object.entries(files)) await store.put(key, file, { contentType: 'audio/mpeg' });
  const episode = await recordingOf('audio/episode.mp3', files['audio/episode.mp3']);
  const clip = await recordingOf('audio/clip.mp3', files['audio/clip.mp3']);
  const marks = ['pre', 40_000, 80_000] as const;
  const spliced = await splice(
    episode,
    marks.map((at) => ({ at, clip })),
  );
  if (!spliced.ok) throw new Error(spliced.reason);
  const door = createAudioDoor({
    store,
    log: createLog('silent'),
    lookup: async () => spliced.rendition,
    onDelivered: () => {},
  });
  const server = createServer((req, res) => {
    if (!door(req, res)) res.setHeader('content-type', 'text/html').end('<audio id="a" src="/audio/7/x.mp3"></audio>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, rendition: spliced.rendition };
}

/** Runs in the page: plays from `seconds` on and returns the loudest pitch with the time of the player. */
async function listenAt({ seconds, forMs }: { seconds: number; forMs: number }) {
  const audio = document.getElementById('a') as HTMLAudioElement;
  const shared = window as unknown as { analyser?: AnalyserNode };
  if (!shared.analyser) {
    const context = new AudioContext();
    shared.analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
    context.createMediaElementSource(audio).connect(shared.analyser).connect(context.destination);
    await context.resume();
  }
  const { analyser } = shared;
  audio.currentTime = seconds;
  await audio.play();
  const from = audio.currentTime;
  while ((audio.currentTime - from) * 1000 < forMs) await new Promise((resolve) => setTimeout(resolve, 20));
  const bins = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(bins);
  const at = audio.currentTime;
  audio.pause();
  const hertz = (bins.indexOf(Math.max(...bins)) * analyser.context.sampleRate) / analyser.fftSize;
  return { hertz, at, windowSeconds: analyser.fftSize / analyser.context.sampleRate, duration: audio.duration };
}

test.skipIf(!browserPath || !isDeep)(
  'a browser plays across cuts and seeks to the right time',
  { timeout: 120_000 },
  async () => {
    const { url, rendition } = await serveRendition();
    const browser = await chromium.launch({
      executablePath: browserPath!,
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
    });
    const measured: { seconds: number; error: number }[] = [];
    try {
      const page = await browser.newPage();
      await page.goto(url);
      // The third starts in a clip and plays across its end at 52 s.
      for (const [seconds, forMs] of [
        [20, 400],
        [100, 400],
        [51.2, 1600],
        [70, 400],
        [130, 400],
        [12, 400],
      ] as const) {
        const { hertz, at, windowSeconds, duration } = await page.evaluate(listenAt, { seconds, forMs });
        const expected = toEpisode(rendition, (at - windowSeconds / 2) * 1000).ms / 1000;
        measured.push({ seconds, error: (hertz - LOWEST) / HERTZ_PER_SECOND - expected });
        expect(Math.abs(duration - (rendition.frames * 1152) / RATE)).toBeLessThan(0.1);
      }
    } finally {
      await browser.close();
    }

    for (const { seconds, error } of measured)
      expect(Math.abs(error), `at ${seconds} s: ${JSON.stringify(measured)}`).toBeLessThan(0.2);
  },
);
