import fs from 'node:fs';
import { matchRoutes } from '@remix-run/react';
import type { RouteConfigEntry } from '@remix-run/route-config';
import routes from '../../app/routes';

type Leaf = { path: string; file: string };
type Tree = Parameters<typeof matchRoutes>[0];

function leavesOf(entries: RouteConfigEntry[], above = ''): Leaf[] {
  return entries.flatMap(({ path = '', file, children }) => {
    const full = path ? `${above}/${path}` : above;
    return children ? leavesOf(children, full) : [{ path: full, file }];
  });
}

const hasPage = ({ file }: Leaf) => fs.readFileSync(`app/${file}`, 'utf8').includes('export default');
const leaves = leavesOf(routes as RouteConfigEntry[]);
const all = leaves.filter(hasPage);

/** The paths of all pages and files, with parameters. */
export const ROUTE_PATHS = leaves.map(({ path }) => path);

/** The modules of all pages, below app/routes. */
export const PAGE_MODULES = [...new Set(all.map(({ file }) => nameOf(file)))];

/**
 * The pages of the routes below a layout, with samples in the place of parameters: each module once, by turns in English
 * and Spanish. @throws if a parameter has no sample
 * @param samples by the parameter and the segment before it, as `podcasts/:id`
 */
export function pagesBelow(layout: string, samples: Record<string, number>): string[] {
  const root = (routes as RouteConfigEntry[]).find(({ file, path }) => !path && nameOf(file) === layout)!;
  const firsts = new Map(
    leavesOf(root.children!)
      .filter(hasPage)
      .reverse()
      .map(({ file, path }) => [nameOf(file), path]),
  );
  return [...firsts].reverse().map(([, path], number) => (number % 2 ? '/es' : '') + filled(path, samples));
}

const filled = (path: string, samples: Record<string, number>) =>
  path.replaceAll(/([^/]+)\/:(\w+)/g, (parameter, before: string) => {
    const sample = samples[parameter];
    if (sample === undefined) throw new Error(`${path}: no sample for ${parameter}`);
    return `${before}/${sample}`;
  });

/** The module that serves an address. */
export function moduleAt(address: string): string {
  const { pathname } = new URL(address, 'http://localhost');
  return nameOf((matchRoutes(TREE, pathname)!.at(-1)!.route as { file?: string }).file!);
}

const TREE = treeOf(routes as RouteConfigEntry[]);

function treeOf(entries: RouteConfigEntry[]): Tree {
  return entries.map(({ file, path, index, children }) =>
    index ? { file, path, index } : { file, path, children: children && treeOf(children) },
  ) as Tree;
}

function nameOf(file: string): string {
  return file.replace(/^routes\//, '').replace(/\.tsx$/, '');
}
