// Fills DATA_DIR with the demo that the browser journeys visit. It is created once a day and for each state of the
// sources, and kept as a copy that later runs start from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '~/db/cluster/port';
import { startWorker } from '~/jobs/worker';
import { readEnv } from '~/server/env/read';
import { openRuntime } from '~/server/runtime/open-runtime';
import { CAST } from '~/server/seed/cast';
import { openComposer } from '~/server/seed/composer';
import { seedDemo } from '~/server/seed/demo';
import { paymentsOf } from '~/server/seed/paying';
import { createLog } from '~/server/watching/log';
import { AWKWARD } from './journey-cast';

const SOURCES = [
  'server',
  'db',
  'jobs',
  'locales',
  'package-lock.json',
  'scripts/journey-data.ts',
  'scripts/journey-cast.ts',
];
/** Journeys listen to these episodes for seconds; composing, encoding and checking tunes takes most of the time. */
const HEARD = /^(?:For |Playa de invierno|Qué vas a oír)/;
const MAX_SECONDS = { heard: 60, other: 8 };

/** Includes the date, because the demo's episodes are dated relative to the day of the seed. */
function fingerprint(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10));
  for (const source of SOURCES) for (const file of filesIn(source)) hash.update(file).update(fs.readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function filesIn(source: string): string[] {
  if (!fs.statSync(source).isDirectory()) return [source];
  const names = fs.readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => path.join(source, name)).filter((file) => fs.statSync(file).isFile());
}

async function seedDemoData(): Promise<void> {
  const { runtime, stripeSandbox, spotifySandbox, close } = await openRuntime(readEnv(), createLog('warn'), {
    runsJobs: true,
  });
  await startWorker(runtime);
  const composer = openComposer();
  const options = { payments: paymentsOf(stripeSandbox), spotify: spotifySandbox, compose: composer.compose };
  const skipped: unknown[] = [];
  const error = (fields: unknown) => void skipped.push(fields);
  const log: typeof runtime.log = Object.assign(Object.create(runtime.log), { error });
  await seedDemo({ ...runtime, log }, [...CAST, AWKWARD].map(shortened), options);
  // at a visitor's, the demo goes on without a step; here, journeys would miss what it shows
  if (skipped.length > 0) throw new Error('steps of the demo failed', { cause: skipped });
  await composer.close();
  await close();
}

function shortened(person: (typeof CAST)[number]): (typeof CAST)[number] {
  const products = person.products.map((product) => ({
    ...product,
    episodes: product.episodes.map((episode) => {
      const most = MAX_SECONDS[HEARD.test(episode.name) ? 'heard' : 'other'];
      const seconds = Math.min(episode.seconds, most);
      return { ...episode, seconds, chapters: chaptersWithin(episode, seconds) };
    }),
  }));
  return { ...person, products };
}

type Episode = (typeof CAST)[number]['products'][number]['episodes'][number];

/** Places chapters as close together as the shorter episode needs: none may begin after its end. */
function chaptersWithin({ chapters, seconds: former }: Episode, seconds: number): Episode['chapters'] {
  if (!chapters?.some(({ startMs }) => startMs >= seconds * 1000)) return chapters;
  return chapters.map((chapter) => ({ ...chapter, startMs: Math.floor((chapter.startMs * seconds) / former) }));
}

/** Keeps the owner, because Postgres does not run as root. @returns whether it succeeded */
function copyFolder(from: string, to: string): boolean {
  fs.rmSync(to, { recursive: true, force: true, maxRetries: 5 });
  return spawnSync('cp', ['-a', from, to]).status === 0;
}

/** Changes the port, because the server of a killed run may still listen on the old one. */
async function changePort(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postgres/server.json');
  const settings = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...settings, port: await freePort() }));
}

function keepTemplate(dataDir: string, template: string): void {
  // a cluster in a fallback directory is not below DATA_DIR
  if (!fs.existsSync(path.join(dataDir, 'postgres/data'))) return;
  fs.rmSync(path.dirname(template), { recursive: true, force: true, maxRetries: 5 });
  fs.mkdirSync(path.dirname(template), { recursive: true });
  if (copyFolder(dataDir, `${template}.partial`)) fs.renameSync(`${template}.partial`, template);
}

const dataDir = path.resolve(process.env.DATA_DIR ?? '.data/journeys');
const template = path.join(`${dataDir}-templates`, fingerprint());
if (fs.existsSync(template) && copyFolder(template, dataDir)) {
  await changePort(dataDir);
} else {
  fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  await seedDemoData();
  keepTemplate(dataDir, template);
}
process.exit();
