import type { Element } from './tree';

const NONE: readonly Element[] = [];

// Readers ask each item for a hundred names, most of which it does not have. Loops by index cost less than `for … of`
// before V8 optimizes them, which decides the time of the first feed.

/** All children of these names, in the order of the names. */
export function childrenNamed(parent: Element | undefined, ...names: string[]): readonly Element[] {
  if (!parent || parent.children.length === 0) return NONE;
  const byName = childrenByName(parent);
  let found = NONE;
  for (let at = 0; at < names.length; at++) {
    const same = byName.get(names[at]!);
    if (same) found = found === NONE ? same : found.concat(same);
  }
  return found;
}

/** The first child of the first of these names that occurs. */
export function firstChild(parent: Element | undefined, ...names: string[]): Element | undefined {
  if (!parent || parent.children.length === 0) return undefined;
  const byName = childrenByName(parent);
  for (let at = 0; at < names.length; at++) {
    const same = byName.get(names[at]!);
    if (same) return same[0];
  }
  return undefined;
}

/** The first child with content, in the order of the names. */
export function firstNonEmpty(parent: Element | undefined, ...names: string[]): Element | undefined {
  if (!parent || parent.children.length === 0) return undefined;
  const byName = childrenByName(parent);
  for (let at = 0; at < names.length; at++) {
    const found = byName.get(names[at]!)?.find(hasContent);
    if (found) return found;
  }
  return undefined;
}

const hasContent = ({ text, children }: Element) => children.length > 0 || text.trim() !== '';

export function hasChildNamed({ children }: Element, names: ReadonlySet<string>): boolean {
  for (let at = 0; at < children.length; at++) if (names.has(children[at]!.name)) return true;
  return false;
}

/** A channel gets more children after its first ones were asked for. */
function childrenByName(parent: Element): ReadonlyMap<string, Element[]> {
  const { children } = parent;
  parent.named ??= { byName: new Map(), count: 0 };
  const { named } = parent;
  for (; named.count < children.length; named.count++) {
    const child = children[named.count]!;
    const same = named.byName.get(child.name);
    if (same) same.push(child);
    else named.byName.set(child.name, [child]);
  }
  return named.byName;
}

/** The trimmed text of the first child of this name; '' without one. */
export function childText(parent: Element | undefined, name: string): string {
  return firstChild(parent, name)?.text.trim() ?? '';
}

/** The value of an attribute as written; '' without one. */
export function attributeOf(element: Element | undefined, name: string): string {
  return element?.attributes.get(name) ?? '';
}

const WITHOUT_REL: readonly string[] = ['alternate'];

/**
 * The relations of a link, in lower case: `rel` is a list, and without one a link is the alternate (RFC 4287 §4.2.7.2).
 */
export function relationsOf(link: Element): readonly string[] {
  const rel = attributeOf(link, 'rel').trim().toLowerCase();
  return rel ? rel.split(/\s+/) : WITHOUT_REL;
}
