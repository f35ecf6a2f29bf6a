import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const app = pagesApp(runtime, env.urls);

const owner = await make.creator({ name: 'Aoife', domain: 'aoife' });
const show = await make.product(owner, { name: 'Tides' });
await make.episodes(show, 1);
const { host, origin } = new URL(env.urls.appUrl);

async function read(path: string, cookie: string, acceptLanguage = 'en'): Promise<string> {
  const headers = { cookie, host, origin, 'accept-language': acceptLanguage };
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

const weekdays = (html: string) => [...html.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, day]) => day);
const calendar = (acceptLanguage?: string) => read('/calendar?month=2026-03', `token=${owner.token}`, acceptLanguage);

test('an account in Ireland has weeks from Monday and days before months, whatever the browser prefers', async () => {
  await owner.api.accounts.update({ country: 'IE' });

  const html = await calendar('en-US');

  expect(weekdays(html)[0]).toBe('Mon');
  expect(html).toContain('Monday 2 March');
});

test('a changed country counts for the next page: American formats', async () => {
  await owner.api.accounts.update({ country: 'US' });

  const html = await calendar('en-GB');

  expect(weekdays(html)[0]).toBe('Sun');
  expect(html).toContain('Monday, March 2');
});

test('visitors get one page, with the day first', async () => {
  const path = `/@aoife/p/${show.slug}`;

  const [british, american] = [await read(path, '', 'en-GB'), await read(path, '', 'en-US')];

  expect(british).toContain('2 Mar 2026');
  expect(american).toContain('2 Mar 2026');
});
