import { withTag } from '../../base/addresses';
import type { Ctx } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';

type Mail = { ports: { mail: Pick<Ctx['ports']['mail'], 'domain' | 'bounceAddress'> } };

/** The address of a creator's emails: of the platform's domain, which is what receivers check (docs/decisions/0350). */
export const senderAddress = ({ ports }: Mail, { domain }: Pick<CreatorRow, 'domain'>): string =>
  `${domain}@${ports.mail.domain}`;

const bounceMailbox = ({ ports: { mail } }: Mail): string => mail.bounceAddress ?? `bounces@${mail.domain}`;

/** The domain to which servers return emails. */
export const bounceDomain = (ctx: Mail): string => bounceMailbox(ctx).split('@').at(-1)!;

/**
 * Where servers return an email that they could not deliver; the tag names it. `host`: by which the same mailbox is
 * reached, for emails from a creator's own domain.
 */
export const returnPath = (ctx: Mail, tag: string, host = bounceDomain(ctx)): string =>
  withTag(bounceMailbox(ctx).replace(/@[^@]*$/, `@${host}`), tag);
