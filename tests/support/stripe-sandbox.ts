import { afterAll } from 'vitest';
import type { SandboxOptions } from '~/server/sandbox/stripe/sandbox';
import { testDatabase } from './db';
import { openTestStripe, type TestStripe } from './open-test-stripe';

export { PAGES, REAL_STRIPE, type TestStripe, WEBHOOK_SECRET } from './open-test-stripe';

/** A sandbox for the calling test file. Without the `url` of a database, it has its own. */
export async function testStripe({ url, ...over }: Partial<SandboxOptions> & { url?: string } = {}) {
  const opened = await openTestStripe(url ?? (await testDatabase()).url, over);
  afterAll(opened.close);
  return opened;
}

/** A connected account that has completed onboarding. */
export async function onboardedAccount({ stripe, fetch }: Pick<TestStripe, 'stripe' | 'fetch'>): Promise<string> {
  const { id: account } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const urls = { return_url: 'https://a.example/done', refresh_url: 'https://a.example/again' };
  const { url } = await stripe.accountLinks.create({ account, type: 'account_onboarding', ...urls });
  await fetch(url, { method: 'POST', redirect: 'manual' });
  return account;
}
