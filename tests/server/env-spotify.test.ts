import { expect, test } from 'vitest';
import { parseEnv } from '~/server/env/read';

const CONTRACT = { SPOTIFY_CLIENT_ID: 'client', SPOTIFY_CLIENT_SECRET: 'secret', SPOTIFY_PARTNER_ID: 'partner' };
const PRODUCTION = {
  APP_ENV: 'production',
  APP_URL: 'https://altavoz.example/',
  DATABASE_URL: 'postgres://db/altavoz',
  SMTP_URL: 'smtps://mail.example',
  APP_SECRET: '8c1f0e6de8c94c0ea2d80b97c06a4d8f',
  OPERATOR_NAME: 'Altavoz Example, S.L.',
  OPERATOR_EMAIL: 'hello@altavoz.example',
};
const settingsOf = (values: Record<string, string>) => parseEnv(values).spotify;
const contract = {
  clientId: 'client',
  clientSecret: 'secret',
  partnerId: 'partner',
  isTest: false,
  deliveryToken: null,
};

test('without settings, there is a local Spotify, and none in production', () => {
  expect(settingsOf({})).toBe('sandbox');
  expect(settingsOf(PRODUCTION)).toBeNull();
});

test('a contract is used everywhere, with its own tester’s mode and access to deliveries', () => {
  expect(settingsOf(CONTRACT)).toEqual(contract);
  expect(settingsOf({ ...PRODUCTION, ...CONTRACT, SPOTIFY_TEST_CONTENT: '1' })).toEqual({ ...contract, isTest: true });
  const delivered = { ...CONTRACT, SPOTIFY_DELIVERY_TOKEN: 'token' };
  expect(settingsOf(delivered)).toEqual({ ...contract, deliveryToken: 'token' });
});

const without = (name: keyof typeof CONTRACT) =>
  Object.fromEntries(Object.entries(CONTRACT).filter(([key]) => key !== name));

test.each([
  [without('SPOTIFY_PARTNER_ID'), 'SPOTIFY_PARTNER_ID must be set'],
  [without('SPOTIFY_CLIENT_ID'), 'SPOTIFY_CLIENT_ID must be set'],
  [without('SPOTIFY_CLIENT_SECRET'), 'SPOTIFY_CLIENT_SECRET must be set'],
  [{ ...CONTRACT, SPOTIFY_PARTNER_ID: ' ' }, 'SPOTIFY_PARTNER_ID must be set'],
  [{ SPOTIFY_CLIENT_ID: 'client' }, 'SPOTIFY_CLIENT_SECRET and SPOTIFY_PARTNER_ID must be set'],
  [
    { SPOTIFY_DELIVERY_TOKEN: 'token' },
    'SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET and SPOTIFY_PARTNER_ID must be set',
  ],
  [{ ...CONTRACT, SPOTIFY_CLIENT_ID: 'a b' }, 'SPOTIFY_CLIENT_ID must be as Spotify shows it'],
  [{ ...CONTRACT, SPOTIFY_CLIENT_SECRET: '"secret"' }, 'SPOTIFY_CLIENT_SECRET must be as Spotify shows it'],
  [{ ...CONTRACT, SPOTIFY_PARTNER_ID: '<partner>' }, 'SPOTIFY_PARTNER_ID must be as Spotify shows it'],
  [{ ...CONTRACT, SPOTIFY_DELIVERY_TOKEN: 'to\nken' }, 'SPOTIFY_DELIVERY_TOKEN must be as Spotify shows it'],
  [{ ...CONTRACT, SPOTIFY_TEST_CONTENT: 'maybe' }, 'SPOTIFY_TEST_CONTENT must be 0 or 1'],
])('%j stops the start with one line that names the setting', (values, message) => {
  const start = () => settingsOf(values as Record<string, string>);

  expect(start).toThrow(message);
  expect(start).toThrow(/^[^\n]*$/);
});

test('no message repeats a secret', () => {
  expect(() => settingsOf({ ...CONTRACT, SPOTIFY_CLIENT_SECRET: 'top secret' })).toThrow(/^(?!.*top secret)/s);
});
