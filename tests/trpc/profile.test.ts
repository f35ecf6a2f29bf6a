import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { billingDetails, users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import '../support/matchers';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { picture } from '../support/pictures';

const { runtime, make, visitor } = await cast();

const mailsTo = async (email: string) =>
  (
    await runtime.db.select({ topic: outbox.topic }).from(outbox).where(eq(outbox.to, email)).orderBy(outbox.createdAt)
  ).map(({ topic }) => topic);

test('a profile is stored as it was typed, and blank texts are removed', async () => {
  const { api, token } = await make.person();
  const avatarKey = await make.upload({ token }, 'avatar', await picture());
  const profile = { name: 'Eva Ruiz', description: 'Hago radio.', country: 'MX', timeZone: 'America/Mexico_City' };

  const saved = await api.accounts.update({ ...profile, language: 'es', avatarKey });

  expect(saved).toMatchObject({ ...profile, language: 'es', currency: 'usd' });
  expect(Object.keys(saved.avatar!.webp)).toEqual(['96', '320', '640', '1400']);
  expect((await api.accounts.update({ description: '' })).description).toBeNull();
  expect(await api.accounts.me()).toMatchObject({ name: 'Eva Ruiz', timeZone: 'America/Mexico_City' });
});

test('the currency follows the country, and existing shows keep theirs', async () => {
  const owner = await make.creator({ country: 'ES' });
  const show = await make.product(owner);

  const { currency } = await owner.api.accounts.update({ country: 'US' });

  expect(currency).toBe('usd');
  expect((await owner.api.products.get({ id: show.id, kind: 'podcast' })).currency).toBe('eur');
});

test.each([
  [{ description: 'visit www.evil.example' }, 'account.links_not_allowed'],
  [{ description: 'x'.repeat(501) }, 'field.too_long'],
  [{ timeZone: 'Mars/Olympus' }, 'field.invalid'],
  [{ country: '' }, 'account.country_required'],
  [{ name: ' ' }, 'account.name_required'],
])('%j is rejected with %s', async (input, code) => {
  const { api } = await make.person();

  await expect(api.accounts.update(input)).toFailWith(code);
});

test('the first-login dialog needs a language and a country, and stores a consent with its time', async () => {
  const { api, id } = await make.person();
  await runtime.db.update(users).set({ country: null, language: null }).where(eq(users.id, id));
  const answers = { country: 'ar', language: 'es' as const };

  await expect(api.accounts.completeFirstLogin({ ...answers, country: '' })).toFailWith('account.countryError');
  await expect(api.accounts.completeFirstLogin({ ...answers, language: '' as 'es' })).toFailWith(
    'account.podcastLanguageError',
  );
  const saved = await api.accounts.completeFirstLogin({ ...answers, consentsToMarketingEmails: 'on' });

  expect(saved).toMatchObject({ country: 'AR', language: 'es', currency: 'usd' });
  const [row] = await runtime.db.select().from(users).where(eq(users.id, id));
  expect(row!.marketingConsentedAt).toEqual(runtime.now());
});

test('an IBAN and a PayPal address need the password, are stored compactly, and their owner is told', async () => {
  const { api, email } = await make.person();
  const change = { iban: 'es91 2100 0418 4502 0005 1332', paypalEmail: 'Eva+pay@Mail.Example' };

  for (const currentPassword of ['', 'wrong']) {
    await expect(api.accounts.updatePayoutAddress({ ...change, currentPassword })).toFailWith('account.wrong_password');
  }
  expect(await mailsTo(email)).not.toContain('payout_changed');
  for (let i = 0; i < 2; i += 1) await api.accounts.updatePayoutAddress({ ...change, currentPassword: PASSWORD });

  const stored = { iban: 'ES9121000418450200051332', paypalEmail: 'eva+pay@mail.example' };
  expect(await api.accounts.billingDetails()).toMatchObject(stored);
  expect((await mailsTo(email)).filter((topic) => topic === 'payout_changed')).toHaveLength(1);
});

test('an account without a password sets one before its payout address', async () => {
  const { api, id } = await make.person();
  await runtime.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));

  await expect(api.accounts.updatePayoutAddress({ paypalEmail: 'a@mail.example' })).toFailWith(
    'account.password_missing',
  );
});

