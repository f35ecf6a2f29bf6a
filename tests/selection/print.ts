// `node --import tsx tests/selection/print.ts full-proofs` prints the test files whose full proofs this run plays, with
// PROOFS_SEED a part of them; `unchanged-suites` those that an everyday run leaves out. The rest goes to standard error.
import { findChanges } from './changes';
import { drawProofs, fullProofsFor, unchangedSuites } from './select-tests';

const changes = findChanges();
console.error(changes ? `${changes.files.length} files differ from ${changes.base}` : 'the base is unknown');
const files = process.argv[2] === 'unchanged-suites' ? unchangedSuites(changes) : drawnProofs();
for (const file of files) console.log(file);

function drawnProofs(): string[] {
  const needed = fullProofsFor(changes);
  const { PROOFS_SEED: seed } = process.env;
  if (!seed) return needed;
  const { drawn, leftOut } = drawProofs(needed, Number(seed));
  if (leftOut.length > 0)
    console.error(`${leftOut.length} full proofs are not played (PROOFS_SEED=${seed}): ${leftOut.join(' ')}`);
  return drawn;
}
