import type postgres from 'postgres';
import type { FarEnds } from '../ctx';
import type { Env } from '../env';
import type { Log } from '../log';
import type { Inbox } from '../sandbox/inbox/inbox';
import { smtpMail } from './mail/smtp';
import { chooseStore } from './storage/chosen';

export type ChosenEnds = {
  far: FarEnds;
  /** Null where mail really goes out. */
  inbox: Inbox | null;
  close(): Promise<void>;
};

/**
 * The far ends that the environment asks for. Mail always leaves by SMTP: without a server of its own it goes to the
 * local inbox, which the environment admits or has refused already (server/env.ts).
 */
export async function chooseFarEnds(
  env: Pick<Env, 'storage' | 'mail' | 'urls'>,
  { client, log }: { client: postgres.Sql; log: Log },
): Promise<ChosenEnds> {
  const { smtpUrl, from } = env.mail;
  const storage = await chooseStore(env.storage, (key) => `${env.urls.appUrl}/uploads/form/${key}`);
  const inbox = smtpUrl === null ? await openInbox(client, log) : null;
  const mail = smtpMail({ url: smtpUrl ?? inbox?.smtpUrl ?? '', from });
  return {
    far: { storage, mail },
    inbox,
    async close() {
      mail.close();
      await inbox?.close();
    },
  };
}

/** Loaded only where it is used: a production process never holds its code. */
async function openInbox(client: postgres.Sql, log: Log): Promise<Inbox> {
  const { startInbox } = await import('../sandbox/inbox/inbox');
  return startInbox({ client, log });
}
