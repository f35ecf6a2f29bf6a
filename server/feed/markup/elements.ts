import type { Element } from './tree';

/** Looking things up in what was read. */
export function all(parent: Element | undefined, name: string): Element[] {
  return parent?.children.filter((one) => one.name === name) ?? [];
}

/** By the first of the names that is there at all. */
export function child(parent: Element | undefined, ...names: string[]): Element | undefined {
  for (const name of names) {
    const found = parent?.children.find((one) => one.name === name);
    if (found) return found;
  }
  return undefined;
}

export function text(parent: Element | undefined, name: string): string {
  return child(parent, name)?.text.trim() ?? '';
}

/** An attribute as it is written; '' where there is none. */
export function said(element: Element | undefined, attribute: string): string {
  return element?.attributes.get(attribute) ?? '';
}
