import type { EndpointEvents, WebhookEndpoint } from '../adapters/payments/setup-port';
import { recordOperation } from '../domain/operators/record-operation';
import { transact } from '../runtime/ctx';
import { type Admin, type Command, type CommandGroup, UsageError } from './command';
import { checkStripe, webhookUrl } from './doctor-stripe';

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
    const { ctx, env, operator } = admin;
    if (env.payments.provider !== 'stripe') throw new UsageError('STRIPE_SECRET_KEY is not set');
    const steps = await setUpEndpoints(admin, options['remove-old'] === 'yes');
    if (steps.length > 0)
      await transact(ctx, (tx) =>
        recordOperation(tx, operator, {
          action: 'stripe.set_up',
          target: 'stripe',
          details: { endpoints: steps.map(({ state }) => state).join(', ') },
        }),
      );
    return [...steps, ...(await checkStripe(ctx.ports.payments, { env, now: ctx.now() }))];
  },
};

async function setUpEndpoints({ ctx, env }: Admin, removesOld: boolean): Promise<Step[]> {
  const { payments } = ctx.ports;
  const url = webhookUrl(env);
  const { ours } = await payments.setup.listEndpoints(url);
  const steps: Step[] = [];
  for (const events of payments.canConnect ? (['own', 'connected'] as const) : (['own'] as const)) {
    const mine = ours.filter((endpoint) => endpoint.events === events);
    steps.push(...(await bringUpToDate(ctx.ports, { events, url, current: mine.find(hasVersion) })));
  }
  const old = removesOld ? ours.filter((endpoint) => !hasVersion(endpoint)) : [];
  for (const { id } of old) {
    await payments.setup.removeEndpoint(id);
    steps.push({ state: 'removed', check: 'webhooks', message: id });
  }
  return steps;
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
