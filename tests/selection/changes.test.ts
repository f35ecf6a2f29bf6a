import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findChanges } from './changes';

const former = process.cwd();
const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...identity } }).trim();

function commit(name: string): string {
  fs.writeFileSync(name, name);
  git('add', '.');
  git('commit', '-qm', name);
  return git('rev-parse', 'HEAD');
}

let folder: string;
beforeEach(() => {
  vi.stubEnv('CI_BASE', '');
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'altavoz-changes-'));
  process.chdir(folder);
  git('init', '-q', '-b', 'main');
});
afterEach(() => {
  process.chdir(former);
  fs.rmSync(folder, { recursive: true });
});

const publish = (name: string) => git('update-ref', `refs/remotes/origin/${name}`, 'HEAD');

function writeLanded(hash: string): void {
  fs.mkdirSync('.ci', { recursive: true });
  fs.writeFileSync('.ci/landed', `${hash}\n`);
}

test('the base is where the work left the remote main line, however long ago', () => {
  const base = commit('landed');
  publish('main');
  commit('one');
  commit('two');

  expect(findChanges()).toEqual({ base, files: ['one', 'two'] });
});

test('on the main line itself, the base is the commit that landed last', () => {
  const base = commit('landed');
  writeLanded(base);
  commit('one');
  publish('main');

  expect(findChanges()).toEqual({ base, files: ['.ci/landed', 'one'] });
});

test('files that are not committed count', () => {
  writeLanded(commit('landed'));
  fs.writeFileSync('landed', 'changed');
  fs.writeFileSync('new', '');

  expect(findChanges()?.files).toEqual(['landed', '.ci/landed', 'new']);
});

test.each([['0'.repeat(40)], ['HEAD; rm -rf x'], ['']])(
  'a landed commit %j that is unknown makes everything new',
  (hash) => {
    commit('one');
    writeLanded(hash);

    expect(findChanges()).toBeNull();
  },
);

test('CI_BASE wins, and one that does not exist makes everything new', () => {
  const base = commit('one');
  commit('two');
  publish('main');

  vi.stubEnv('CI_BASE', base);
  expect(findChanges()).toEqual({ base, files: ['two'] });
  vi.stubEnv('CI_BASE', 'nowhere');
  expect(findChanges()).toBeNull();
});
