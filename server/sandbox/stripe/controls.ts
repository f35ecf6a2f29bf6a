import type { Context, Hono } from 'hono';
import type { StripeSandbox } from './sandbox';
import { StripeFault } from './wire/faults';

/** For whoever is outside the process: how webhooks misbehave, what failed renewals come to, and that time passes. */
export function mountControls(app: Hono, sandbox: Omit<StripeSandbox, 'app' | 'pages'>): void {
  app.post('/_control/webhooks', async (c) => {
    const said = await saidIn(c);
    const number = (name: string) => (said.has(name) ? { [name]: Number(said.get(name)) || 0 } : {});
    await sandbox.misbehave({
      ...number('duplicates'),
      ...number('delaySeconds'),
      ...number('lose'),
      ...(said.has('reorder') && { reorder: said.get('reorder') === 'true' }),
    });
    return c.json(await sandbox.deliveries());
  });
  app.get('/_control/webhooks', async (c) => c.json(await sandbox.deliveries()));
  app.post('/_control/dunning', async (c) => {
    const said = await saidIn(c);
    const change = {
      ...(said.has('days') && { days: String(said.get('days')).split(',').map(Number) }),
      ...(said.has('finally') && { finally: said.get('finally') as 'cancel' }),
    };
    try {
      return c.json(await sandbox.dun(change));
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
