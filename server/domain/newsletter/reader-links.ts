import { type Edition, MERGE_FIELDS } from '../../edition/model';
import type { Ctx } from '../../runtime/ctx';
import { addressTag, readAddressTag } from '../notifications/address-tags';
import { signatureOf } from '../notifications/signed-tokens';
import type { EditionEmail } from './email-tags';

type Signer = Pick<Ctx, 'vault'>;
const KIND = { letter: 'r', purpose: 'a reader of an edition' };
const FIELD_DIGITS = 24;

/** Names one reader of one edition in the addresses of its picture and its links. It is signed. */
export const readerTag = (ctx: Signer, { editionId, contactId }: EditionEmail): string =>
  addressTag(ctx, [editionId, contactId], KIND);

/** The contact that a tag in an address of this edition belongs to; null for any other text. */
export function readReaderTag(ctx: Signer, editionId: number, text: string | undefined): number | null {
  const [edition, contactId] = readAddressTag(ctx, text ?? null, KIND) ?? [];
  return edition === editionId && contactId !== undefined ? contactId : null;
}

/** The parameter of those addresses. */
export const READER_PARAM = 'by';

/** An edition for those who agreed to be seen, and its fields, one of which is the tag of the reader. */
export type TrackedEdition = { edition: Edition; fields: string[]; readerField: string };

/**
 * Adds the reader to the picture and to links whose clicks are counted. Only we can know the name of the field, so that no
 * author can write it into a text or an address of their own.
 */
export function trackedEdition(ctx: Signer, editionId: number, edition: Edition): TrackedEdition {
  const digits = Buffer.from(signatureOf(ctx, String(editionId), KIND.purpose), 'base64url').toString('hex');
  const readerField = `reader_${digits.slice(0, FIELD_DIGITS)}`;
  const ofReader = (url: string) => `${url}?${READER_PARAM}={{${readerField}}}`;
  const { links } = edition;
  const counted = (href: string) => {
    const url = links.click(href);
    // what is not counted leads to another site
    return url === href ? href : ofReader(url);
  };
  const pixel = links.pixel && ofReader(links.pixel);
  return {
    edition: { ...edition, isTracked: true, links: { ...links, click: counted, ...(pixel && { pixel }) } },
    fields: [...MERGE_FIELDS, readerField],
    readerField,
  };
}
