import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundle, ENTRIES } from '~/scripts/bundle.mjs';

const PACKAGE = { type: 'module', imports: { '#pages-build': './pages.js' } };
const PAGES = `
  export const entry = { module: { default: (...[, , , , { preparesDemo }]) => new Response(preparesDemo ? 'Its demo is being prepared' : 'A page') } };
  export const routes = { root: { id: 'root', path: '', module: { default: () => null } } };
  export const future = { v3_singleFetch: true };
  export const assets = { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' };
  export const [publicPath, assetsBuildDirectory, isSpaMode] = ['/', 'build/client', false];
`;

/**
 * The server's main file, bundled like the build, with one page for every URL, in its own working folder: a fresh clone
 * has no build. A process that starts from it needs a quarter of the CPU time of one that compiles a thousand sources.
 */
export async function bundledServer(): Promise<{ main: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-bundle-'));
  await bundle(ENTRIES, folder, ['#pages-build']);
  await writeFile(path.join(folder, 'pages.js'), PAGES);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(PACKAGE));
  await mkdir(path.join(folder, 'build/client'), { recursive: true });
  // packages and migrations stay outside the bundle
  for (const name of ['node_modules', 'db']) await symlink(path.resolve(name), path.join(folder, name));
  return { main: path.join(folder, 'main.js'), remove: () => rm(folder, { recursive: true }) };
}
