import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_PASSWORD } from '~/server/seed/cast';
import { frames } from '../../tests/support/mp3';

export type ClusterAnswer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer; isWhole: boolean };
type Call = { method?: string; host?: string; headers?: Record<string, string>; json?: unknown };

/** Requests through nginx, each with a deadline. */
export function clientOf(port: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

  /** Null if no answer came, or the connection ended before the headers. */
  function send(path: string, { method = 'GET', host = 'altavoz.localhost', headers = {}, json }: Call = {}) {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const sent = { host: `${host}:${port}`, ...(body && { 'content-type': 'application/json' }), ...headers };
    return new Promise<ClusterAnswer | null>((resolve) => {
      const request = http.request({ port, host: '127.0.0.1', path, method, headers: sent, agent, timeout: 15_000 });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(null));
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        const answer = (isWhole: boolean) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            isWhole,
          });
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => answer(response.complete));
        response.on('error', () => answer(false));
      });
      request.end(body);
    });
  }

  async function logIn(email: string): Promise<string> {
    const answer = await send('/api/auth/login/', { method: 'POST', json: { email, password: DEMO_PASSWORD } });
    if (answer?.status !== 200) throw new Error(`${email} cannot log in: ${answer?.status} ${answer?.body}`);
    return JSON.parse(answer.body.toString()).key;
  }
  return { send, logIn, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof clientOf>;

/** The acknowledged writes, and the failures. */
export type Tally = {
  /** Counted answers with status 201. */
  listens: number;
  /** Episodes whose creation was acknowledged, or had succeeded before it was repeated. */
  episodes: { name: string }[];
  /** Writes that were repeated because no answer came. */
  repeated: number;
  reads: number;
  failedReads: string[];
  /** Answers that ended early: streams continued where they had stopped, pages were requested again. */
  resumed: number;
};

export const emptyTally = (): Tally => ({
  listens: 0,
  episodes: [],
  repeated: 0,
  reads: 0,
  failedReads: [],
  resumed: 0,
});

/** Repeats a write until it is answered, as apps do. */
async function repeatUntilAnswered(tally: Tally, write: () => Promise<ClusterAnswer | null>): Promise<ClusterAnswer> {
  for (;;) {
    const answer = await write();
    if (answer?.isWhole && answer.status < 500) return answer;
    tally.repeated += 1;
    await sleep(200);
  }
}

export type Play = { episode: number; address: string };
/** A listen counts once a minute has passed since its start. */
export const PLAYING_MS = 61_000;

/** Starts to play each episode from many addresses, as legacy clients do. */
export async function startPlays({ send }: Client, episodes: number[], count: number): Promise<Play[]> {
  const plays = Array.from({ length: count }, (_, at) => ({
    episode: episodes[at % episodes.length]!,
    address: `198.51.${100 + Math.floor(at / 250)}.${1 + (at % 250)}`,
  }));
  for (const { episode, address } of plays) {
    const answer = await send(`/api/podcast-episode-play/${episode}/`, { headers: { 'x-forwarded-for': address } });
    if (answer?.status !== 200) throw new Error(`Episode ${episode} does not play: ${answer?.status}`);
  }
  return plays;
}

/** Ends a play that began more than a minute ago. */
export async function endPlay({ send }: Client, tally: Tally, { episode, address }: Play): Promise<void> {
  const json = { session_id: `cluster-${randomUUID()}`, seconds: 61 };
  const headers = { 'x-forwarded-for': address };
  const path = `/api/podcast-episode-listen/${episode}/`;
  const { status, body } = await repeatUntilAnswered(tally, () => send(path, { method: 'POST', json, headers }));
  if (status === 201) tally.listens += 1;
  else if (status !== 200) throw new Error(`A listen was refused: ${status} ${body}`);
}

/** Uploads audio to the bucket, and creates an episode with it. */
export async function publishEpisode({ send }: Client, tally: Tally, { token, show }: { token: string; show: number }) {
  const audio = frames(200);
  const authorization = { authorization: `Token ${token}` };
  const asked = { file_name: 'cluster.mp3', content_type: 'audio/mpeg', file_size: audio.length };
  const ticket = await repeatUntilAnswered(tally, () =>
    send('/api/generate-url-upload-file/', {
      method: 'POST',
      headers: authorization,
      json: { ...asked, purpose: 'episode_audio' },
    }),
  );
  if (ticket.status !== 201) throw new Error(`No ticket: ${ticket.status} ${ticket.body}`);
  const { url, method, fields, key } = JSON.parse(ticket.body.toString());
  const form = new FormData();
  for (const [name, value] of Object.entries(fields as Record<string, string>)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(audio)]), 'cluster.mp3');
  const stored = await fetch(url, { method, body: form });
  if (!stored.ok) throw new Error(`The file was refused: ${stored.status}`);
  const name = `Cluster ${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  const json = { product_id: show, name, description: 'Proof', file_key: key };
  let isRepeated = false;
  const { status, body } = await repeatUntilAnswered(tally, async () => {
    const answer = await send('/api/episodes/', { method: 'POST', headers: authorization, json });
    // also if nginx answers for a process that died
    if (!answer?.isWhole || answer.status >= 500) isRepeated = true;
    return answer;
  });
  // a key is accepted once: if a repeated call is rejected, the first one has succeeded
  if (status !== 201 && !isRepeated) throw new Error(`An episode was refused: ${status} ${body}`);
  tally.episodes.push({ name });
}

export type Page = Pick<Call, 'host' | 'headers'> & { path: string };

/** Reads a page or a feed. */
export async function readPage({ send }: Client, tally: Tally, { path, ...call }: Page) {
  const ask = () => send(path, call);
  tally.reads += 1;
  let answer = await ask();
  if (!answer?.isWhole) {
    // the process died while it answered: browsers request the page again
    tally.resumed += 1;
    answer = await ask();
  }
  if (answer?.status !== 200) tally.failedReads.push(`${path}: ${answer?.status ?? 'no answer'}`);
  else if (!answer.isWhole) tally.failedReads.push(`${path}: cut`);
}

/** Plays audio from its beginning to its end, and continues with a range request after an interruption. */
export async function playAudio({ send }: Client, tally: Tally, { host, path }: { host: string; path: string }) {
  tally.reads += 1;
  let have = 0;
  for (let total = Number.POSITIVE_INFINITY; have < total; ) {
    const answer = await send(path, { host, headers: { range: `bytes=${have}-` } });
    if (!answer || (answer.status !== 206 && answer.status !== 200)) {
      tally.failedReads.push(`${path}: ${answer?.status ?? 'no answer'}`);
      return;
    }
    total = Number(/\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1] ?? answer.headers['content-length']);
    have += answer.body.length;
    if (have < total) tally.resumed += 1;
  }
}
