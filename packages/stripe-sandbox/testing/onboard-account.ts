import type { TestSandbox } from './open-test-sandbox';

/** Creates a connected account that has completed onboarding. @returns its id */
export async function onboardAccount({ stripe, fetch }: Pick<TestSandbox, 'stripe' | 'fetch'>): Promise<string> {
  const { id: account } = await stripe.accounts.create({ type: 'standard', country: 'ES' });
  const urls = { return_url: 'https://a.example/done', refresh_url: 'https://a.example/again' };
  const { url } = await stripe.accountLinks.create({ account, type: 'account_onboarding', ...urls });
  await fetch(url, { method: 'POST', redirect: 'manual' });
  return account;
}
