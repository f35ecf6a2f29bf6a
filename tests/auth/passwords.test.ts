import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const SCRIPT = `
  import fs from 'node:fs';
  import { checkPassword, hashPassword } from './server/auth/passwords.ts';
  const open = [];
  try {
    for (;;) open.push(fs.openSync('/dev/null'));
  } catch {}
  const failure = await hashPassword('right', 'network').then(() => 'none', ({ message }) => message);
  for (const file of open) fs.closeSync(file);
  const stored = await hashPassword('right', 'network');
  console.log(JSON.stringify([failure, await checkPassword(stored, 'right', 'network'), await checkPassword(stored, 'wrong', 'network')]));
`;

test('a process that had no descriptor left for its first password checks the next ones', () => {
  const limited = 'ulimit -n 256; exec "$0" --import tsx --input-type module -e "$1"';

  const output = execFileSync('sh', ['-c', limited, process.execPath, SCRIPT], { encoding: 'utf8' });

  expect(JSON.parse(output)).toEqual([expect.stringContaining('too many open files'), true, false]);
});
