import type { Element } from './tree';

export function childrenNamed(parent: Element | undefined, name: string): Element[] {
  return parent?.children.filter((child) => child.name === name) ?? [];
}

/** The first child of the first of these names that occurs. */
export function firstChild(parent: Element | undefined, ...names: string[]): Element | undefined {
  for (const name of names) {
    const found = parent?.children.find((child) => child.name === name);
    if (found) return found;
  }
  return undefined;
}

/** The trimmed text of the first child of this name; '' without one. */
export function childText(parent: Element | undefined, name: string): string {
  return firstChild(parent, name)?.text.trim() ?? '';
}

/** The value of an attribute as written; '' without one. */
export function attributeOf(element: Element | undefined, name: string): string {
  return element?.attributes.get(name) ?? '';
}

/**
 * The relations of a link, in lower case: `rel` is a list, and without one a link is the alternate (RFC 4287 §4.2.7.2).
 */
export function relationsOf(link: Element): string[] {
  const rel = attributeOf(link, 'rel').trim().toLowerCase();
  return rel ? rel.split(/\s+/) : ['alternate'];
}
