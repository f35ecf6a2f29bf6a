import fs from 'node:fs';
import path from 'node:path';

const STATEMENT = /^(?:import|export) (?!type )(?:([^;]*?)from )?'([^']+)';/gm;

/** The modules that load together with a file: absolute paths of ours, names of packages. `enters` limits the walk. */
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

function staticImports(file: string): string[] {
  const statements = [...fs.readFileSync(file, 'utf8').matchAll(STATEMENT)];
  return statements.filter(([, names]) => hasValues(names)).map(([, , specifier = '']) => resolve(specifier, file));
}

/** Imports of types alone disappear when the file is compiled. */
function hasValues(names: string | undefined): boolean {
  return names === undefined || names.replace(/\btype \w+( as \w+)?,?/g, '').replace(/[{}\s,]/g, '') !== '';
}

function resolve(specifier: string, from: string): string {
  if (!/^(~|\.{1,2})\//.test(specifier)) return specifier;
  const base = specifier.startsWith('~/')
    ? path.resolve(specifier.slice(2))
    : path.resolve(path.dirname(from), specifier);
  const files = ['', '.ts', '.tsx'].map((ending) => base + ending);
  return files.find((found) => fs.statSync(found, { throwIfNoEntry: false })?.isFile()) ?? specifier;
}
