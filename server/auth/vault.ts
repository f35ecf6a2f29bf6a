import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Vault = {
  /** Encrypts a short secret for storage. `owner` names its row: in another row it can't be opened. */
  seal(secret: string, owner: string): string;
  /** @throws if it was changed, moved, or sealed with the secret of another installation */
  open(sealed: string, owner: string): string;
  /** The stored form of a secret that people type: without our key, a leaked table can't be searched for it. */
  fingerprint(secret: string, owner: string): string;
};

/** Protects the secrets of second factors with keys derived from the installation's secret (docs/decisions/0131). */
export function createVault(secret: string): Vault {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `altavoz ${purpose}`, KEY_BYTES));
  const [sealing, hashing] = [keyFor('sealing'), keyFor('fingerprints')];
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url');
      const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
      const decipher = createDecipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(rest.subarray(0, TAG_BYTES));
      return decipher.update(rest.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    fingerprint: (text, owner) => createHmac('sha256', hashing).update(`${owner}\n${text}`).digest('base64url'),
  };
}
