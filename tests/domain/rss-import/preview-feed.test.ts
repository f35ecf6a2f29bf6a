import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { cast } from '../../support/cast';
import { feedOrigin } from '../../support/feed-origin';

const { make } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
const julia = await make.creator({ name: 'Julia' });

test('a preview shows the cover and the newest episodes, whatever the cover’s host answers', async () => {
  const create = { width: 400, height: 300, channels: 3 as const, background: '#274F94' };
  origin.files.set('/cover.png', await sharp({ create }).png().toBuffer());
  origin.channel = `<itunes:image href="${origin.url}/cover.png"/>`;
  const extra = '<itunes:duration>1:01:05</itunes:duration>';
  origin.items = [1, 2, 3, 4, 5, 6].map((day) => ({
    title: `Día ${day}`,
    date: `0${day} Jan 2024 10:00:00 GMT`,
    extra,
  }));
  const seen = await julia.api.imports.preview({ url: origin.feedUrl() });
  origin.answers.set('/cover.png', (_, response) => void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const { picture } = await julia.api.imports.preview({ url: origin.feedUrl() });

  const { width, height } = await sharp(Buffer.from(seen.picture!.split(',')[1]!, 'base64')).metadata();
  expect([seen.picture!.split(',')[0], width, height]).toEqual(['data:image/webp;base64', 192, 192]);
  expect(seen.latest.map(({ title }) => title)).toEqual(['Día 6', 'Día 5', 'Día 4', 'Día 3', 'Día 2']);
  expect(seen.latest[0]).toMatchObject({ publishedAt: '2024-01-06T10:00:00.000Z', durationMs: 3_665_000 });
  expect(picture).toBeNull();
});

test.each([404, 410])('an address at which the host answers %i is named as no feed, at its field', async (status) => {
  origin.answers.set('/none.xml', (_, response) => void response.writeHead(status).end());

  const preview = julia.api.imports.preview({ url: `${origin.url}/none.xml` });

  await expect(preview).rejects.toMatchObject({
    cause: { code: 'import.feed_missing', field: 'url', params: { status } },
  });
});

test('a fault of an address is shown at its field', async () => {
  origin.answers.set('/odd.xml', (_, response) => void response.writeHead(451).end());

  const preview = julia.api.imports.preview({ url: `${origin.url}/odd.xml` });

  await expect(preview).rejects.toMatchObject({ cause: { code: 'fetch.status_unexpected', field: 'url' } });
});
