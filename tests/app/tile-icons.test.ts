import fs from 'node:fs';
import { expect, test } from 'vitest';
import { shareSites } from '~/app/lib/share-sites';
import { FEED_APP_NAMES } from '~/server/domain/feeds/kinds';

test('each app and each site has a tile', () => {
  const file = fs.readFileSync('app/features/site/public/tiles.svg', 'utf8');
  const sites = shareSites({ url: 'https://altavoz.example', message: 'Hola' }).map(({ name }) => name);

  const views = [...file.matchAll(/<view id="(\w+)"/g)].map(([, id]) => id);

  expect(views.sort()).toEqual([...FEED_APP_NAMES, ...sites, 'email'].sort());
});
