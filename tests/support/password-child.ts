/** Prints the failure of a password without free descriptors, and whether a right and a wrong one are checked later. */
import fs from 'node:fs';
import { checkPassword, hashPassword } from '~/server/auth/passwords';

const open: number[] = [];
try {
  for (;;) open.push(fs.openSync('/dev/null'));
} catch {}
const failure = await hashPassword('right', 'network').then(
  () => 'none',
  ({ message }) => message,
);
for (const file of open) fs.closeSync(file);
const stored = await hashPassword('right', 'network');
const [right, wrong] = [
  await checkPassword(stored, 'right', 'network'),
  await checkPassword(stored, 'wrong', 'network'),
];
process.stdout.write(JSON.stringify([failure, right, wrong]));
