import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '~/locales/languages';
import { pictureName } from '~/scripts/screenshot-names.mjs';
import { entriesOf } from '~/server/content/library';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { createLog } from '~/server/watching/log';

const { maxBytes, devices, screens } = JSON.parse(fs.readFileSync('scripts/screenshots.json', 'utf8'));
const NAMES = Object.keys(screens);
const library = await openContent({ folders: [OWN_CONTENT], log: createLog('silent') }).library();
const DEVICES = ['computer', 'phone'] as const;
const SCHEMES = ['light', 'dark'] as const;
const filesOf = (name: string, device: (typeof DEVICES)[number]) =>
  LANGUAGES.flatMap((language) => SCHEMES.map((scheme) => pictureName({ name, language, device, scheme })));
const captions = { en: 'Demo data', es: 'Datos de demostración' };

test.each(NAMES)(
  'the screenshot %s is there in each language, for both devices, light and dark, in its size',
  (name) => {
    for (const device of DEVICES)
      for (const file of filesOf(name, device)) {
        const picture = library.pictures.get(file);
        expect([file, picture]).toEqual([file, expect.objectContaining(pixelsOf(device))]);
        expect([file, picture!.bytes <= maxBytes]).toEqual([file, true]);
      }
  },
);

test('the folder has no screenshot that the list has not', () => {
  const listed = new Set(NAMES.flatMap((name) => DEVICES.flatMap((device) => filesOf(name, device))));
  const found = fs.readdirSync(path.join(OWN_CONTENT, 'pictures')).filter((file) => file.endsWith('.webp'));

  expect(found.filter((file) => !listed.has(file))).toEqual([]);
});

test.each(LANGUAGES)(
  'the page of features shows each screenshot with a text, its variants and a note (%s)',
  (language) => {
    const features = entriesOf(library, 'pages', language).find(({ id }) => id === 'features')!;

    for (const name of NAMES) {
      const named = (device: string, scheme: string) => pictureName({ name, language, device, scheme });
      const [phone, computer] = [sizeOf('phone'), sizeOf('computer')];
      const dark = '\\(prefers-color-scheme: dark\\)';
      const shown = [
        `<figure><picture><source srcset="/content-pictures/${named('phone', 'dark')}"`,
        ` media="\\(max-width: 767px\\) and ${dark}" ${phone} />`,
        `<source srcset="/content-pictures/${named('phone', 'light')}" media="\\(max-width: 767px\\)" ${phone} />`,
        `<source srcset="/content-pictures/${named('computer', 'dark')}" media="${dark}" ${computer} />`,
        `<img src="/content-pictures/${named('computer', 'light')}" alt="[^"]{20,}" ${computer} loading="lazy" />`,
        `</picture><figcaption>${captions[language]}</figcaption></figure>`,
      ];
      expect(features.html).toMatch(new RegExp(shown.join('')));
    }
  },
);

test.each(LANGUAGES)('every text that shows a screenshot says that its data is of the demo (%s)', (language) => {
  const texts = library.entries.filter((entry) => entry.language === language && entry.html.includes('<picture>'));

  expect(texts.length).toBeGreaterThan(1);
  for (const { id, html } of texts) {
    const notes = html.split(`</picture><figcaption>${captions[language]}</figcaption>`).length;
    expect([id, notes]).toEqual([id, html.split('<picture>').length]);
  }
});

function sizeOf(device: (typeof DEVICES)[number]): string {
  const { width, height } = pixelsOf(device);
  return `width="${width}" height="${height}"`;
}

function pixelsOf(device: (typeof DEVICES)[number]) {
  const { viewport, scale } = devices[device];
  return { width: viewport.width * scale, height: viewport.height * scale };
}