test.each([
  [{ iban: 'ES9121000418450200051333' }, 'account.iban_invalid'],
  [{ iban: 'BR1800360305000010009795493C1' }, 'account.iban_outside_sepa'],
  [{ iban: "'; drop table users; --" }, 'account.iban_invalid'],
  [{ iban: '9'.repeat(51) }, 'field.too_long'],
  [{ paypalEmail: 'eva@' }, 'account.paypal_email_invalid'],
  [{ paypalEmail: 'a@mail.example\r\nBcc: b@mail.example' }, 'account.paypal_email_invalid'],
])('the payout address %j is rejected with %s', async (input, code) => {
  const { api } = await make.person();

  await expect(api.accounts.updatePayoutAddress({ ...input, currentPassword: PASSWORD })).toFailWith(code);
});

test.each([
  ['ES', 'es-b58378431', 'B58378431'],
  ['ES', '12345678z', '12345678Z'],
  ['DE', 'DE 136,695 976', '136695976'],
  ['MX', 'GODE 561231 GR8', 'GODE561231GR8'],
  ['US', '91-1144442', '911144442'],
  ['AQ', 'ab 12-34', 'AB 12-34'],
  ['ES', '12345678A', null],
  ['ES', 'GODE561231GR8', null],
  ['AQ', '<script>', null],
  ['ES', '\u202eB58378431', null],
])('in %s, the tax number %j is stored as %j', async (country, typed, stored) => {
  const { api } = await make.person({ country });
  const saving = api.accounts.updateBillingDetails({ taxNumber: typed });

  if (stored === null) return expect(saving).toFailWith('account.tax_number_invalid');
  await saving;

  expect(await api.accounts.billingDetails()).toMatchObject({ taxNumber: stored });
});

test('a name and an address are stored, changed and removed, beside the payout address', async () => {
  const { api, id } = await make.person();
  await api.accounts.updatePayoutAddress({ paypalEmail: 'eva@mail.example', currentPassword: PASSWORD });
  const details = { billingName: 'Eva  Ruiz SL', street: 'C/ Mar, 1', postalCode: '46001', city: 'Valencia' };

  await api.accounts.updateBillingDetails(details);
  await api.accounts.updateBillingDetails({ ...details, street: '' });

  const all = { ...details, billingName: 'Eva Ruiz SL', street: null, iban: null, paypalEmail: 'eva@mail.example' };
  expect(await api.accounts.billingDetails()).toEqual({ ...all, taxNumber: null, taxNumberStatus: null });
  expect(await runtime.db.$count(billingDetails, eq(billingDetails.userId, id))).toBe(1);
});

test.each([
  ['turned off', ['off'], 0],
  ['turned off and on again', ['off', 'on', 'on'], 1],
])('reports of new devices, %s', async (_, choices, reports) => {
  const { api, email } = await make.person();

  for (const choice of choices) await api.accounts.updateNotifications({ new_device: choice, marketing: 'on' });
  expect(await api.accounts.notifications()).toEqual({
    new_device: reports === 1,
    new_episode: true,
    new_buyer: true,
    month_report: true,
    donation_received: true,
    recommendation: true,
    transcription: true,
    marketing: true,
  });
  await visitor.accounts.logIn({ email, password: PASSWORD });

  expect((await mailsTo(email)).filter((topic) => topic === 'new_device')).toHaveLength(reports);
});

test('visitors can neither read nor change these', async () => {
  await expect(visitor.accounts.billingDetails()).toFailWith('common.unauthenticated');
  await expect(visitor.accounts.completeFirstLogin({ country: 'ES', language: 'es' })).toFailWith(
    'common.unauthenticated',
  );
});
