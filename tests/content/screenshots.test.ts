import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { pictureName } from '~/scripts/screenshot-names.mjs';
import { entriesOf } from '~/server/content/library';
import { SCREENSHOT } from '~/server/limits/content';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';

const { maxBytes, viewport, scale, screens } = JSON.parse(fs.readFileSync('scripts/screenshots.json', 'utf8'));
const NAMES = Object.keys(screens);
const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();
const filesOf = (name: string) =>
  LANGUAGES.flatMap((language) => ['light', 'dark'].map((scheme) => pictureName({ name, language, scheme })));

test.each(NAMES)('the screenshot %s is there in each language, light and dark, in its size', (name) => {
  for (const file of filesOf(name)) {
    const picture = library.pictures.get(file);
    expect([file, picture]).toEqual([file, expect.objectContaining(SCREENSHOT)]);
    expect([file, picture!.bytes <= maxBytes]).toEqual([file, true]);
  }
});

test('the folder has no screenshot that the list has not', () => {
  const listed = new Set(NAMES.flatMap(filesOf));
  const found = fs.readdirSync(path.join(OWN_CONTENT, 'pictures')).filter((file) => file.endsWith('.webp'));

  expect(found.filter((file) => !listed.has(file))).toEqual([]);
  expect({ width: viewport.width * scale, height: viewport.height * scale }).toEqual(SCREENSHOT);
});

test.each(LANGUAGES)('the page of features shows each screenshot with a text and its dark variant (%s)', (language) => {
  const features = entriesOf(library, 'pages', language).find(({ id }) => id === 'features')!;

  for (const name of NAMES) {
    const [light, dark] = ['light', 'dark'].map((scheme) => pictureName({ name, language, scheme }));
    const shown = new RegExp(
      `<picture><source srcset="/content-pictures/${dark}" media="\\(prefers-color-scheme: dark\\)" />` +
        `<img src="/content-pictures/${light}" alt="[^"]{20,}" width="1440" height="960" loading="lazy" /></picture>`,
    );
    expect(features.html).toMatch(shown);
  }
});
