import { expect, test } from 'vitest';
import { createSessionCache } from '~/server/auth/session-cache';
import { recentRows } from '~/server/http/caches/recent-rows';
import { createAnswerCache } from '~/server/rest/answer-cache';

type Read = () => Promise<string>;
/** Each cache: its read, and its invalidation by a change. */
const CACHES: Record<string, (read: Read) => { find: Read; clear(): void }> = {
  'a row'(read) {
    const rows = recentRows(read, { max: 10, ttl: 600_000 });
    return { find: async () => (await rows.find('key'))!, clear: rows.clear };
  },
  'an answer'(read) {
    const answers = createAnswerCache(() => true);
    const make = async () => ({ status: 200, body: await read() });
    return { find: async () => (await answers.find('key', 600_000, make)).body!, clear: answers.clear };
  },
  'a session'(read) {
    const sessions = createSessionCache<{ name: string; renewed: boolean }>();
    const load = async () => ({ name: await read(), renewed: false });
    return { find: async () => (await sessions.read('key', load))!.name, clear: sessions.clear };
  },
};

test.each(Object.entries(CACHES))(
  '%s that was read before a change, and arrives after it, is not kept',
  async (_, open) => {
    const arrivals: ((value: string) => void)[] = [];
    const { find, clear } = open(() => new Promise((resolve) => void arrivals.push(resolve)));
    const slow = find();
    clear();
    arrivals[0]!('old');
    expect(await slow).toBe('old');

    const next = find();
    arrivals[1]?.('new');

    expect(await next).toBe('new');
    expect(await find()).toBe('new');
  },
);

test('after a gap, rows serve only while the database is away', async () => {
  let answer = async (key: number) => `old ${key}`;
  const rows = recentRows((key: number) => answer(key), { max: 10, ttl: 600_000 });
  const findAll = () => Promise.all([1, 2, 3].map(rows.find));
  await findAll();

  rows.expire();
  answer = () => Promise.reject(Object.assign(new Error('away'), { code: 'CONNECT_TIMEOUT' }));
  const whileAway = await findAll();
  answer = async (key) => `new ${key}`;

  expect(whileAway).toEqual(['old 1', 'old 2', 'old 3']);
  expect(await findAll()).toEqual(['new 1', 'new 2', 'new 3']);
});
