import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll } from 'vitest';
import { insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays } from '~/db/schema/renditions';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { cast } from './cast';
import { insertionMakers } from './insertions';

export type Asked = {
  address?: string;
  agent?: string;
  method?: string;
  headers?: Record<string, string>;
  /** The bytes after which the client leaves; all of them without a number. */
  reads?: number;
};
export type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

const APP = 'AntennaPod/3.1.2';

/** The audio door on a server of its own, and what its tests of insertions do with it. It is noon. */
export async function insertionDoor() {
  const staged = await cast({ empty: true });
  const { runtime, clock, make } = staged;
  const makers = insertionMakers(runtime, make);
  // the migrations create partitions around the real date; noon is far from midnight
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
  clock.now = noon;
  const enclosures = createEnclosureCache(runtime);
  const open = () => episodeAudioDoor(runtime, { trustedProxies: 1, enclosures });
  let door = open();
  const server = http.createServer((req, res) => void door(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function ask(path: string, asked: Asked = {}): Promise<Answer> {
    const {
      address = '198.51.99.1',
      agent = APP,
      method = 'GET',
      headers = {},
      reads = Number.POSITIVE_INFINITY,
    } = asked;
    return new Promise((resolve, reject) => {
      const sent = { 'user-agent': agent, 'x-forwarded-for': address, ...headers };
      const request = http.request({ port, path, method, agent: false, headers: sent }, (res) => {
        const parts: Buffer[] = [];
        let received = 0;
        const answer = () =>
          resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(parts).subarray(0, reads) });
        res.on('data', (part: Buffer) => {
          parts.push(part);
          received += part.length;
          if (received >= reads) res.destroy();
        });
        res.on('error', (error) => received < reads && reject(error)).on('close', answer);
      });
      request.on('error', reject).end();
    });
  }

  /** Follows a redirect, as apps do, with the same headers. */
  async function play(path: string, asked: Asked = {}): Promise<Answer & { path: string }> {
    const first = await ask(path, asked);
    if (first.status !== 302) return { ...first, path };
    const { location, 'cache-control': caching } = first.headers;
    if (caching !== 'no-store') throw new Error('a cache may keep the redirect');
    return { ...(await ask(location!, asked)), path: location! };
  }

  let listeners = 0;
  const creator = await make.creator();

  return {
    ...staged,
    ...makers,
    noon,
    creator,
    ask,
    play,
    /** Another process: it has cached nothing, and knows no listener. */
    restart() {
      door = open();
      enclosures.clear();
    },
    /** What a change of campaigns announces. */
    changed: () => enclosures.clear(),
    /** An address that nobody else has. */
    newListener() {
      listeners += 1;
      return `10.${listeners >> 16}.${(listeners >> 8) & 255}.${listeners & 255}`;
    },
    counted: () => runtime.recorders.drained(),
    async campaignRow(id: number) {
      const [row] = await runtime.db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, id));
      return row!;
    },
    impressionsOf: (id: number) =>
      runtime.db.select().from(impressionDays).where(eq(impressionDays.campaignId, id)).orderBy(impressionDays.day),
    pauseCampaign: (id: number) =>
      runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.id, id)),
    /** A show with one episode and one campaign before it. */
    async sponsored(
      over: Parameters<typeof makers.campaign>[2] = {},
      { by = creator, seconds = 15 }: { by?: typeof creator; seconds?: number } = {},
    ) {
      const show = await make.product(by);
      const episode = await makers.soundEpisode(show, { seconds });
      const spot = await makers.clip(by);
      const row = await makers.campaign(show, [spot], over);
      enclosures.clear();
      return { show, episode, spot, campaign: row };
    },
  };
}

export const range = (from: number, to: number | '' = '') => ({ headers: { range: `bytes=${from}-${to}` } });
export const audioPath = ({ id }: { id: number }, query = '') => `/audio/${id}/name.mp3${query}`;
