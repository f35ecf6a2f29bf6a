import type { Ctx } from '../../runtime/ctx';
import { isSignature, signatureOf } from '../notifications/signed-tokens';

/** An email of an edition to one contact. */
export type EditionEmail = { editionId: number; contactId: number };

const SIGNED_FOR = 'an email of an edition';
/** 80 bits: a tag must fit into the part of an address before the @ (RFC 5321 §4.5.3.1.1). */
const SIGNATURE_DIGITS = 20;

/**
 * Names an email of an edition in its Message-ID and in its return path, in lower case and without characters that
 * servers rewrite. It is signed, so nobody can report a bounce of another person's email.
 */
export function emailTag(ctx: Pick<Ctx, 'vault'>, { editionId, contactId }: EditionEmail): string {
  return `b.${editionId.toString(36)}.${contactId.toString(36)}.${signature(ctx, { editionId, contactId })}`;
}

const TAG = /^(?:[^@+]{1,64}\+)?b\.([0-9a-z]{1,10})\.([0-9a-z]{1,10})\.([0-9a-f]{20})(?:@|$)/;

/** The email that a Message-ID, or a return path such as `bounces+tag@domain`, belongs to; null for any other text. */
export function readEmailTag(ctx: Pick<Ctx, 'vault'>, text: string | null): EditionEmail | null {
  const [, edition, contact, given] = TAG.exec(text?.toLowerCase() ?? '') ?? [];
  if (!edition || !contact || !given) return null;
  const email = { editionId: Number.parseInt(edition, 36), contactId: Number.parseInt(contact, 36) };
  if (!Number.isSafeInteger(email.editionId) || !Number.isSafeInteger(email.contactId)) return null;
  return isSignature(given, signature(ctx, email)) ? email : null;
}

function signature(ctx: Pick<Ctx, 'vault'>, { editionId, contactId }: EditionEmail): string {
  const signed = signatureOf(ctx, `${editionId} ${contactId}`, SIGNED_FOR);
  return Buffer.from(signed, 'base64url').toString('hex').slice(0, SIGNATURE_DIGITS);
}
