import { request } from 'undici';
import { STUDIO_PAGES } from '~/server/policy/studio-pages';
import { type Server, startApp } from './servers';
import { LARGE, type PreparedStudio, prepareStudio, SMALL } from './studio-data';
import { type BenchmarkRow, judge, milliseconds, percentile } from './table';

const PEOPLE_PER_PAGE = 20;
const GOAL = { pageMs: 150, csvMs: 5000, growth: 1.3 };
const REQUESTS = { warmUp: 4, measured: 25 };
const FILE_REQUESTS = { warmUp: 0, measured: 3 };

type Times = { p50: number; p95: number; bytes: number };

type Studio = { app: Server; prepared: PreparedStudio; pages: Record<string, string> };

/**
 * Every page of the studio, and its CSV files, as the owner of a show with 1,000 and with 100,000 subscribers. The
 * requests to both shows alternate, so that both processes are equally warm, and other load affects both alike.
 */
export async function run(): Promise<BenchmarkRow[]> {
  const studios = [await openStudio(SMALL), await openStudio(LARGE)];
  const rows: BenchmarkRow[] = [];
  for (const label of Object.keys(studios[0]!.pages)) {
    const [small, large] = await measurePage(studios, label);
    rows.push(rowOf(label, large!, small!));
  }
  for (const { app, prepared } of studios) {
    await app.stop();
    await prepared.close();
  }
  return rows;
}

async function openStudio(audience: typeof LARGE): Promise<Studio> {
  const prepared = await prepareStudio(audience);
  return { prepared, app: await startApp(prepared), pages: pagesOf(prepared) };
}

/** Pages that need what the benchmark does not have (an import, a draft) are left out. */
function pagesOf({ short, episodeId, buyerId, subscribers }: PreparedStudio): Record<string, string> {
  const show = `/podcasts/${short.id}`;
  const month = new Date().toISOString().slice(0, 7);
  const below = (base: string, names: string[]) => names.map((name) => [name, `${base}${name}`]);
  return Object.fromEntries([
    ...Object.values(STUDIO_PAGES).map(({ path }) => [path, `/${path}`]),
    ...['billing', 'plans', 'profile', 'money/statement', 'leaving', 'products/import', 'no-such-page'].map((path) => [
      path,
      `/${path}`,
    ]),
    ['donations', `/donation/${short.creatorId}/subscribers`],
    ['show', show],
    ...below(show, [
      '/subscribers',
      '/distribution',
      '/settings',
      '/settings/price',
      '/redirect',
      '/import-subscribers',
      '/promotions',
    ]),
    ...below(show, [
      '/subscribers?page=50',
      '/subscribers?state=past_due',
      '/subscribers?state=subscribed',
      '/subscribers?state=ended',
    ]),
    // eleven matches in each
    ['/subscribers?search=', `${show}/subscribers?search=${subscribers > 1000 ? 'buyer7777' : 'buyer77'}`],
    ['/subscribers?page=<the last>', `${show}/subscribers?page=${subscribers / PEOPLE_PER_PAGE}`],
    ...below(show, ['/episodes/create']),
    ['a subscriber', `${show}/subscribers/${buyerId}`],
    ['edit/free', `/edit${show}/free`],
    ['episode', `${show}/episodes/${episodeId}`],
    ['episode edit', `${show}/episodes/edit/${episodeId}`],
    ['subscribers.csv', `${show}/subscribers.csv`],
    ['statement.csv', `/money/statement.csv?month=${month}&currency=eur`],
  ]);
}

async function measurePage(studios: Studio[], label: string): Promise<Times[]> {
  const { warmUp, measured } = label.endsWith('.csv') ? FILE_REQUESTS : REQUESTS;
  const times = studios.map((): number[] => []);
  const bytes = studios.map(() => 0);
  for (let i = 0; i < warmUp + measured; i += 1) {
    for (const [at, studio] of studios.entries()) {
      const startedAt = performance.now();
      bytes[at] = await readPage(studio, label);
      if (i >= warmUp) times[at]!.push(performance.now() - startedAt);
    }
  }
  return times.map((all, at) => ({ p50: percentile(all, 0.5), p95: percentile(all, 0.95), bytes: bytes[at]! }));
}

/** @returns the number of bytes */
async function readPage({ app, prepared: { token }, pages }: Studio, label: string): Promise<number> {
  const path = pages[label]!;
  const headers = { host: app.host, cookie: `token=${token}` };
  const { statusCode, body } = await request(`${app.url}${path}`, { headers, bodyTimeout: 0 });
  const { byteLength } = await body.arrayBuffer();
  if (statusCode !== 200 && path !== '/no-such-page') throw new Error(`${path} answers ${statusCode}`);
  return byteLength;
}

function rowOf(label: string, { p50, p95, bytes }: Times, small: Times): BenchmarkRow {
  const isFile = label.endsWith('.csv');
  const growth = p50 / small.p50;
  const goal = isFile ? GOAL.csvMs : GOAL.pageMs;
  const score = isFile ? goal / p95 : Math.min(goal / p95, GOAL.growth / growth);
  return {
    label,
    figure: `p50 ${milliseconds(p50)}, p95 ${milliseconds(p95)}`,
    details: `${growth.toFixed(2)} of 1,000 subscribers (${milliseconds(small.p50)}), ${(bytes / 1000).toFixed(0)} KB`,
    goal: `≤ ${milliseconds(goal)}${isFile ? '' : `, ≤ ${GOAL.growth}`}`,
    ...judge(score, { holds: false }),
  };
}
