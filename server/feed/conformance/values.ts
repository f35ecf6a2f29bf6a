import { childText } from '../markup/elements';
import type { Element } from '../markup/tree';
import { RFC_2822 } from '../rfc-2822';

/** Whether this is an absolute http or https URL. */
export function isUrl(value: string): boolean {
  return /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
}

export function isEmail(value: string): boolean {
  return /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]{2,}$/.test(value);
}

export function isDate(value: string): boolean {
  return RFC_2822.test(value) && !Number.isNaN(Date.parse(value));
}

/** Counts characters as people do: an emoji is one. */
export function isAtMost(value: string, maxCharacters: number): boolean {
  return value.length <= maxCharacters || Array.from(value).length <= maxCharacters;
}

/** Counts bytes of UTF-8, because directories do. */
export function fitsBytes(parent: Element, name: string, maxBytes: number): boolean {
  return Buffer.byteLength(childText(parent, name)) <= maxBytes;
}

const TRIMMED =
  /^(?:title|link|guid|pubdate|language|itunes:(?:author|duration|explicit|type|episode|season|episodetype)|podcast:(?:guid|locked|medium))$/;

/** Apps show the white space around a value, and compare GUIDs with it. */
export function isTrimmed(parent: Element): boolean {
  return parent.children.every(({ name, text }) => !TRIMMED.test(name) || text === text.trim());
}
