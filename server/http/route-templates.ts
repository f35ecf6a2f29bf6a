import type { ServerBuild } from '@remix-run/node';
import { isLanguage } from '~/locales/languages';
import { fullPath, withoutDataSuffix } from './route-subset';

/** Finds the template of a path, such as `/p/:slug`; null if no page matches. */
export type FindTemplate = (path: string) => string | null;

type Node = { fixed: Map<string, Node>; params: { suffix: string; node: Node }[]; template: string | null };

/**
 * The templates of all pages. A request is counted by its template, because the number of paths is unlimited. Languages
 * and data requests share the template of the page.
 */
export function pageTemplates(build: ServerBuild): FindTemplate {
  const root = createNode();
  for (const route of Object.values(build.routes)) {
    const path = fullPath(build.routes, route);
    if ((route.path === undefined && !route.index) || path.endsWith('*')) continue;
    addTemplate(root, segmentsOf(path));
  }
  return (path) => {
    const segments = segmentsOf(withoutDataSuffix(path));
    if (isLanguage(segments[0])) segments.shift();
    return findTemplate(root, segments, 0);
  };
}

function createNode(): Node {
  return { fixed: new Map(), params: [], template: null };
}

function addTemplate(root: Node, segments: readonly string[]): void {
  let at = root;
  for (const segment of segments) at = childFor(at, segment);
  at.template = `/${segments.join('/')}`;
}

/** `:id.csv` is a parameter with a suffix. */
function childFor({ fixed, params }: Node, segment: string): Node {
  if (!segment.startsWith(':')) {
    const node = fixed.get(segment.toLowerCase()) ?? createNode();
    fixed.set(segment.toLowerCase(), node);
    return node;
  }
  const suffix = /^:[\w-]+(.*)$/.exec(segment)?.[1] ?? '';
  const known = params.find((param) => param.suffix === suffix);
  if (known) return known.node;
  const node = createNode();
  params.push({ suffix, node });
  params.sort((a, b) => b.suffix.length - a.suffix.length);
  return node;
}

/** A fixed segment wins over a parameter, as in the router. */
function findTemplate(at: Node, segments: readonly string[], from: number): string | null {
  if (from === segments.length) return at.template;
  const segment = (segments[from] as string).toLowerCase();
  const fixed = at.fixed.get(segment);
  const found = fixed ? findTemplate(fixed, segments, from + 1) : null;
  if (found !== null) return found;
  for (const { suffix, node } of at.params) {
    const below = segment.endsWith(suffix) ? findTemplate(node, segments, from + 1) : null;
    if (below !== null) return below;
  }
  return null;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
