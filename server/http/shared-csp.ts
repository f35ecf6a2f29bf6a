import { createHash } from 'node:crypto';

const NONCE = /'nonce-([^']+)'/g;
const INLINE = { script: /<script([^>]*)>([\s\S]*?)<\/script>/g, style: /<style([^>]*)>([\s\S]*?)<\/style>/g };
/** Scripts that come from elsewhere, and data blocks, which nothing runs. */
const NOT_INLINE = /\ssrc=|\stype="application\/(?:ld\+)?json"/;

/**
 * Makes a page that one visitor was rendered for fit for all: a nonce that is given out twice protects nobody, so the
 * nonces go and the policy names the hash of each inline script and style instead.
 * @returns null where a nonce stands elsewhere in the page too: then it must not be shared
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
  const swapped = directive.replace(NONCE, () => {
    const text = first ? found : '';
    first = false;
    return text;
  });
  return swapped.replace(/ {2,}/g, ' ').trimEnd();
}

function hashesOf(html: string, kind: 'script' | 'style'): string {
  const sources = new Set<string>();
  for (const [, attributes = '', text = ''] of html.matchAll(INLINE[kind])) {
    if (NOT_INLINE.test(attributes) || text === '') continue;
    // a browser hashes what its parser made of the text, in which every line ends with \n
    const seen = text.replace(/\r\n?/g, '\n');
    sources.add(`'sha256-${createHash('sha256').update(seen).digest('base64')}'`);
  }
  return [...sources].join(' ');
}
