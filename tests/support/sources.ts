import fs from 'node:fs';
import path from 'node:path';
import { packageFile } from './workspace-packages';

export type Import = {
  /** The imported name as the source writes it. */
  specifier: string;
  /** The imported file, without its extension, relative to the repository. */
  target: string;
  typeOnly: boolean;
};
export type Source = { file: string; text: string; lines: number; imports: Import[] };

const FOLDERS = ['app', 'server', 'db', 'jobs', 'locales', 'packages', 'tests', 'benchmarks'];

function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(name);
    return /\.tsx?$/.test(name) ? [name] : [];
  });
}

/** Resolves an import within the repository; null for a package of others. */
function resolveImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('~/')) return specifier.slice(2);
  if (!specifier.startsWith('.')) return packageFile(specifier)?.replace(/\.tsx?$/, '') ?? null;
  return path.posix.join(path.posix.dirname(file), specifier);
}

function isTypeOnly(clause: string): boolean {
  const inBraces = /\{([^}]*)\}/.exec(clause)?.[1];
  const others = clause.replace(/\{[^}]*\}|from\s*$|[,\s]/g, '');
  return inBraces !== undefined && others === '' && inBraces.split(',').every((name) => /^\s*(?:type\s|$)/.test(name));
}

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(/(?:import|export)\s+(type\s)?([^;'"]*?from\s*)?['"]([^'"]+)['"]/g);
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g);
  const found = [
    ...[...statements].map(([, type, clause = '', specifier = '']) => ({
      specifier,
      typeOnly: type !== undefined || isTypeOnly(clause.replace(/from\s*$/, '')),
    })),
    ...[...calls].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ];
  return found.flatMap(({ specifier, typeOnly }) => {
    const target = resolveImport(file, specifier);
    return target ? [{ specifier, target, typeOnly }] : [];
  });
}

/** Every TypeScript file of the repository, tests included. */
export const sources: Source[] = FOLDERS.flatMap(filesBelow).map((file) => {
  const text = fs.readFileSync(file, 'utf8');
  return { file, text, lines: text.split('\n').length, imports: importsOf(file, text) };
});

/** Tests, and what only they load. */
export const isTest = (file: string) => /^(?:packages\/[^/]+\/)?tests\//.test(file);

/** Every file that is not a test. */
export const code = sources.filter(({ file }) => !isTest(file));

/** The room that a file belongs to: `team`, or `billing/gifts` in a group of rooms. */
export const roomOf = (file: string) => /^server\/domain\/((?:accounts|billing|moving)\/[^/]+|[^/]+)\//.exec(file)?.[1];

/** The rooms of a group share its tables. */
export const groupOf = (room: string) => room.split('/')[0]!;

/** Finds forbidden imports in the files that match `from`. @param advice says where the code belongs instead */
export function forbiddenImports(
  from: RegExp,
  allowed: (target: string, source: Source, typeOnly: boolean) => boolean,
  advice: string,
): string[] {
  return code
    .filter(({ file }) => from.test(file))
    .flatMap((source) =>
      source.imports
        .filter(({ target, typeOnly }) => !allowed(target, source, typeOnly))
        .map(({ target }) => `${source.file} imports ${target}: ${advice}`),
    );
}

/** Finds import cycles, types included, each written as `a.ts → b.ts → a.ts`. A cycle is reported once. */
export function importCycles(among: Source[]): string[] {
  const byTarget = new Map(among.map((source) => [source.file.replace(/\.tsx?$/, ''), source]));
  const done = new Set<Source>();
  const cycles: string[] = [];

  function visit(source: Source, trail: Source[]): void {
    const start = trail.indexOf(source);
    if (start >= 0) cycles.push([...trail.slice(start), source].map(({ file }) => file).join(' → '));
    if (start >= 0 || done.has(source)) return;
    for (const { target } of source.imports) {
      const next = byTarget.get(target.replace(/\.tsx?$/, ''));
      if (next) visit(next, [...trail, source]);
    }
    done.add(source);
  }

  for (const source of among) visit(source, []);
  return cycles;
}
