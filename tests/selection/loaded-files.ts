import fs from 'node:fs';
import path from 'node:path';
import { staticImports, withoutImports } from '../support/static-imports';
import { packageFile } from '../support/workspace-packages';

const ROOT = `${path.resolve('')}/`;
const QUOTED = /['"`]([^'"`\n]+)['"`]/g;
const HAS_IMPORTS = /\.(?:tsx?|mjs)$/;
const FOLDERS = /^(?:app|benchmarks|db|jobs|locales|packages|scripts|server|tests)\//;
/** Parsed once, because hundreds of tests load the same thousand files. */
const edges = new Map<string, string[]>();

/**
 * The repository's files, by relative path, that may run when a file does: its static and dynamic imports, and each
 * file whose path its code names, such as that of a worker or of a process to start.
 */
export function loadedFiles(file: string): Set<string> {
  const found = new Set([file]);
  for (const next of found) for (const loaded of edgesOf(next)) found.add(loaded);
  return found;
}

function edgesOf(file: string): string[] {
  const known = edges.get(file) ?? (HAS_IMPORTS.test(file) ? readEdges(file) : []);
  edges.set(file, known);
  return known;
}

function readEdges(file: string): string[] {
  const imported = staticImports(ROOT + file).filter((module) => module.startsWith(ROOT));
  const code = withoutImports(fs.readFileSync(file, 'utf8'));
  const named = [...code.matchAll(QUOTED)].flatMap(([, quoted = '']) => filesNamed(quoted, file));
  return [...imported.map((module) => module.slice(ROOT.length)), ...named];
}

/** A pattern such as `/app/routes/**` names every file below the folder in front of its first asterisk. */
function filesNamed(quoted: string, from: string): string[] {
  const target = resolvePath(quoted, from);
  if (target === null) return [];
  if (target.includes('*')) return filesBelow(path.dirname(target.slice(0, target.indexOf('*') + 1)));
  return ['', '.ts', '.tsx'].map((ending) => target + ending).filter(isFile);
}

function resolvePath(quoted: string, from: string): string | null {
  if (quoted.startsWith('./') || quoted.startsWith('../')) return path.join(path.dirname(from), quoted);
  const inRepository = quoted.replace(/^~?\//, '');
  return FOLDERS.test(inRepository) ? path.normalize(inRepository) : (packageFile(quoted) ?? null);
}

function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.map((name) => path.join(folder, name)).filter(isFile);
}

const isFile = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
