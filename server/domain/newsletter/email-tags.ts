import type { Ctx } from '../../runtime/ctx';
import { addressTag, readAddressTag } from '../notifications/address-tags';

/** An email of an edition to one contact. */
export type EditionEmail = { editionId: number; contactId: number };

const KIND = { letter: 'b', purpose: 'an email of an edition' };

/** Names an email of an edition in its Message-ID and in its return path. */
export const emailTag = (ctx: Pick<Ctx, 'vault'>, { editionId, contactId }: EditionEmail): string =>
  addressTag(ctx, [editionId, contactId], KIND);

/** The email that a Message-ID, or a return path such as `bounces+tag@domain`, belongs to; null for any other text. */
export function readEmailTag(ctx: Pick<Ctx, 'vault'>, text: string | null): EditionEmail | null {
  const [editionId, contactId] = readAddressTag(ctx, text, KIND) ?? [];
  return editionId === undefined || contactId === undefined ? null : { editionId, contactId };
}
