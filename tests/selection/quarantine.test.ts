import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const MAX_ENTRIES = 10;
const MAX_COMMITS = 100;
const entries = z
  .array(
    z.strictObject({
      file: z.string(),
      title: z.string(),
      reason: z.string().min(20),
      since: z.string().regex(/^[0-9a-f]{40}$/),
    }),
  )
  .parse(JSON.parse(fs.readFileSync('tests/quarantine.json', 'utf8')));

/** A commit that does not exist, or a folder without a history, is an error. */
const commitsSince = (commit: string) =>
  Number(execFileSync('git', ['rev-list', '--count', `${commit}..HEAD`], { encoding: 'utf8' }));

test('few tests are in quarantine, each with a reason, and none for long', () => {
  expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
  expect(entries.filter(({ file }) => !fs.existsSync(file))).toEqual([]);
  expect(entries.filter(({ title }) => /^(?:the file cannot be run|an error outside of tests)/.test(title))).toEqual(
    [],
  );
  expect(entries.filter(({ since }) => commitsSince(since) > MAX_COMMITS)).toEqual([]);
});
