import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

const MAIN_LINES = ['origin/HEAD', 'origin/main', 'origin/master'];
/**
 * The commit that landed last. A clone of the commits to land can't tell, because its main line is the change itself.
 */
const LANDED = '.ci/landed';

export type Changes = { base: string; files: string[] };

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

const lines = (text: string | null) => text?.split('\n').filter(Boolean) ?? [];

/**
 * CI_BASE; or the commit where this work left the remote's main line; or, on that line itself, the commit that landed
 * last.
 */
function findBase(): string | null {
  if (process.env.CI_BASE) return git('rev-parse', '--verify', `${process.env.CI_BASE}^{commit}`);
  const head = git('rev-parse', 'HEAD');
  const main = MAIN_LINES.find((name) => git('rev-parse', '--verify', '--quiet', name));
  const left = main ? git('merge-base', 'HEAD', main) : null;
  return left !== null && left !== head ? left : findLanded();
}

function findLanded(): string | null {
  const commit = fs.existsSync(LANDED) ? fs.readFileSync(LANDED, 'utf8').trim() : '';
  return /^[0-9a-f]{40}$/.test(commit) ? git('merge-base', commit, 'HEAD') : null;
}

/**
 * The files that differ from the last landed commit, in commits and in the working tree. Null if unknown: every file
 * may differ.
 */
export function findChanges(): Changes | null {
  const base = findBase();
  if (base === null) return null;
  const differing = git('diff', '--name-only', '--no-renames', base);
  if (differing === null) return null;
  return { base, files: [...lines(differing), ...lines(git('ls-files', '--others', '--exclude-standard'))] };
}
