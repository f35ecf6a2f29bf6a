// Finds out whether the build is older than one of its sources.
import fs from 'node:fs';
import path from 'node:path';

const SOURCES = [
  'app',
  'server',
  'db',
  'jobs',
  'locales',
  'packages',
  'public',
  'scripts',
  'remix.config.js',
  'postcss.config.cjs',
  'tsconfig.json',
  'package.json',
  'vite.config.ts',
  'package-lock.json',
];
/** Has the time of the build's start: a source saved during the build is newer. */
export const STAMP = 'build/built';

export const hasBuild = () => timeOf(STAMP) > 0;

/** A folder's modification time also shows deleted files. */
export function isBuildStale() {
  const builtAt = timeOf(STAMP);
  return builtAt === 0 || SOURCES.some((source) => newestIn(source) > builtAt);
}

function newestIn(file) {
  if (!fs.existsSync(file) || !fs.statSync(file).isDirectory()) return timeOf(file);
  return Math.max(timeOf(file), ...fs.readdirSync(file).map((name) => newestIn(path.join(file, name))));
}

function timeOf(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
