import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type BenchmarkRow, judge, kilobytes } from './table';

type Part = { module: string; imports?: string[] };
type Manifest = { entry: Part; routes: Record<string, Part & { parentId?: string }> };

/** Compressed bytes of the first load of a screen. */
const GOAL = 150_000;
const CLIENT = 'build/client';
const LAYOUT = 'any/index:dashboard/layout';
/** Chunks that a screen loads on demand; no page needs them on its first load. */
const LAZY = /\/(?:rich-text-editor|crop-dialog|page-rules|episode-rules|check-audio)-[^/]+\.js$/;

/** JavaScript of the first load of each studio screen of the build, and of its lazy chunks. */
export function studioRows(): BenchmarkRow[] {
  const assets = path.join(CLIENT, 'assets');
  const files = fs.readdirSync(assets).filter((file) => file.endsWith('.js'));
  const name = files.find((file) => file.startsWith('manifest-'));
  if (!name) return [];
  const text = fs.readFileSync(path.join(assets, name), 'utf8');
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const screens = Object.keys(manifest.routes).filter(isScreen);
  const lazy = files.map((file) => `/assets/${file}`).filter((file) => LAZY.test(file));
  return [
    ...screens.map((id) => screenRow(manifest, id)),
    ...lazy.map((file) => ({
      label: `loaded when needed: ${file}, Brotli`,
      figure: kilobytes(brotliOf(file)),
      details: '',
    })),
  ];
}

/** One path for each screen: both kinds and all languages share their modules. */
const isScreen = (id: string) => id.startsWith(`${LAYOUT}/`) && !/\/(?:account|audio-series)\//.test(id);

function screenRow(manifest: Manifest, id: string): BenchmarkRow {
  const scripts = firstLoad(manifest, id);
  const early = scripts.filter((file) => LAZY.test(file));
  if (early.length > 0) throw new Error(`${id} loads ${early.join(', ')} at once`);
  const bytes = scripts.reduce((sum, file) => sum + brotliOf(file), 0);
  const label = `JavaScript of ${id.slice(LAYOUT.length + 1).replace(/:[^:]*$/, '')}, Brotli`;
  return {
    label,
    figure: kilobytes(bytes),
    details: `${scripts.length} files`,
    goal: `≤ ${kilobytes(GOAL)}`,
    ...judge(GOAL / bytes, { holds: true }),
  };
}

/** The entry, the route with its parents, and their static imports. */
function firstLoad({ entry, routes }: Manifest, id: string): string[] {
  const parts = [entry];
  for (let route = routes[id]; route; route = route.parentId === undefined ? undefined : routes[route.parentId])
    parts.push(route);
  return [...new Set(parts.flatMap(({ module, imports = [] }) => [module, ...imports]))];
}

/** As the server sends it to browsers. */
const brotliOf = (file: string) => brotliCompressSync(fs.readFileSync(path.join(CLIENT, file))).length;
