import type { EndpointEvents, WebhookEndpoint } from '../adapters/payments/setup-port';
import { recordOperation } from '../domain/operators/record-operation';
import { transact } from '../runtime/ctx';
import { type Admin, type Command, type CommandGroup, type CommandOptions, UsageError } from './command';
import { checkStripe, webhookUrl } from './doctor-stripe';
import { type Finding, problem, warning } from './finding';

type Step = { state: 'created' | 'updated' | 'removed'; check: 'webhooks'; message: string };

/**
 * Brings the webhook endpoints of this installation up to date, then checks the account. Repeating it changes nothing
 * and shows no secret. Other installations may share the account, so an endpoint for another address is ours only if
 * `--moved-from` names the address that this installation had. `--remove-old yes`: also removes endpoints with another
 * version, once the secrets of their successors are in use.
 */
const setup: Command = {
  usage: 'setup [--moved-from {former APP_URL}] [--remove-old yes]',
  options: ['moved-from', 'remove-old'],
  async run(admin, args, options) {
    if (args.length > 0) throw new UsageError('setup takes no arguments');
    const { ctx, env } = admin;
    if (env.payments.provider !== 'stripe') throw new UsageError('STRIPE_SECRET_KEY is not set');
    const steps: Step[] = [];
    try {
      const kept = await setUpEndpoints(admin, steps, options);
      return [...steps, ...kept, ...(await checkStripe(ctx.ports.payments, { env, now: ctx.now() }))];
    } catch (error) {
      // the provider shows a secret only once
      if (steps.length === 0) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return [...steps, problem('webhooks', `setup was interrupted (${reason}): run it again`)];
    }
  },
};

/** Adds each step when it is done, and records it before the next one. @returns what was not done, and why */
async function setUpEndpoints(admin: Admin, steps: Step[], options: CommandOptions): Promise<Finding[]> {
  const { ctx, env } = admin;
  const { payments } = ctx.ports;
  const url = webhookUrl(env.urls.appUrl);
  const former = options['moved-from'] === undefined ? undefined : webhookUrl(parseFormer(options['moved-from']));
  const { ours } = await payments.setup.listEndpoints({ url, former });
  async function add(step: Step | null) {
    if (!step) return;
    steps.push(step);
    await recordStep(admin, step);
  }
  const kinds = payments.canConnect ? (['own', 'connected'] as const) : (['own'] as const);
  for (const events of kinds) {
    const mine = ours.filter((endpoint) => endpoint.events === events && hasVersion(endpoint));
    const current = mine.find((endpoint) => endpoint.url === url) ?? mine[0];
    await add(await bringUpToDate(ctx.ports, { events, url, current }));
  }
  const old = options['remove-old'] === 'yes' ? ours.filter((endpoint) => !hasVersion(endpoint)) : [];
  const reason = whyNotRemoved(env, { steps, needed: kinds.length });
  if (reason) return old.map(({ id }) => warning('webhooks', `${id} is not removed: ${reason}`));
  for (const { id } of old) {
    await payments.setup.removeEndpoint(id);
    await add({ state: 'removed', check: 'webhooks', message: id });
  }
  return [];
}

/** Until the secrets of the new endpoints are in use, only the old ones bring events. */
function whyNotRemoved({ payments }: Admin['env'], { steps, needed }: { steps: Step[]; needed: number }) {
  if (steps.some(({ state }) => state === 'created')) return 'set the new secret, restart, and run this again';
  const known = payments.provider === 'stripe' ? payments.webhookSecrets.length : 0;
  return known < needed ? `STRIPE_WEBHOOK_SECRETS has ${known} of ${needed} secrets` : null;
}

function parseFormer(address: string): string {
  if (!URL.canParse(address)) throw new UsageError('--moved-from needs the APP_URL that this installation had');
  return address.replace(/\/+$/, '');
}

async function recordStep({ ctx, operator }: Admin, { state, message }: Step): Promise<void> {
  const details = { endpoint: state, id: message.split(/[ ,]/)[0] ?? '' };
  const done = { action: 'stripe.set_up', target: 'stripe', details } as const;
  await transact(ctx, (tx) => recordOperation(tx, operator, done));
}

const hasVersion = ({ differs }: WebhookEndpoint) => !differs.includes('version');

type Wanted = { events: EndpointEvents; url: string; current: WebhookEndpoint | undefined };

/** An endpoint keeps its version, so one with another version gets a successor, and works until it is removed. */
async function bringUpToDate(
  { payments }: Admin['ctx']['ports'],
  { events, url, current }: Wanted,
): Promise<Step | null> {
  if (!current) {
    const { id, secret } = await payments.setup.createEndpoint({ url, events });
    const message = `${id}, events of ${events} accounts: add ${secret} to STRIPE_WEBHOOK_SECRETS and restart`;
    return { state: 'created', check: 'webhooks', message };
  }
  if (current.differs.length === 0) return null;
  await payments.setup.updateEndpoint(current, url);
  return { state: 'updated', check: 'webhooks', message: `${current.id} (${current.differs.join(', ')})` };
}

export const stripeCommands: CommandGroup = { setup };
