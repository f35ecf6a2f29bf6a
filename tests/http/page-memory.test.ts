import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const app = pagesApp(runtime, env.urls);
await make.creator({ domain: 'lucia' });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Renders a page; only the returned reference still points to its request. */
async function render(): Promise<WeakRef<Request>> {
  const request = new Request(`${env.urls.appUrl}/@lucia`);
  const response = await app.fetch(request);
  expect(await response.text()).toContain('</html>');
  return new WeakRef(request);
}

test('a finished page is released within a second', async () => {
  const rendered = [await render(), await render(), await render()];

  await sleep(900);
  collectGarbage();

  expect(rendered.filter((request) => request.deref())).toEqual([]);
});
