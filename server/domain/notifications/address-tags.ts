import { withTag } from '../../base/addresses';
import type { Ctx } from '../../runtime/ctx';
import { isSignature, signatureOf } from './signed-tokens';

type Signer = Pick<Ctx, 'vault'>;
/** One letter that says what a tag is about, and what its signature is for. */
type Kind = { letter: string; purpose: string };

/** 80 bits: a tag must fit into the part of an address before the @ (RFC 5321 §4.5.3.1.1). */
const SIGNATURE_DIGITS = 20;
const TAG = /^(?:[^@+]{1,64}\+)?([a-z])\.([0-9a-z]{1,10})\.([0-9a-z]{1,10})\.([0-9a-f]{20})(?:@|$)/;

/**
 * Two ids in the tag of an address (`bounces+tag@domain`) or in a Message-ID (`tag@domain`), in lower case and without
 * characters that servers rewrite. It is signed, so nobody can write one for another person's email.
 */
export function addressTag(signer: Signer, [first, second]: [number, number], kind: Kind): string {
  return `${kind.letter}.${first.toString(36)}.${second.toString(36)}.${signature(signer, first, second, kind)}`;
}

/**
 * The address in an email's header to which email apps write to unsubscribe (RFC 2369), with two ids in its tag; undefined
 * if nobody reads it.
 */
export function unsubscribeMailto(
  ctx: Pick<Ctx, 'vault' | 'ports'>,
  ids: [number, number],
  kind: Kind,
): string | undefined {
  const { bounceAddress } = ctx.ports.mail;
  if (bounceAddress === null) return undefined;
  return `mailto:${withTag(bounceAddress, addressTag(ctx, ids, kind))}?subject=unsubscribe`;
}

/** The ids of a tag, of a Message-ID or of an address with a tag; null for any other text. */
export function readAddressTag(signer: Signer, text: string | null, kind: Kind): [number, number] | null {
  const [, letter, ...parts] = TAG.exec(text?.toLowerCase() ?? '') ?? [];
  const [first = 0, second = 0] = parts.slice(0, 2).map((part) => Number.parseInt(part, 36));
  if (letter !== kind.letter || !Number.isSafeInteger(first) || !Number.isSafeInteger(second)) return null;
  return isSignature(parts[2] ?? '', signature(signer, first, second, kind)) ? [first, second] : null;
}

function signature(signer: Signer, first: number, second: number, { purpose }: Kind): string {
  const signed = signatureOf(signer, `${first} ${second}`, purpose);
  return Buffer.from(signed, 'base64url').toString('hex').slice(0, SIGNATURE_DIGITS);
}
