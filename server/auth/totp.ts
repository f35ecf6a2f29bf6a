import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECONDS } from '../base/time';

/** Codes of authenticator apps (RFC 6238), with the parameters that every app supports. */
export const TOTP = { digits: 6, step: SECONDS(30), algorithm: 'sha1', secretBytes: 20 } as const;
/** Steps before and after the current one whose codes are accepted, because clocks may be wrong. */
const DRIFT = 1;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret in base32, as apps and people read it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(TOTP.secretBytes));
}

/** The number of the time step at an instant. */
export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / TOTP.step);

/** The code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac(TOTP.algorithm, fromBase32(secret)).update(counter).digest();
  const offset = digest.at(-1)! & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** TOTP.digits).padStart(TOTP.digits, '0');
}

/** The accepted time step with this code; null if there is none. */
export function matchTotp(secret: string, code: string, now: Date): number | null {
  const given = Buffer.from(code);
  const current = totpStepAt(now);
  for (let step = current - DRIFT; step <= current + DRIFT; step += 1) {
    const expected = Buffer.from(totpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return step;
  }
  return null;
}

/** The content of the QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function otpauthUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
