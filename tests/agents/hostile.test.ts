import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import packaged from '~/server/agents/agents.json';
import { classifyAgent } from '~/server/agents/classify';
import { compileGlob } from '~/server/agents/glob';
import { referrerHost } from '~/server/agents/referrers';
import { DEVICES } from '~/server/agents/table';

const KINDS = ['app', 'browser', 'library', 'bot', 'unknown'];
const IDS = new Set(['unknown', ...packaged.agents.map(({ id }) => id)]);

/** Parts of the patterns, which reach more branches than random text. */
const parts = fc.constantFrom(
  ...packaged.agents.flatMap(({ match }) => match).filter((_, i) => i % 7 === 0),
  'mozilla/5.0 (compatible; ',
  'android ',
  'like gecko) ',
  '%',
  '%00',
  '%ff',
  '\u00c3',
);
const agents = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.oneof(parts, fc.string({ maxLength: 12 })), { maxLength: 12 }).map((list) => list.join('')),
  fc.tuple(parts, fc.nat(10_000)).map(([part, times]) => part.repeat(times).slice(0, 10_000)),
);

test('any text is one of our kinds, apps and devices, the same each time', () => {
  fc.assert(
    fc.property(agents, (agent) => {
      const found = classifyAgent(agent);

      expect(KINDS).toContain(found.kind);
      expect(DEVICES).toContain(found.device);
      expect(IDS.has(found.app)).toBe(true);
      expect(found.reason !== undefined).toBe(found.kind === 'bot');
      expect(classifyAgent(agent)).toEqual(found);
    }),
    { numRuns: 500 },
  );
});

test('any text is a host or no referrer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' })), (referrer) => {
      expect(referrerHost(referrer, 'browser') ?? 'host').toMatch(/^[a-z0-9._-]{1,253}$/);
    }),
  );
});

test('a pattern matches what the regular expression of the same meaning matches', () => {
  const sign = fc.constantFrom('a', 'b', '/', '1', '7');
  const pattern = fc
    .array(fc.constantFrom('a', 'b', 'a#', '/#', '1', '*'), { minLength: 1, maxLength: 7 })
    .map((list) => list.join(''));
  fc.assert(
    fc.property(pattern, fc.array(sign, { maxLength: 10 }), (glob, signs) => {
      // `#` takes all digits, so none are left for what follows it
      fc.pre(!/#\**\d/.test(glob));
      const text = signs.join('');
      const meant = new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('#', '\\d+')}$`);

      expect(compileGlob(glob).matches(text)).toBe(meant.test(text));
    }),
    { numRuns: 5000 },
  );
});

test('a pattern reads each character at most twice, however often its beginning repeats', () => {
  let calls = 0;
  const text = 'a1'.repeat(500);
  const counted = {
    length: text.length,
    indexOf: (part: string, from: number) => text.indexOf(part, from),
    startsWith: (part: string, at: number) => text.startsWith(part, at),
    endsWith: (part: string) => text.endsWith(part),
    charCodeAt(at: number) {
      calls++;
      return text.charCodeAt(at);
    },
  } as unknown as string;

  for (const pattern of ['*a#*a#*a#*a#*b', '*a#b*a#b', 'a#*a#x*a#x*'])
    expect(compileGlob(pattern).matches(counted)).toBe(false);

  expect(calls).toBeLessThan(3 * 4 * 2 * text.length);
});

test('the regular expressions of the engine have no repetition within a repetition', () => {
  const files = readdirSync('server/agents').filter((file) => file.endsWith('.ts'));
  const nested = files.filter((file) => /[*+}]\??\)[*+{]/.test(readFileSync(`server/agents/${file}`, 'utf8')));

  expect(files.length).toBeGreaterThan(5);
  expect(nested).toEqual(['readable.ts']);
  // a fixed number of characters within the repetition: no two ways to read a text
  expect(readFileSync('server/agents/readable.ts', 'utf8').match(/\S*[*+}]\??\)[*+{]\S*/g)).toEqual([
    'raw.replace(/(?:%[\\da-f]{2})+/gi,',
  ]);
});
