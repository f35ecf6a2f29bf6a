import path from 'node:path';
import { reachableModules } from './static-imports';

const ENTRANCES = ['tests/support/db.ts', 'db/embedded.ts'].map((file) => path.resolve(file));

/** Whether a test file imports, itself or through other test code, a module that opens a database. */
export function opensDatabase(file: string): boolean {
  // the project's own modules take a database as an argument
  const modules = reachableModules(file, (module) => module.startsWith(path.resolve('tests')));
  return ENTRANCES.some((entrance) => modules.has(entrance));
}
