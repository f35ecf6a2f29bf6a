import { mp3 } from '~/tests/support/mp3';
import { residentBytes } from './machine';
import { prepareBenchmark } from './prepare-benchmark';
import { prose } from './prose';
import { type Server, startApp } from './servers';
import { type BenchmarkRow, judge, megabytes, milliseconds, percentile } from './table';

const SIZES = [200, 2000] as const;
/** Requests to each list, after the same number to warm it up. */
const REQUESTS = 60;
const GOAL = { growth: 1.5, p95Ms: 150 };
const CREATED = 1000;
const CLIENTS = 4;
/** A network gets 120 uploads per minute, so each author has an address of its own. */
const AUTHORS = 10;

type Prepared = Awaited<ReturnType<typeof prepareBenchmark>>;
type Show = Prepared['short'];

/** The studio's list of episodes in shows of different lengths, and creating episodes over REST. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark({ shows: SIZES, authors: AUTHORS });
  const app = await startApp(prepared, { TRUST_PROXY: '1' });
  const [few, many] = await timeLists(app, prepared.token, prepared.shows);
  const created = await createMany(app, prepared);
  const peak = residentBytes(app.pid, 'VmHWM');
  await app.stop();
  await prepared.close();
  const growth = many! / few!;
  return [
    { label: 'studio list, show of 200 episodes', figure: `p95 ${milliseconds(few!)}` },
    {
      label: 'studio list, show of 2,000 episodes',
      figure: `p95 ${milliseconds(many!)}`,
      details: `${growth.toFixed(2)} of the show of 200`,
      goal: `≤ ${GOAL.p95Ms} ms, ≤ ${GOAL.growth}`,
      ...judge(Math.min(GOAL.p95Ms / many!, GOAL.growth / growth), { holds: false }),
    },
    {
      label: `${CREATED.toLocaleString('en')} episodes created over REST`,
      figure: `${(created / 1000).toFixed(0)} s`,
      details: `ticket, upload and episode, ${CLIENTS} clients; peak memory ${megabytes(peak)}`,
    },
  ];
}

/** @returns the p95 of each show's list. Its requests alternate, so that other load affects all alike. */
async function timeLists(app: Server, token: string, shows: Show[]): Promise<number[]> {
  const times = shows.map((): number[] => []);
  for (let i = 0; i < REQUESTS * 2; i++) {
    for (const [at, { id }] of shows.entries()) {
      const query = QUERIES[i % QUERIES.length];
      const ms = await timeOf(`${app.url}/podcasts/${id}/episodes?${query}`, {
        host: app.host,
        cookie: `token=${token}`,
      });
      if (i >= REQUESTS) times[at]!.push(ms);
    }
  }
  return times.map((all) => percentile(all, 0.95));
}

const QUERIES = ['', 'page=9', 'ordering=name', 'search=a', 'status=published&type=public', 'ordering=-number&page=3'];

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - startedAt;
}

/** @returns the time in ms */
async function createMany(app: Server, { authors }: Prepared): Promise<number> {
  const audio = mp3(3);
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    for (let i = next++; i < CREATED; i = next++) await createOne(app, { ...authors[i % AUTHORS]!, audio, i });
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return performance.now() - startedAt;
}

type NewEpisode = { token: string; productId: number; audio: Buffer; i: number };

async function createOne(app: Server, { token, productId, audio, i }: NewEpisode): Promise<void> {
  const caller = { authorization: `Token ${token}`, 'x-forwarded-for': `10.${i % AUTHORS}.0.1` };
  const file = { file_name: `${i}.mp3`, content_type: 'audio/mpeg', file_size: audio.length, purpose: 'episode_audio' };
  const ticket = await postJson<Ticket>(`${app.url}/api/generate-url-upload-file/`, caller, file);
  const form = new FormData();
  for (const [name, value] of Object.entries(ticket.fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(audio)], { type: 'audio/mpeg' }), `${i}.mp3`);
  const { pathname, search } = new URL(ticket.url);
  const sent = await fetch(app.url + pathname + search, { method: 'POST', body: form });
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`);
  const texts = { name: prose(5, i), description: prose(40, i) };
  await postJson(`${app.url}/api/episodes/`, caller, {
    ...texts,
    type: 'private',
    product_id: productId,
    file_key: ticket.key,
  });
}

type Ticket = { url: string; key: string; fields: Record<string, string> };

async function postJson<T>(url: string, caller: Record<string, string>, body: object): Promise<T> {
  const headers = { ...caller, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json() as Promise<T>;
}
