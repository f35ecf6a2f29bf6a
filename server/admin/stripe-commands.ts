import type { EndpointEvents, WebhookEndpoint } from '../adapters/payments/setup-port';
import { recordOperation } from '../domain/operators/record-operation';
import { transact } from '../runtime/ctx';
import { type Admin, type Command, type CommandGroup, UsageError } from './command';
import { checkStripe, webhookUrl } from './doctor-stripe';
import { problem } from './finding';

type Step = { state: 'created' | 'updated' | 'removed'; check: 'webhooks'; message: string };

/**
 * Brings the webhook endpoints up to date, then checks the account. Repeating it changes nothing and shows no secret.
 * `--remove-old yes`: also removes endpoints with another version, once the secrets of their successors are in use.
 */
const setup: Command = {
  usage: 'setup [--remove-old yes]',
  options: ['remove-old'],
  async run(admin, args, options) {
    if (args.length > 0) throw new UsageError('setup takes no arguments');
    const { ctx, env } = admin;
    if (env.payments.provider !== 'stripe') throw new UsageError('STRIPE_SECRET_KEY is not set');
    const steps: Step[] = [];
    try {
      await setUpEndpoints(admin, steps, options['remove-old'] === 'yes');
      await recordSteps(admin, steps);
      return [...steps, ...(await checkStripe(ctx.ports.payments, { env, now: ctx.now() }))];
    } catch (error) {
      // the provider shows a secret only once
      if (steps.length === 0) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return [...steps, problem('webhooks', `setup was interrupted (${reason}): run it again`)];
    }
  },
};

async function recordSteps({ ctx, operator }: Admin, steps: Step[]): Promise<void> {
  if (steps.length === 0) return;
  const details = { endpoints: steps.map(({ state }) => state).join(', ') };
  const done = { action: 'stripe.set_up', target: 'stripe', details } as const;
  await transact(ctx, (tx) => recordOperation(tx, operator, done));
}

/** Adds each step when it is done. */
async function setUpEndpoints({ ctx, env }: Admin, steps: Step[], removesOld: boolean): Promise<void> {
  const { payments } = ctx.ports;
  const url = webhookUrl(env);
  const { ours } = await payments.setup.listEndpoints(url);
  for (const events of payments.canConnect ? (['own', 'connected'] as const) : (['own'] as const)) {
    const mine = ours.filter((endpoint) => endpoint.events === events);
    steps.push(...(await bringUpToDate(ctx.ports, { events, url, current: mine.find(hasVersion) })));
  }
  const old = removesOld ? ours.filter((endpoint) => !hasVersion(endpoint)) : [];
  for (const { id } of old) {
    await payments.setup.removeEndpoint(id);
    steps.push({ state: 'removed', check: 'webhooks', message: id });
  }
}

const hasVersion = ({ differs }: WebhookEndpoint) => !differs.includes('version');

type Wanted = { events: EndpointEvents; url: string; current: WebhookEndpoint | undefined };

/** An endpoint keeps its version, so one with another version gets a successor, and works until it is removed. */
async function bringUpToDate({ payments }: Admin['ctx']['ports'], { events, url, current }: Wanted): Promise<Step[]> {
  if (!current) {
    const { id, secret } = await payments.setup.createEndpoint({ url, events });
    const message = `${id}, events of ${events} accounts: add ${secret} to STRIPE_WEBHOOK_SECRETS and restart`;
    return [{ state: 'created', check: 'webhooks', message }];
  }
  if (current.differs.length === 0) return [];
  await payments.setup.updateEndpoint(current, url);
  return [{ state: 'updated', check: 'webhooks', message: `${current.id} (${current.differs.join(', ')})` }];
}

export const stripeCommands: CommandGroup = { setup };
