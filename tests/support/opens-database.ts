import path from 'node:path';
import { reachableModules } from './static-imports';
import { PACKAGES, TEST_FOLDERS } from './workspace-packages';

const ENTRANCES = [
  'tests/support/db.ts',
  'db/embedded.ts',
  ...PACKAGES.map((folder) => `${folder}/tests/support/database.ts`),
].map((file) => path.resolve(file));
const TESTS = TEST_FOLDERS.map((folder) => path.resolve(folder));

/** Whether a test file imports, itself or through other test code, a module that opens a database. */
export function opensDatabase(file: string): boolean {
  // the project's own modules take a database as an argument
  const modules = reachableModules(file, (module) => TESTS.some((folder) => module.startsWith(folder)));
  return ENTRANCES.some((entrance) => modules.has(entrance));
}
