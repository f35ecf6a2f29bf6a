import { createHash } from 'node:crypto';

const NONCE = /'nonce-([^']+)'/g;
const INLINE = { script: /<script([^>]*)>([\s\S]*?)<\/script>/gi, style: /<style([^>]*)>([\s\S]*?)<\/style>/gi };
/** External scripts, and data blocks, which are not executed. */
const NOT_INLINE = /\ssrc=|\stype="application\/(?:ld\+)?json"/;

/**
 * Makes a rendered page cacheable. A reused nonce gives no protection, so the policy lists the hash of each inline
 * script and style that carried the nonce instead.
 * @returns null if the page must not be shared: a nonce also occurs elsewhere, or an inline script or style has no
 * nonce. We did not write such an element, and its hash would allow it to run.
 */
export function sharedPolicy(html: string, policy: string): { html: string; policy: string } | null {
  const nonces = [...new Set([...policy.matchAll(NONCE)].map((match) => match[1] as string))];
  if (nonces.length === 0) return { html, policy };
  const script = hashesOf(html, 'script', nonces);
  const style = hashesOf(html, 'style', nonces);
  if (script === null || style === null) return null;
  let page = html;
  for (const nonce of nonces) page = page.replaceAll(` nonce="${nonce}"`, '');
  if (nonces.some((nonce) => page.includes(nonce))) return null;
  return {
    html: page,
    policy: policy
      .split(';')
      .map((directive) => withHashes(directive, { script, style }))
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

/** Null if an inline element carries none of the nonces. */
function hashesOf(html: string, kind: 'script' | 'style', nonces: string[]): string | null {
  const sources = new Set<string>();
  for (const [, attributes = '', text = ''] of html.matchAll(INLINE[kind])) {
    if (NOT_INLINE.test(attributes) || text === '') continue;
    if (!nonces.some((nonce) => attributes.includes(` nonce="${nonce}"`))) return null;
    // browsers hash the parsed text, in which every line ends with \n
    const parsed = text.replace(/\r\n?/g, '\n');
    sources.add(`'sha256-${createHash('sha256').update(parsed).digest('base64')}'`);
  }
  return [...sources].join(' ');
}
