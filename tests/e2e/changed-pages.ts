import fs from 'node:fs';
import { matchRoutes } from '@remix-run/react';
import type { RouteConfigEntry } from '@remix-run/route-config';
import routes from '../../app/routes';
import { type Changes, findChanges } from '../selection/changes';
import { loadedFiles } from '../selection/loaded-files';

type Tree = Parameters<typeof matchRoutes>[0];

/** Every page includes the root, and the modules that it loads. */
const ROOT = 'root.tsx';
/** `useTranslation('money')`, or a key such as `money:balance`. */
const NAMESPACE = /Translation\('([a-z-]+)'|['"`]([a-z-]+):[A-Za-z]/g;
const TEXTS = /^locales\/[a-z]+\/([a-z-]+)\.json$/;

/**
 * Returns a function that says whether a page's path is affected by the changes since the last landing: its route, the
 * layouts around it, their features, styles or texts. If the changes are unknown, every page is.
 */
export function pageChanges(changes: Changes | null = findChanges()): (path: string) => boolean {
  if (changes === null) return () => true;
  const differs = new Set(changes.files);
  const namespaces = new Set(changes.files.flatMap((file) => TEXTS.exec(file)?.[1] ?? []));
  const known = new Map<string, boolean>();
  const isChanged = (module: string) => {
    const found = known.get(module) ?? filesOf(module).some((file) => differs.has(file) || mentions(file, namespaces));
    known.set(module, found);
    return found;
  };
  return (path) => [ROOT, ...modulesOf(path)].some(isChanged);
}

const filesOf = (module: string) => [...loadedFiles(`app/${module}`)].filter((file) => file.startsWith('app/'));

function mentions(file: string, namespaces: Set<string>): boolean {
  if (namespaces.size === 0 || !/\.tsx?$/.test(file)) return false;
  return [...fs.readFileSync(file, 'utf8').matchAll(NAMESPACE)].some(([, own, named]) =>
    namespaces.has(own ?? named ?? ''),
  );
}

function modulesOf(path: string): string[] {
  const matches = matchRoutes(tree(routes as RouteConfigEntry[]), new URL(path, 'http://localhost').pathname);
  return (matches ?? []).map(({ route }) => (route as { module?: string }).module ?? ROOT);
}

const tree = (entries: RouteConfigEntry[]): Tree =>
  entries.map(({ file, path, index, children }) =>
    index ? { path, index, module: file } : { path, children: children && tree(children), module: file },
  ) as Tree;
