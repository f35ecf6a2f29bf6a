/** Prints the failure of a password without free descriptors, and whether a right and a wrong one are checked later. */
import fs from 'node:fs';
import { checkPassword, hashPassword } from '~/server/auth/passwords';

const turn = { network: 'one', isKnownDevice: false };
const open: number[] = [];
try {
  for (;;) open.push(fs.openSync('/dev/null', 'r'));
} catch {}
const failure = await hashPassword('right', turn).then(
  () => 'none',
  ({ message }) => message,
);
for (const file of open) fs.closeSync(file);
const stored = await hashPassword('right', turn);
const [right, wrong] = [await checkPassword(stored, 'right', turn), await checkPassword(stored, 'wrong', turn)];
process.stdout.write(JSON.stringify([failure, right, wrong]));
