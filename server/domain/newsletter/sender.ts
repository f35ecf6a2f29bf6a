import type { Ctx } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';

type Mail = { ports: { mail: Pick<Ctx['ports']['mail'], 'domain'> } };

/** The address of a creator's emails: of the platform's domain, which is what receivers check (docs/decisions/0350). */
export const senderAddress = ({ ports }: Mail, { domain }: Pick<CreatorRow, 'domain'>): string =>
  `${domain}@${ports.mail.domain}`;
