import { expect, test } from 'vitest';
import { createApp } from '~/server/http/app';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';

const { runtime, env, make } = await cast();
const app = createApp(runtime, {
  rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 },
  policy: { urls: env.urls, uploadOrigin: null, development: false },
  readiness: { stopping: false },
  metricsToken: null,
  inboxUrl: null,
  simulatesPayments: false,
  build: pagesBuild(),
  clientDir: null,
  doors: [],
});

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento' });
const [published] = await make.episodes(show, 4, (i) =>
  i === 0 ? {} : { status: (['scheduled', 'on_hold', 'failed'] as const)[i - 1]!, name: `Hidden ${i}` },
);

async function read(path: string): Promise<string> {
  const headers = { cookie: `token=${owner.token}` };
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

/** What a browser without JavaScript shows in addition. */
async function withoutScript(path: string): Promise<string> {
  const html = await read(path);
  return [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, part]) => part).join('\n');
}

test.each([`/edit/podcasts/${show.id}`, `/podcasts/${show.id}/episodes/${published!.id}`])(
  'without JavaScript, %s states what a deletion loses before its button shows',
  async (path) => {
    const html = await withoutScript(path);

    expect(html).toMatch(/<details[^>]*>.*This (?:permanently )?deletes.*<button[^>]*type="submit".*<\/details>/s);
    expect(html.replace(/<details.*?<\/details>/gs, '')).not.toContain('<button');
  },
);

test('the studio counts all episodes of a show, not only listed ones', async () => {
  expect(await withoutScript(`/edit/podcasts/${show.id}`)).toContain('its feed and 4 episodes');
  expect(await read('/products')).toMatch(/4 episodes/);
  expect(await read(`/podcasts/${show.id}`)).toMatch(/4 episodes/);
});

test('without JavaScript, links open the navigation on phones and list the shows', async () => {
  const html = await withoutScript('/products');

  expect(html).toContain('href="#studio-nav"');
  expect(html).toContain(`href="/podcasts/${show.id}"`);
});
