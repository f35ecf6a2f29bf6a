import { withTag } from '../../base/addresses';
import type { Ctx } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';

type Mail = { ports: { mail: Pick<Ctx['ports']['mail'], 'domain' | 'bounceAddress'> } };

/** The address of a creator's emails: of the platform's domain, which is what receivers check (docs/decisions/0350). */
export const senderAddress = ({ ports }: Mail, { domain }: Pick<CreatorRow, 'domain'>): string =>
  `${domain}@${ports.mail.domain}`;

/** Where servers return an email that they could not deliver; the tag names it. */
export const returnPath = ({ ports: { mail } }: Mail, tag: string): string =>
  withTag(mail.bounceAddress ?? `bounces@${mail.domain}`, tag);
