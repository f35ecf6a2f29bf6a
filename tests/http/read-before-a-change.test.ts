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
