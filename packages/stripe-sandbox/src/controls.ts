import type { Context, Hono } from 'hono';
import type { Limits } from './api/limits';
import type { Dunning } from './billing/dunning';
import type { Faults } from './engine/deliveries';
import type { Conversion, Timing } from './engine/unit-of-work';
import type { OwnAccount } from './money/own-account';
import { StripeFault } from './wire/faults';

export type SandboxControls = {
  /**
   * Processes objects that are due; `retry` includes objects that have failed too often.
   * @returns how many objects were processed
   */
  tick(options?: { retry?: boolean }): Promise<number>;
  /** Sends due webhooks. @returns how many were accepted */
  deliver(): Promise<number>;
  injectFaults(change: Partial<Faults>): Promise<void>;
  /** Counts deliveries by status. */
  deliveries(): Promise<Record<string, number>>;
  /**
   * Stops this process's clock at a moment, to create data in the past; null lets it run again. Other processes process
   * nothing that is due until then, or for a minute if this process is killed: call it again for each object.
   */
  setTime(at: Date | null): Promise<void>;
  /** Sets when failed renewals are retried and what happens to the subscription after the last retry. */
  setDunning(change: Partial<Dunning>): Promise<Dunning>;
  /** Sets what the owner of the platform's account sets in the Dashboard. */
  setOwnAccount(change: Partial<OwnAccount>): Promise<void>;
  /** Sets the currencies in which the platform has no bank account, for this process. */
  setConversions(conversions: Record<string, Conversion>): void;
  /** Switches Stripe's protections on or off, for this process. @returns all of them */
  setLimits(change: Partial<Limits>): Limits;
  /** Sets when payments are captured, and how long their money stays pending, for this process. */
  setTiming(change: Partial<Timing>): void;
  /** Completes all captures now. @returns how many */
  capture(): Promise<number>;
};

/** Controls for other processes: webhook faults, dunning, times and due work. */
export function mountControls(app: Hono, sandbox: SandboxControls): void {
  app.get('/_control/webhooks', async (c) => c.json(await sandbox.deliveries()));
  app.post('/_control/webhooks', async (c) => {
    await sandbox.injectFaults(parseFaults(await readForm(c)));
    return c.json(await sandbox.deliveries());
  });
  app.post('/_control/dunning', async (c) => {
    try {
      return c.json(await sandbox.setDunning(parseDunning(await readForm(c))));
    } catch (error) {
      if (error instanceof StripeFault) return c.json({ error: error.body }, 400);
      throw error;
    }
  });
  app.post('/_control/limits', async (c) => c.json(sandbox.setLimits(parseLimits(await readForm(c)))));
  app.post('/_control/timing', async (c) => {
    const form = await readForm(c);
    sandbox.setTiming(parseTiming(form));
    const captured = form.get('captured') === 'true' ? await sandbox.capture() : 0;
    return c.json({ captured });
  });
  app.post('/_control/tick', async (c) => {
    const retry = (await readForm(c)).get('retry') === 'true';
    return c.json({ happened: await sandbox.tick({ retry }), delivered: await sandbox.deliver() });
  });
}

const readForm = async (c: Context) => new URLSearchParams(await c.req.text());

/** Upper bound of copies, seconds and losses. */
const MAX_FAULT = 10_000;

function parseFaults(form: URLSearchParams): Partial<Faults> {
  const number = (name: Exclude<keyof Faults, 'reorder'>): Partial<Faults> =>
    form.has(name) ? { [name]: Math.min(MAX_FAULT, Math.max(0, Math.trunc(Number(form.get(name)) || 0))) } : {};
  return {
    ...number('duplicates'),
    ...number('delaySeconds'),
    ...number('lose'),
    ...(form.has('reorder') && { reorder: form.get('reorder') === 'true' }),
  };
}

/** `perSecond=0` removes the limit. */
function parseLimits(form: URLSearchParams): Partial<Limits> {
  const count = (name: string) => Math.min(MAX_FAULT, Math.max(0, Math.trunc(Number(form.get(name)) || 0)));
  return {
    ...(form.has('perSecond') && { perSecond: count('perSecond') || null }),
    ...(form.has('locks') && { locks: count('locks') }),
    ...(form.has('rejectsKeysInUse') && { rejectsKeysInUse: form.get('rejectsKeysInUse') === 'true' }),
    ...(form.has('repeatsFailures') && { repeatsFailures: form.get('repeatsFailures') === 'true' }),
  };
}

/** `capture`: seconds, or `none` for a capture at once. `settlement`: days. */
function parseTiming(form: URLSearchParams): Partial<Timing> {
  const number = (name: string) => Math.max(0, Math.trunc(Number(form.get(name)) || 0));
  return {
    ...(form.has('capture') && { captureSeconds: form.get('capture') === 'none' ? null : number('capture') }),
    ...(form.has('settlement') && { settlementDays: number('settlement') }),
  };
}

const parseDunning = (form: URLSearchParams) => ({
  ...(form.has('days') && { days: String(form.get('days')).split(',').map(Number) }),
  ...(form.has('finally') && { finally: form.get('finally') as Dunning['finally'] }),
});
