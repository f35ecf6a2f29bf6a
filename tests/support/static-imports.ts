import fs from 'node:fs';
import path from 'node:path';
import { packageFile } from './workspace-packages';

const ANY_IMPORT = /^(?:import|export) (?:[^;]*?from )?'[^']+';/gm;
/** Parsed once, because hundreds of tests read the same thousand files. */
const importsOf = new Map<string, string[]>();
const STATEMENT = /^(?:import|export) (?!type )(?:([^;]*?)from )?'([^']+)';/gm;

/**
 * The modules that load together with a file: absolute paths of our files, names of packages. `enters` limits the walk.
 */
export function reachableModules(file: string, enters: (file: string) => boolean = () => true): Set<string> {
  const found = new Set<string>();
  const queue = [path.resolve(file)];
  for (const module of queue) {
    if (found.has(module)) continue;
    found.add(module);
    if (path.isAbsolute(module) && enters(module)) queue.push(...staticImports(module));
  }
  return found;
}

/** The imports of a file at load time: absolute paths of our files, names of packages. */
export function staticImports(file: string): string[] {
  const known = importsOf.get(file) ?? readImports(file);
  importsOf.set(file, known);
  return known;
}

function readImports(file: string): string[] {
  const statements = [...fs.readFileSync(file, 'utf8').matchAll(STATEMENT)];
  return statements.filter(([, names]) => hasValues(names)).map(([, , specifier = '']) => resolve(specifier, file));
}

/** The code of a file without its import statements. */
export const withoutImports = (text: string) => text.replace(ANY_IMPORT, '');

/** Imports of types alone disappear when the file is compiled. */
function hasValues(names: string | undefined): boolean {
  return names === undefined || names.replace(/\btype \w+( as \w+)?,?/g, '').replace(/[{}\s,]/g, '') !== '';
}

function resolve(specifier: string, from: string): string {
  const exported = packageFile(specifier);
  if (exported) return path.resolve(exported);
  if (!/^(~|\.{1,2})\//.test(specifier)) return specifier;
  const base = specifier.startsWith('~/')
    ? path.resolve(specifier.slice(2))
    : path.resolve(path.dirname(from), specifier);
  const files = ['', '.ts', '.tsx'].map((ending) => base + ending);
  return files.find((found) => fs.statSync(found, { throwIfNoEntry: false })?.isFile()) ?? specifier;
}
