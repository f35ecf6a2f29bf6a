import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compressTemplate, fillGzip } from '~/server/feed/writer/gzip-template';
import { fillTemplate, placeholders, toTemplate } from '~/server/feed/writer/personal-feed';
import { deepSeed, isDeep } from '../support/deep';

const SECRET = '0123456789abcdef';
const { self, name, access } = placeholders(SECRET);
const token = fc.stringMatching(/^[\w-]{43}$/);
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(self, name, access(1), access(22), '<item><enclosure url="https://x.example/audio/', ''),
  // longer than a window of deflate, so that copies end before it
  fc.constant('Una historia de la plaza. '.repeat(1300)),
);

test('a filled gzip template is the filled template, whatever the listener is called', async () => {
  const listener = fc.record({
    link: fc.integer({ min: 1, max: 1_000_000_000 }),
    tokens: fc.array(token, { minLength: 2, maxLength: 2 }),
    name: fc.string({ unit: 'grapheme' }),
    self: token,
  });
  const template = fc.array(piece, { maxLength: 12 }).map((pieces) => toTemplate(Buffer.from(pieces.join('')), SECRET));

  await fc.assert(
    fc.asyncProperty(template, listener, listener, async (parts, one, other) => {
      const compressed = await compressTemplate(parts, `${one.link}-`.length + 43);
      for (const { tokens, ...texts } of [one, { ...other, link: one.link }]) {
        const personal = { ...texts, access: (id: number) => `${one.link}-${tokens[id === 1 ? 0 : 1]}` };
        expect(gunzipSync(fillGzip(compressed, personal)).equals(fillTemplate(parts, personal))).toBe(true);
      }
    }),
    { seed: deepSeed(), numRuns: isDeep ? 3000 : 100 },
  );
});

test('an access of another length than the template was compressed for is an error, not a broken feed', async () => {
  const compressed = await compressTemplate(toTemplate(Buffer.from(`<a>${access(1)}</a>`), SECRET), 5);

  expect(() => fillGzip(compressed, { self: '', name: '', access: () => '12-abc' })).toThrow('another length');
});

test('parts of a template copy from those before them', async () => {
  const item = (id: number) => `<item><p>${'The words of one item. '.repeat(20)}</p>${access(id)}</item>`;
  const template = toTemplate(Buffer.from(item(1) + item(2) + item(3)), SECRET);

  const { parts } = await compressTemplate(template, 45);

  const sizes = parts.flatMap((part) => ('kind' in part ? [] : [part.compressed.length]));
  expect(sizes[1]).toBeLessThan(sizes[0]! / 2);
});
