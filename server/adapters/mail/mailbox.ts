import { SECONDS } from '../../base/time';
import type { MailboxSettings } from '../../env/inbound-mail';

export type ReadLimits = { messages: number; bytes: number };

/** A mailbox in which other servers leave reports. */
export type Mailbox = {
  /**
   * Passes the new messages to `receive`, the oldest first, and marks each as done after it; one that is too large, or
   * for which `receive` returns false, is flagged as well. @returns the number of messages. @throws if the server is
   * unreachable, and what `receive` throws; the message then stays new
   */
  readNew(limits: ReadLimits, receive: (message: Buffer) => Promise<boolean>): Promise<number>;
};

const TIMEOUTS = { connectionTimeout: SECONDS(20), greetingTimeout: SECONDS(10), socketTimeout: SECONDS(30) };

/** A mailbox of any IMAP server; a connection for each turn. */
export function imapMailbox({ url, done }: MailboxSettings): Mailbox {
  return {
    async readNew({ messages, bytes }, receive) {
      const client = await connect(url);
      try {
        await client.mailboxOpen(folderOf(url));
        const found = (await client.search({ seen: false }, { uid: true })) || [];
        const uids = [...found].sort((a, b) => a - b).slice(0, messages);
        for (const uid of uids) {
          const isHandled = await receiveOne(client, { uid, bytes }, receive);
          await settle(client, { uid, isHandled, done });
        }
        return uids.length;
      } finally {
        // the server closes the connection if it does not answer any more
        await client.logout().catch(() => client.close());
      }
    },
  };
}

type Client = Awaited<ReturnType<typeof connect>>;

/** The client is loaded with the first turn. */
async function connect(address: string) {
  const { protocol, hostname, port, username, password } = new URL(address);
  const { ImapFlow } = await import('imapflow');
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    ...TIMEOUTS,
  });
  // an error between two commands is the error of the next one
  client.on('error', () => {});
  await client.connect();
  return client;
}

const folderOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1)) || 'INBOX';

type One = { uid: number; bytes: number };

async function receiveOne(
  client: Client,
  { uid, bytes }: One,
  receive: (message: Buffer) => Promise<boolean>,
): Promise<boolean> {
  const about = await client.fetchOne(String(uid), { size: true }, { uid: true });
  // deleted meanwhile
  if (!about) return true;
  if ((about.size ?? 0) > bytes) return false;
  const found = await client.fetchOne(String(uid), { source: { start: 0, maxLength: bytes } }, { uid: true });
  const source = found ? found.source : undefined;
  return source ? receive(source) : true;
}

type Settled = { uid: number; isHandled: boolean; done: MailboxSettings['done'] };

/** What was not handled stays where an operator finds it. */
async function settle(client: Client, { uid, isHandled, done }: Settled): Promise<void> {
  const range = String(uid);
  if (!isHandled) await client.messageFlagsAdd(range, ['\\Seen', '\\Flagged'], { uid: true });
  else if (done === 'delete') await client.messageDelete(range, { uid: true });
  else {
    await client.messageFlagsAdd(range, ['\\Seen'], { uid: true });
    if (done !== 'keep') await client.messageMove(range, done.folder, { uid: true });
  }
}
