import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const app = pagesApp(runtime, env.urls);
await make.creator({ domain: 'lucia' });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Renders a page; afterwards, only the returned reference points to its request. */
async function render(): Promise<WeakRef<Request>> {
  const request = new Request(`${env.urls.appUrl}/@lucia`);
  const response = await app.fetch(request);
  expect(await response.text()).toContain('</html>');
  return new WeakRef(request);
}

function kept(rendered: WeakRef<Request>[]): number {
  collectGarbage();
  return rendered.filter((request) => request.deref()).length;
}

/** The delays of all timers of a second or more that are still pending. */
function watchTimers(): Map<unknown, number> {
  const lasting = new Map<unknown, number>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => {
    const timer = start(work, ms);
    if (ms >= 1000) lasting.set(timer, ms);
    return timer;
  }) as typeof start);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    lasting.delete(timer);
    stop(timer);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return lasting;
}

test('a finished page is released: it leaves no timer of a second or more, which would keep it', async () => {
  // loads the modules that later pages use
  await render();
  const timers = watchTimers();

  const rendered = [await render(), await render(), await render()];

  expect([...timers.values()]).toEqual([]);
  await expect.poll(() => kept(rendered)).toBe(0);
});
