import { resendEmail, resendEmails } from '../domain/console/emails';
import { platformDmarc } from '../domain/newsletter/dmarc-rate';
import { listFailedEmails } from '../domain/notifications/deliver-email';
import { type Command, type CommandGroup, requireIds } from './command';

const failed: Command = {
  usage: 'failed',
  async run({ ctx }) {
    return (await listFailedEmails(ctx)).map(({ createdAt, failedAt, ...email }) => ({
      ...email,
      created: createdAt.toISOString(),
      failed: failedAt?.toISOString() ?? null,
    }));
  },
};

const resend: Command = {
  usage: 'resend [ID…]',
  async run({ ctx, operator }, args) {
    if (args.length === 0) return [{ resent: await resendEmails(ctx, { operator }) }];
    const ids = requireIds(args);
    for (const id of ids) await resendEmail(ctx, { operator, id });
    return ids.map((id) => ({ id, state: 'waits to be sent' }));
  },
};

/** How much of our domain's email passed DMARC in the last 30 days, and which servers sent it. */
const dmarc: Command = {
  usage: 'dmarc',
  async run({ ctx }) {
    const { sources, ...rate } = await platformDmarc(ctx);
    return [{ server: 'all', ...rate }, ...sources.map(({ ip, ...source }) => ({ server: ip, ...source }))];
  },
};

export const mailCommands: CommandGroup = { failed, resend, dmarc };
