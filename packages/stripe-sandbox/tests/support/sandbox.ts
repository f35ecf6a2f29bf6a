import type { SandboxOptions } from '../../src/sandbox';
import { atEnd } from '../../testing/at-end';
import { openTestSandbox } from '../../testing/open-test-sandbox';
import { testDatabase } from './database';

export const WEBHOOK = { url: 'http://product.localhost/webhooks', secret: 'whsec_a_secret_for_tests' };

/** A sandbox for the calling test file. Without the `url` of a database, it has its own. */
export async function testSandbox({ url, ...over }: Partial<SandboxOptions> & { url?: string } = {}) {
  const opened = await openTestSandbox(url ?? (await testDatabase()), over);
  atEnd(opened.close);
  return opened;
}
