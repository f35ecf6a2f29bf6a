import type { HeaderField, SignMessage } from './edition-message';

export type DkimKey = {
  /** The signing domain, below which the selector's public key is found. */
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** PEM (PKCS #8 or PKCS #1). */
  privateKey: string;
};

/** Signs the text of canonical headers. @returns base64 */
export type SignText = (key: DkimKey, text: string) => Promise<string>;

/** RFC 8058 §4 demands the two fields about unsubscribing. A second `From` would break the signature: it is listed twice. */
const SIGNED = [
  'From',
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'MIME-Version',
  'Content-Type',
];

/** Adds a signature (RFC 6376, relaxed/relaxed) for each key. The body hash is given: a body is its own relaxed form. */
export function signMessages(keys: readonly DkimKey[], signText: SignText): SignMessage {
  // fields that all recipients share are the same objects
  const relaxed = new WeakMap<HeaderField, string>();
  const relax = (field: HeaderField): string => {
    const known = relaxed.get(field);
    if (known !== undefined) return known;
    const text = relaxField(field);
    relaxed.set(field, text);
    return text;
  };
  return (headers, bodyHash) => {
    // names that come twice are signed from the last one up (RFC 6376 §5.4.2), and we write none twice
    const signed = SIGNED.filter((name, i) => SIGNED.indexOf(name) === i)
      .flatMap((name) => headers.filter((field) => field[0] === name))
      .map(relax)
      .join('');
    const names = SIGNED.filter((name) => headers.some((field) => field[0] === name)).join(':');
    return Promise.all(
      keys.map(async (key): Promise<HeaderField> => {
        const tags =
          `v=1; a=${key.algorithm}; c=relaxed/relaxed; d=${key.domain}; s=${key.selector};\r\n` +
          ` h=${names.replaceAll(':List-', ':\r\n List-')};\r\n bh=${bodyHash};\r\n b=`;
        const own = relaxField(['DKIM-Signature', tags]).slice(0, -2);
        const signature = await signText(key, signed + own);
        return ['DKIM-Signature', tags + foldSignature(signature)];
      }),
    );
  };
}

/** RFC 6376 §3.4.2 */
function relaxField([name, value]: HeaderField): string {
  const line = value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${name.toLowerCase()}:${line}\r\n`;
}

const foldSignature = (base64: string): string => base64.replace(/.{70}(?=.)/g, '$&\r\n ');
