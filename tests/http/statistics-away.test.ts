import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

/** Nothing listens on this port. */
const { runtime, env, make } = await cast({ settings: { STATISTICS_URL: 'clickhouse://127.0.0.1:9/statistics' } });
const app = pagesApp(runtime, env.urls);
const owner = await make.creator();
const show = await make.product(owner);

const read = (path: string) =>
  app.request(`${env.urls.appUrl}${path}`, {
    headers: { cookie: `token=${owner.token}`, host: new URL(env.urls.appUrl).host },
  });

test('without ClickHouse, pages of statistics say that they are not available, and all others open', async () => {
  const [statistics, ofAll] = await Promise.all([read(`/podcasts/${show.id}/metric`), read('/metric')]);
  const others = await Promise.all(['/dashboard', `/podcasts/${show.id}`].map(read));

  expect([statistics.status, ofAll.status]).toEqual([503, 503]);
  expect(await statistics.text()).toContain('Plays are still counted and will appear later.');
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
});
