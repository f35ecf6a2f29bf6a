// `node --import tsx tests/selection/print.ts full-proofs` prints the test files whose full proofs the change needs;
// `unchanged-suites` those that an everyday run leaves out. The base goes to standard error.
import { findChanges } from './changes';
import { fullProofsFor, unchangedSuites } from './select-tests';

const changes = findChanges();
console.error(changes ? `${changes.files.length} files differ from ${changes.base}` : 'the base is unknown');
const files = process.argv[2] === 'unchanged-suites' ? unchangedSuites(changes) : fullProofsFor(changes);
for (const file of files) console.log(file);
