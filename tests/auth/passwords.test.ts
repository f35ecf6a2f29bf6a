import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundle } from '~/scripts/bundle.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'altavoz-passwords-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a process that had no descriptor left for its first password checks the next ones', async () => {
  // a loader of sources would close files in a thread of its own, and leave descriptors at any moment
  await bundle({ child: 'tests/support/password-child.ts' }, folder);
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const limited = 'ulimit -n 256; exec "$0" "$1"';

  const output = execFileSync('sh', ['-c', limited, process.execPath, path.join(folder, 'child.js')], {
    encoding: 'utf8',
  });

  expect(JSON.parse(output)).toEqual([expect.stringContaining('too many open files'), true, false]);
});
