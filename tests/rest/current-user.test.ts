import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { listeningDays } from '~/db/schema/listening';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, later, utcDay } from '~/server/base/time';
import { closeInsertions, openInsertions } from '~/server/domain/console/open-insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import '../support/matchers';

const opened = await cast();
const { runtime, make, clock, lucia, podcast } = opened;
const api = legacyClient(opened);

test('the current user has exactly the fields of the specification', async () => {
  const { body } = await api.get('auth/user/', { token: lucia.token });

  expect(body).toEqual({
    pk: lucia.id,
    email: lucia.email,
    avatar: null,
    avatar_webp: null,
    country: 'ES',
    language: 'en',
    currency: 'eur',
    is_email_verified: true,
    is_card_expired: false,
    creator: lucia.creatorId,
    pro_plan_user: false,
    redirect_to_plan: false,
    creator_redirect_url: 'http://staging-lucia.altavoz.localhost:3000/',
    type: 'creator',
    stripe_payment_method_id: null,
    show_plan_limit_exceed_banner: false,
    is_trial_period_complete: false,
    is_trial_eligible: true,
    subscription: { name: 'Free Plan' },
    metrics_special_access: false,
    insertion_special_access: false,
    is_soa_linked: false,
    give_spotify_access: true,
    plan_subscribers_limit_exceed: false,
    plan_plays_limit_exceed: false,
    plan_paid_subscribers_limit_exceed: false,
    rss_feed_import_data: [],
  });
});

test('plays of this month above the plan’s limit set the flags, and the banner can be hidden', async () => {
  const { creatorId, token } = lucia;
  const start = clock.now;
  clock.now = later(start, DAYS(15));
  const plays = { creatorId, productId: podcast.id, day: utcDay(clock.now), listens: 600, downloads: 400 };
  await runtime.db.insert(listeningDays).values(plays);
  const flags = async () => {
    const { body } = await api.get('auth/user/', { token });
    return [body.plan_plays_limit_exceed, body.show_plan_limit_exceed_banner, body.redirect_to_plan];
  };

  expect(await flags()).toEqual([false, false, false]);
  await runtime.db.update(listeningDays).set({ listens: 601 }).where(eq(listeningDays.productId, podcast.id));
  expect(await flags()).toEqual([true, true, true]);
  await api.patch('auth/user/', { token, form: { hide_plan_limit_banner: 'true' } });
  expect(await flags()).toEqual([true, false, true]);
  clock.now = start;
});

test('a multipart form changes what it names, and nothing else', async () => {
  const { token, id } = await make.person({ country: 'ES' });
  const form = new FormData();
  for (const [name, value] of [
    ['country', 'MX'],
    ['consents_to_marketing_emails', 'true'],
  ] as const)
    form.set(name, value);

  const { status, body } = await api.patch('auth/user/', { token, form });

  expect([status, body.country, body.currency, body.language]).toEqual([200, 'MX', 'usd', 'en']);
  const [row] = await runtime.db.select().from(users).where(eq(users.id, id));
  expect(row!.marketingConsentedAt).toEqual(runtime.now());
});

test('an operator opens audio insertions for a creator on any plan, and closes them again', async () => {
  const ctx = systemCtx(runtime, 'admin');
  const operator = { name: 'test' };
  const creator = await make.creator();
  const access = async () => (await api.get('auth/user/', { token: creator.token })).body.insertion_special_access;
  const free = { creatorId: creator.creatorId, plan: 'FREE', since: runtime.now() } as const;
  await runtime.db.insert(creatorPlans).values(free);
  const isOffered = async () => (await creator.api.campaigns.list({})).isOffered;
  expect([await access(), await isOffered()]).toEqual([false, false]);

  await openInsertions(ctx, { operator, id: creator.creatorId });
  expect([await access(), await isOffered()]).toEqual([true, true]);
  await expect(openInsertions(ctx, { operator, id: creator.creatorId })).toFailWith('console.nothing_to_do');
  await closeInsertions(ctx, { operator, id: creator.creatorId });

  expect([await access(), await isOffered()]).toEqual([false, false]);
  await expect(openInsertions(ctx, { operator, id: 9_999_999 })).toFailWith('creator.not_found');
});

test.each([
  ['pk', 1],
  ['id', 1],
  ['type', 'creator'],
  ['is_email_verified', true],
  ['email_verified_at', '2026-01-01T00:00:00Z'],
  ['pro_plan_user', true],
  ['creator', 1],
  ['currency', 'usd'],
  ['email', 'evil@mail.example'],
  ['password', 'evil evil'],
  ['birth_date', '1990-01-01'],
  ['parental_permission', true],
  ['subscription', { name: 'PRO' }],
  ['metrics_special_access', true],
  ['plan_plays_limit_exceed', false],
  ['__proto__', { type: 'creator' }],
])('a PATCH of %s is refused, and changes nothing', async (field, value) => {
  const { token } = await make.person({ country: 'ES' });
  const before = (await api.get('auth/user/', { token })).body;
  const json = JSON.parse(`{"country":"US",${JSON.stringify(field)}:${JSON.stringify(value)}}`);

  const { status, body } = await api.patch('auth/user/', { token, json });

  expect([status, body]).toEqual([400, { [field]: ['Unknown field.'] }]);
  expect((await api.get('auth/user/', { token })).body).toEqual(before);
});

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><script>alert(1)</script></svg>`;

test('an SVG with a script never becomes an avatar, whatever its name and type', async () => {
  const { token } = await make.person();
  const upload = { file_name: 'me.svg', content_type: 'image/svg+xml', file_size: SVG.length, purpose: 'avatar' };

  const asked = await api.post('generate-url-upload-file/', { token, json: upload });
  const disguised = await make.upload({ token }, 'avatar', Buffer.from(SVG));
  const { status, body } = await api.patch('auth/user/', { token, json: { avatar_key: disguised } });

  expect([asked.status, Object.keys(asked.body)]).toEqual([400, ['file_name']]);
  expect([status, Object.keys(body)]).toEqual([400, ['avatar_key']]);
  expect((await api.get('auth/user/', { token })).body.avatar).toBeNull();
});

test('a PNG of 30,000 × 30,000 pixels is refused without being decoded', async () => {
  const { token } = await make.person();
  const create = { width: 300, height: 300, channels: 3 as const, background: '#fff' };
  const bytes = await sharp({ create }).png().toBuffer();
  // the header states the size. The pixels, which would take 2.7 GB, cannot be decoded
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  bytes.fill(0xff, bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8);
  const avatar_key = await make.upload({ token }, 'avatar', bytes);

  const { status, body } = await api.patch('auth/user/', { token, json: { avatar_key } });

  expect(status).toBe(400);
  expect(body.avatar_key).toEqual([expect.stringMatching(/more than 25 megapixels/)]);
});

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
