import { resendEmail, resendEmails } from '../domain/console/emails';
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

export const mailCommands: CommandGroup = { failed, resend };
