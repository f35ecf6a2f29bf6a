import { expect, test } from 'vitest';
import { loadedFiles } from './loaded-files';
import { drawProofs, fullProofsFor, hasFullProof, JOURNEYS, testFiles, unchangedSuites } from './select-tests';

const changed = (...files: string[]) => ({ base: 'landed', files });
const everyProof = testFiles().filter(hasFullProof);
const everySuite = unchangedSuites(changed());

test.each([
  ['package-lock.json'],
  ['vitest.config.ts'],
  ['tests/support/opens-database.ts'],
  ['tests/support/global.ts'],
])('%s concerns every proof and every suite', (file) => {
  expect(fullProofsFor(changed(file))).toEqual([...everyProof, JOURNEYS]);
  expect(unchangedSuites(changed(file))).toEqual([]);
});

test('an unknown change concerns everything', () => {
  expect(fullProofsFor(null)).toEqual([...everyProof, JOURNEYS]);
  expect(unchangedSuites(null)).toEqual([]);
});

test.each([['README.md'], ['tests/rooms.ts'], ['.ci/run'], ['tests/quarantine.json']])('%s needs no proof', (file) => {
  expect(fullProofsFor(changed(file))).toEqual([]);
  expect(unchangedSuites(changed(file))).toEqual(everySuite);
});

test('a pure engine needs the proofs that load it, and none of the database', () => {
  const chosen = fullProofsFor(changed('server/audio/frames.ts'));

  expect(chosen).toContain('tests/audio/fuzz.test.ts');
  expect(chosen).toContain(JOURNEYS);
  expect(chosen).not.toContain('tests/feed/fuzz.test.ts');
  expect(chosen).not.toContain('tests/domain/vat/rules.test.ts');
});

test('a file that is imported lazily, named as a process, or read as a fixture counts', () => {
  const lazy = fullProofsFor(changed('server/adapters/feed-fetcher/fetcher.ts'));
  const named = fullProofsFor(changed('tests/support/import-child.ts'));
  const fixture = fullProofsFor(changed('tests/audio/fixtures/new.mp3', 'tests/feed/oddities.json'));

  expect(lazy).toContain('tests/adapters/feed-fetcher/hostile.deep.test.ts');
  expect(named).toContain('tests/domain/rss-import/killed-import.test.ts');
  expect(fixture).toContain('tests/feed/fuzz.test.ts');
});

test('an import of a package of this repository leads to its files, also when it is lazy', () => {
  const file = 'packages/stripe-sandbox/src/engine/store.ts';

  expect(loadedFiles('server/runtime/select-payments.ts')).toContain(file);
  expect(loadedFiles('tests/support/stripe-sandbox.ts')).toContain(file);
  expect(fullProofsFor(changed(file))).toContain('packages/stripe-sandbox/tests/due-work.test.ts');
});

test('a migration needs the proofs that open a database', () => {
  const chosen = fullProofsFor(changed('db/migrations/9999_new.sql'));

  expect(chosen).toContain('tests/domain/payouts/sequences.test.ts');
  expect(chosen).not.toContain('tests/audio/fuzz.test.ts');
});

test('suites of the sandbox, the adapters and the engines run when they have changed', () => {
  const left = unchangedSuites(changed('packages/stripe-sandbox/src/sandbox.ts'));

  expect(everySuite).toContain('packages/stripe-sandbox/tests/due-work.test.ts');
  expect(everySuite).toContain('tests/adapters/storage/disk-chunks.test.ts');
  expect(
    everySuite.every((file) =>
      /^(?:tests\/(?:adapters|audio|feed|sandbox|transcript)|packages\/[^/]+\/tests)\//.test(file),
    ),
  ).toBe(true);
  expect(left).not.toContain('packages/stripe-sandbox/tests/due-work.test.ts');
  expect(left).not.toContain('tests/adapters/payments/checkouts.test.ts');
  expect(left).toContain('tests/adapters/storage/disk-chunks.test.ts');
});

test('of many proofs, the seed draws some; the rest is reported, and each one has its turn', () => {
  const needed = [...everyProof, JOURNEYS];
  const draws = Array.from({ length: 40 }, (_, seed) => drawProofs(needed, seed));

  for (const { drawn, leftOut } of draws) {
    expect(drawn).toHaveLength(25);
    expect(drawn).toContain(JOURNEYS);
    expect([...drawn, ...leftOut].sort()).toEqual([...needed].sort());
  }
  expect(drawProofs(needed, 7)).toEqual(draws[7]);
  expect(new Set(draws.flatMap(({ drawn }) => drawn))).toEqual(new Set(needed));
});

test('few proofs are all played', () => {
  const needed = [...everyProof.slice(0, 24), JOURNEYS];

  expect(drawProofs(needed, 1)).toEqual({ drawn: needed, leftOut: [] });
});

/**
 * Support code for tests with larger samples only. Importing it from other support code would turn every test that
 * loads that into a full proof.
 */
const DEEP_SUPPORT = ['tests/support/killed-process.ts'];

test('only tests with larger samples reach deep.ts', async () => {
  const { sources } = await import('../support/sources');
  const importers = sources.filter(({ imports }) =>
    imports.some(({ target }) => /^(?:packages\/[^/]+\/)?tests\/support\/deep$/.test(target)),
  );

  expect(importers.map(({ file }) => file).filter((file) => file.startsWith('tests/support/'))).toEqual(DEEP_SUPPORT);
  expect(importers.filter(({ text }) => !/isDeep|deepSeed\(|pointsUpTo\(|sampleBySeed\(/.test(text))).toEqual([]);
  expect(everyProof.length).toBeLessThan(testFiles().length / 4);
});
