import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, ENTRIES } from '~/scripts/bundle.mjs';

type Engine = typeof import('~/server/audio/in-worker');

/** The audio engine, bundled like the build, with the worker's file, in a temporary folder. */
export async function bundledAudio(): Promise<Engine & { remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-bundle-'));
  await bundle({ 'in-worker': 'server/audio/in-worker.ts', 'audio-worker': ENTRIES['audio-worker'] }, folder);
  // packages stay outside the bundle
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const engine: Engine = await import(/* @vite-ignore */ pathToFileURL(path.join(folder, 'in-worker.js')).href);
  return { ...engine, remove: () => rm(folder, { recursive: true }) };
}
