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

export function isAddress(value: string): boolean {
  return /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
}

export function isEmail(value: string): boolean {
  return /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]{2,}$/.test(value);
}

/** As RSS wants dates written, with a year of four digits. */
export const RFC_2822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|GMT|UT|[ECMP][SD]T)$/;

export function isDate(value: string): boolean {
  return RFC_2822.test(value) && !Number.isNaN(Date.parse(value));
}

/** Characters, of which an emoji is one. */
export function isAtMost(value: string, characters: number): boolean {
  return value.length <= characters || Array.from(value).length <= characters;
}

/** Bytes of UTF-8, since that is what directories count. */
export function within(parent: Element, name: string, maxBytes: number): boolean {
  return Buffer.byteLength(text(parent, name)) <= maxBytes;
}

const TIDY =
  /^(?:title|link|guid|pubdate|language|itunes:(?:author|duration|explicit|type|episode|season|episodetype)|podcast:(?:guid|locked|medium))$/;

/** Apps show white space at the ends of values, and compare guids with it. */
export function isTidy(parent: Element): boolean {
  return parent.children.every(({ name, text }) => !TIDY.test(name) || text === text.trim());
}
