import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, podcast, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;

test.each([
  [APP_HOST, '/'],
  [CREATOR_HOST, '/'],
  [CREATOR_HOST, `/p/${podcast.slug}`],
])(
  'the page at %s%s is shared, because each of its inline scripts and styles carried the nonce',
  async (host, path) => {
    const { status, head } = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

    expect([status, /^cache-control: (.*)$/im.exec(head)?.[1]?.trim()]).toEqual([200, 'public, no-cache']);
    expect(head).toMatch(/content-security-policy: .*'sha256-/i);
    expect(head).not.toContain("'nonce-");
  },
);
