import type { Hono } from 'hono';
import type postgres from 'postgres';
import type { Log } from '../../log';
import { startCatcher } from './catcher';
import { openMessages } from './messages';
import { inboxPages } from './pages';

export type Inbox = {
  /** Where the mail adapter sends to. */
  smtpUrl: string;
  /** `/_dev/inbox` and what is below it. */
  pages: Hono;
  close(): Promise<void>;
};

/**
 * Stands in for a mail server: takes every mail over SMTP and shows it. Each process runs its own catcher; what they
 * catch is one list, kept in the database over restarts.
 */
export async function startInbox({ client, log }: { client: postgres.Sql; log: Log }): Promise<Inbox> {
  const messages = await openMessages(client);
  const catcher = await startCatcher(messages, log);
  return { smtpUrl: catcher.url, pages: inboxPages(messages), close: catcher.close };
}
