import { expect, test } from 'vitest';
import { feedLinks } from '~/db/schema/feeds';
import { grantAccess } from '~/server/domain/access/grant-access';
import { CREATORS_LINK } from '~/server/domain/feeds/kinds';
import { newLink } from '~/server/domain/feeds/private-links';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, paidPodcast } = await cast();
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const { id: productId } = paidPodcast;

function request(path: string, { token, fields }: { token: string; fields?: Record<string, string> }) {
  const headers = { host, origin, cookie: `token=${token}` };
  const body = fields && new URLSearchParams(fields);
  return app.request(`${env.urls.appUrl}${path}`, { method: fields ? 'POST' : 'GET', headers, body });
}

test.each([
  ['en', 'An address from the creator'],
  ['es', 'Una dirección de quien crea el programa'],
])(
  'the page with the addresses of a feed shows in %s the one of the creator, until it is ended',
  async (language, title) => {
    const { id: userId, token } = await make.person();
    const url = await transact(systemCtx(runtime, 'test'), async (tx) => {
      await grantAccess(tx, { userId, productId, source: 'gift' });
      const made = newLink(tx, { userId, productId }, CREATORS_LINK);
      await tx.db.insert(feedLinks).values(made.row);
      return made.url;
    });
    const path = `/${language}/feed/${productId}`;
    const read = async (query = '') => (await request(`${path}${query}`, { token })).text();

    const [shown, asked] = [await read(), await read('?replace=creator')];
    const posted = await request(path, { token, fields: { app: 'creator' } });
    const after = await read('?replaced=creator');

    const has = (html: string, part: string) => html.includes(part);
    expect([has(shown, `<h2>${title}</h2>`), has(shown, url), has(shown, '?replace=creator"')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(has(asked, 'value="creator"')).toBe(true);
    expect([posted.status, posted.headers.get('location')]).toEqual([302, `${path}?replaced=creator`]);
    expect(has(after, `<h2>${title}</h2>`)).toBe(false);
  },
);
