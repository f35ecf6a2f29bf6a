import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const DEVICE_COOKIE = 'device';
const ID_BYTES = 16;

export type Devices = {
  /** The value of a cookie that proves an earlier login to the account with this address. */
  issue(email: string): string;
  /** The device's id if its cookie was issued for this address; otherwise null. */
  recognize(cookie: string | undefined, email: string): string | null;
};

/**
 * Signed cookies by which a browser is recognized at its next login. Such a cookie gives no access: it only exempts
 * from the slower pace that unknown devices get during an attack (docs/decisions/0091). It names no account.
 */
export function createDevices(secret: string): Devices {
  const sign = (id: string, email: string) =>
    createHmac('sha256', secret).update(`device\n${id}\n${email}`).digest('base64url');
  return {
    issue(email) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return `${id}.${sign(id, email)}`;
    },
    recognize(cookie = '', email) {
      const [id = '', signature = ''] = cookie.split('.');
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(id, email))];
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
    },
  };
}
