import { createHash } from 'node:crypto';

const NONCE = /'nonce-([^']+)'/g;
const INLINE = { script: /<script([^>]*)>([\s\S]*?)<\/script>/g, style: /<style([^>]*)>([\s\S]*?)<\/style>/g };
/** External scripts, and data blocks, which do not run. */
const NOT_INLINE = /\ssrc=|\stype="application\/(?:ld\+)?json"/;

/**
 * Makes a rendered page cacheable. A reused nonce gives no protection, so the policy lists the hash of each inline script
 * and style instead.
 * @returns null if a nonce also occurs elsewhere in the page, which must not be shared then
 */
export function sharedPolicy(html: string, policy: string): { html: string; policy: string } | null {
  const nonces = [...new Set([...policy.matchAll(NONCE)].map((match) => match[1] as string))];
  let page = html;
  for (const nonce of nonces) page = page.replaceAll(` nonce="${nonce}"`, '');
  if (nonces.some((nonce) => page.includes(nonce))) return null;
  const hashes = { script: hashesOf(page, 'script'), style: hashesOf(page, 'style') };
  return {
    html: page,
    policy: policy
      .split(';')
      .map((directive) => withHashes(directive, hashes))
      .join(';'),
  };
}

function withHashes(directive: string, hashes: { script: string; style: string }): string {
  if (!directive.includes("'nonce-")) return directive;
  const name = directive.trim().split(/\s/, 1)[0] ?? '';
  const found = name.startsWith('script') ? hashes.script : name.startsWith('style') ? hashes.style : '';
  let first = true;
  const replaced = directive.replace(NONCE, () => {
    const text = first ? found : '';
    first = false;
    return text;
  });
  return replaced.replace(/ {2,}/g, ' ').trimEnd();
}

function hashesOf(html: string, kind: 'script' | 'style'): string {
  const sources = new Set<string>();
  for (const [, attributes = '', text = ''] of html.matchAll(INLINE[kind])) {
    if (NOT_INLINE.test(attributes) || text === '') continue;
    // browsers hash the parsed text, in which every line ends with \n
    const parsed = text.replace(/\r\n?/g, '\n');
    sources.add(`'sha256-${createHash('sha256').update(parsed).digest('base64')}'`);
  }
  return [...sources].join(' ');
}
