import { afterAll, expect, test } from 'vitest';
import { HOURS, later } from '~/server/base/time';
import { cast } from '../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../support/feed-origin';
import { legacyClient } from '../support/legacy';

const stage = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const { runtime, make, clock } = stage;
const { send } = legacyClient(stage);
const origin = await feedOrigin();
afterAll(() => origin.close());
origin.items = [{}, {}];

test('a legacy client imports a feed from the request to the seen result', async () => {
  const { token } = await make.creator({ name: 'Julia' });
  const requested = await send('POST', 'import-rss-feed/', { token, json: { rss_feed_url: origin.feedUrl() } });
  expect(requested).toMatchObject({
    status: 202,
    body: {
      feed_status: 'validation_email_sent',
      sent_to: 'j***@origin.example',
      rss_feed_data: { episodes_count: 2 },
    },
  });
  const again = await send('POST', 'import-rss-feed/', { token, json: { rss_feed_url: origin.feedUrl() } });
  expect(again).toMatchObject({
    status: 400,
    body: { non_field_errors: [expect.stringContaining('Already Importing')] },
  });

  const link = await importTokenFor(runtime, origin.owner!);
  const opened = await send('GET', `validate-rss-feed/?token=${link}`);
  expect(opened).toMatchObject({ status: 200, body: { feed_status: 'validation_email_sent' } });
  const answered = await send('POST', 'validate-rss-feed/', { json: { token: link, action: 'confirm' } });
  expect(answered).toMatchObject({ status: 200, body: { feed_status: 'in_progress' } });
  const id = requested.body.id as number;
  await settleImport(runtime, id);

  const user = await send('GET', 'auth/user/', { token });
  const [data] = user.body.rss_feed_import_data as { rss_feed_data: { id: number } }[];
  expect(data).toMatchObject({ id, feed_status: 'Imported', rss_feed_data: { title: 'Olas de fuera' } });
  expect(data!.rss_feed_data.id).toEqual(expect.any(Number));
  const marked = await send('POST', 'rss-import-mark-episodes-private/', { token, json: { id } });
  expect(marked).toMatchObject({ status: 200, body: { updated: 2 } });
  expect(await send('POST', 'rss-feed-completion/', { token, json: { completion_id: id } })).toMatchObject({
    status: 200,
  });
  expect((await send('GET', 'auth/user/', { token })).body.rss_feed_import_data).toEqual([]);
});

test('an expired or unknown link is answered as the contract says', async () => {
  const { token } = await make.creator({ name: 'Ana' });
  origin.owner = 'ana@origin.example';
  await send('POST', 'import-rss-feed/', { token, json: { rss_feed_url: origin.feedUrl() } });
  const link = await importTokenFor(runtime, origin.owner);
  const before = clock.now;
  clock.now = later(before, HOURS(48));
  const expired = { status: 400, body: { detail: 'Validation Link Expired' } };

  expect(await send('GET', `validate-rss-feed/?token=${link}`)).toMatchObject(expired);
  expect(await send('POST', 'validate-rss-feed/', { json: { token: link, action: 'confirm' } })).toMatchObject(expired);
  expect(await send('GET', 'validate-rss-feed/?token=unknown')).toMatchObject(expired);
  clock.now = before;
});

test('an address that is not a feed’s is refused on its field', async () => {
  const { token } = await make.creator({ name: 'Eva' });
  const urls = ['', 'http://10.0.0.1/feed', 'http://169.254.169.254/latest', 'ftp://a.example/', 'x'.repeat(3000)];
  for (const rss_feed_url of urls)
    expect((await send('POST', 'import-rss-feed/', { token, json: { rss_feed_url } })).status).toBe(400);
});
