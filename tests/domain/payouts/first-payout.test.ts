import { expect, test } from 'vitest';
import { enterAdjustment } from '~/server/domain/payouts/ledger';
import { networkOf } from '~/server/flow/rate-limits';
import { RATE_LIMITS } from '~/server/limits/http';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { legacyClient } from '../../support/legacy';
import { PASSWORD } from '../../support/make';
import '../../support/matchers';
import { pagesApp } from '../../support/pages-app';

const stage = await cast({ empty: true });
const { runtime, env, make, as, clock } = stage;
const rest = legacyClient(stage);
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const IBAN = 'ES9121000418450200051332';

let given = 0;
async function creator() {
  const person = await make.creator();
  const { creatorId, token } = person;
  await person.api.accounts.updatePayoutAddress({ iban: IBAN, currentPassword: PASSWORD });
  given += 1;
  const amount = {
    key: `first/${given}`,
    creatorId,
    currency: 'eur',
    minor: 60_00,
    note: 'Test',
    actor: 'test',
  } as const;
  await transact(systemCtx(runtime, 'test'), (tx) => enterAdjustment(tx, amount));
  const open = async (path: string) => {
    const response = await app.request(`${env.urls.appUrl}${path}`, {
      headers: { host, origin, cookie: `token=${token}` },
    });
    return response.text();
  };
  return { ...person, open, browser: await as(person, 'web') };
}

test('a stolen session gets no payout to an address that never had one', async () => {
  const { browser } = await creator();

  await expect(browser.payouts.request({ currency: 'eur' })).toFailWith('account.wrong_password');
  await expect(browser.payouts.request({})).toFailWith('account.wrong_password');
  await expect(browser.payouts.request({ currentPassword: 'guessed' })).toFailWith('account.wrong_password');
  expect(await browser.payouts.request({ currentPassword: PASSWORD })).toMatchObject({ amountMinor: 60_00 });
});

test('a stolen session has few guesses at the password', async () => {
  const { browser } = await creator();
  const network = networkOf('203.0.113.7');
  for (let n = 0; n < RATE_LIMITS.requestPayout.points; n += 1) await runtime.rateLimits.add('requestPayout', network);

  await expect(browser.payouts.request({ currentPassword: PASSWORD })).toFailWith('common.too_many_requests');

  await runtime.rateLimits.forget('requestPayout', network);
  expect(RATE_LIMITS.requestPayout.points).toBeLessThanOrEqual(RATE_LIMITS.confirmIdentity.points);
});

test('the next payout to the address needs no password, one to another address does', async () => {
  const { browser, api, creatorId } = await creator();
  await browser.payouts.request({ currentPassword: PASSWORD });
  const more = { key: 'more', creatorId, currency: 'eur', minor: 120_00, note: 'Test', actor: 'test' } as const;
  await transact(systemCtx(runtime, 'test'), (tx) => enterAdjustment(tx, more));
  clock.now = new Date('2026-04-02T09:00:00Z');

  expect((await browser.payouts.overview()).balances).toMatchObject([{ isFirst: false }]);
  await api.accounts.updatePayoutAddress({ paypalEmail: 'me@mail.example', iban: '', currentPassword: PASSWORD });
  expect((await browser.payouts.overview()).balances).toMatchObject([{ isFirst: true }]);
  await expect(browser.payouts.request({})).toFailWith('account.wrong_password');
  await api.accounts.updatePayoutAddress({ paypalEmail: '', iban: IBAN, currentPassword: PASSWORD });
  expect(await browser.payouts.request({})).toMatchObject({ amountMinor: 120_00 });
});

test('a client of the API, which has logged in with the password, asks as before', async () => {
  const { id, token } = await creator();
  const asked = (sent: string) => rest.send('GET', 'request-payout/?currency=eur', { token: sent });

  const session = await runtime.sessions.start(id, { channel: 'rest', userAgent: '', country: null });

  // the token of a browser is no proof of the password, whatever header carries it
  expect(await asked(token)).toMatchObject({ status: 400 });
  expect(await asked(session.token)).toMatchObject({ status: 200, body: { amount: '60.00' } });
});

test('before the request, the page shows amount, address, fees and day', async () => {
  const { open } = await creator();

  const page = await open('/money');
  const review = await open('/money?review=eur');

  expect(page).toContain('href="/money?review=eur"');
  expect(page).not.toContain('name="intent" value="eur"');
  expect(review).toContain('ES91 … 1332');
  expect(review).toContain('€60.00');
  expect(review).toMatch(/From \d{1,2} \w+ 2026, once we have approved it/);
  expect(review).toContain('name="currentPassword"');
  expect(review).toContain('Request payout of €60.00');
});
