import type { Worker } from 'node:worker_threads';
import { type BulkSmtpOptions, createBulkSender } from './bulk-sender';
import { type DkimKey, signMessages } from './dkim-signature';
import { openDkimThreads } from './dkim-threads';
import { composeEdition } from './edition-message';
import type { BulkMessage, BulkSender, Edition, EditionRecipient } from './message';

/** Sends the emails of editions, signed if there is a key for the sender's domain. */
export type BulkMail = BulkSender & {
  /**
   * Builds an edition once; the returned function builds the email of one recipient.
   * @param keys of the sender's own domain. The key of this installation signs these emails, too, and those of its own domain.
   * @throws UnsafeHeader
   */
  compose(edition: Edition, keys?: readonly DkimKey[]): (recipient: EditionRecipient) => BulkMessage;
};

export type BulkMailOptions = BulkSmtpOptions & {
  dkim: DkimKey | null;
  startDkimThread: () => Worker;
  idHeader?: string | null;
};

export function bulkSmtpMail(options: BulkMailOptions): BulkMail {
  const sender = createBulkSender(options);
  const threads = openDkimThreads(options.startDkimThread);
  const { idHeader } = options;
  // receivers ascribe complaints to each domain that signs, so ours signs what leaves from here
  const keysOf = ({ from }: Edition, own: readonly DkimKey[]) =>
    options.dkim && (own.length > 0 || isAligned(from.address, options.dkim.domain)) ? [...own, options.dkim] : own;
  return {
    send: sender.send,
    compose(edition, own = []) {
      const keys = keysOf(edition, own);
      return composeEdition(
        { ...edition, idHeader },
        keys.length > 0 ? signMessages(keys, threads.signText) : undefined,
      );
    },
    async close() {
      await sender.close();
      await threads.close();
    },
  };
}

/** DMARC accepts a signature of the sender's domain or of one above it (RFC 7489 §3.1.1). */
function isAligned(address: string, domain: string): boolean {
  const own = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return own === domain || own.endsWith(`.${domain}`);
}
