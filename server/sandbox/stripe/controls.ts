import type { Context, Hono } from 'hono';
import type { Mischief } from './deliveries';
import type { Dunning } from './dunning';
import type { StripeSandbox } from './sandbox';
import { StripeFault } from './wire/faults';

/** For whoever is outside the process: how webhooks misbehave, what failed renewals come to, and that time passes. */
export function mountControls(app: Hono, sandbox: Omit<StripeSandbox, 'app' | 'pages'>): void {
  app.get('/_control/webhooks', async (c) => c.json(await sandbox.deliveries()));
  app.post('/_control/webhooks', async (c) => {
    await sandbox.misbehave(mischiefIn(await saidIn(c)));
    return c.json(await sandbox.deliveries());
  });
  app.post('/_control/dunning', async (c) => {
    try {
      return c.json(await sandbox.dun(dunningIn(await saidIn(c))));
    } catch (error) {
      if (error instanceof StripeFault) return c.json({ error: error.body }, 400);
      throw error;
    }
  });
  app.post('/_control/tick', async (c) => {
    const retry = (await saidIn(c)).get('retry') === 'true';
    return c.json({ happened: await sandbox.tick({ retry }), delivered: await sandbox.deliver() });
  });
}

const saidIn = async (c: Context) => new URLSearchParams(await c.req.text());

/** Copies, seconds or losses. */
const MOST = 10_000;

function mischiefIn(said: URLSearchParams): Partial<Mischief> {
  const number = (name: string) =>
    said.has(name) ? { [name]: Math.min(MOST, Math.max(0, Math.trunc(Number(said.get(name)) || 0))) } : {};
  return {
    ...number('duplicates'),
    ...number('delaySeconds'),
    ...number('lose'),
    ...(said.has('reorder') && { reorder: said.get('reorder') === 'true' }),
  };
}

const dunningIn = (said: URLSearchParams) => ({
  ...(said.has('days') && { days: String(said.get('days')).split(',').map(Number) }),
  ...(said.has('finally') && { finally: said.get('finally') as Dunning['finally'] }),
});
