import type { SandboxOptions } from 'stripe-sandbox';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { testDatabase } from './db';
import { openTestStripe } from './open-test-stripe';

export { REAL_STRIPE, type TestStripe, WEBHOOK_SECRET } from './open-test-stripe';

/** A sandbox for the calling test file. Without the `url` of a database, it has its own. */
export async function testStripe({ url, ...over }: Partial<SandboxOptions> & { url?: string } = {}) {
  const opened = await openTestStripe(url ?? (await testDatabase()).url, over);
  atEnd(opened.close);
  return opened;
}
