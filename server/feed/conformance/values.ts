import { text } from '../markup/elements';
import type { Element } from '../markup/tree';
import { RFC_2822 } from '../rfc-2822';

export function isAddress(value: string): boolean {
  return /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
}

export function isEmail(value: string): boolean {
  return /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]{2,}$/.test(value);
}

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
