import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import type { Fault } from './faults';
import { canonicalName, NO_SCOPE, type Scope, scopeOf, type Wording } from './namespaces';
import { type Handler, scan } from './scanner';

export type Element = {
  /** Canonical: lower case, with the usual prefix of its namespace (`itunes:image`). */
  name: string;
  /** Names in lower case, values with references replaced. */
  attributes: Map<string, string>;
  children: Element[];
  /** All text directly within, as written. */
  text: string;
  /** Where its content begins and ends in the source, for markup that should have been text. */
  from: number;
  to: number;
};

export type Irregularity = Fault | Wording | 'unclosed_element';
export type Tree = { root: Element; irregularities: Map<Irregularity, number> };

/** An element that was just read, with those above it; true: its reader is done with it, so it need not be kept. */
export type OnElement = (element: Element, above: readonly Element[]) => boolean;

/** Elements that hold text: where one opens within another, the end tag of the first is missing. */
const FIELD =
  /^(?:title|link|guid|pubdate|description|enclosure|author|comments|category|(?:itunes|podcast|dc|atom|content|media|feedburner):.+)$/;
const HOLDS_FIELDS = /^(?:item|channel|image|entry|atom:.+|itunes:(?:owner|category)|podcast:.+|media:.+|textinput)$/;

/**
 * Reads markup into elements by their names, however broken it is. A document whose tags don't match is read a second
 * time with guesses (missing end tags of fields and items, unclosed CDATA), since those would harm one that is sound;
 * one that is `trusted` is not.
 */
export function readTree(source: string, onElement?: (guessing: boolean) => OnElement, trusted = false): Tree {
  const plain = build(source, false, onElement?.(false));
  const broken = GUESSED.some((kind) => plain.irregularities.has(kind)) && !trusted;
  return broken ? build(source, true, onElement?.(true)) : plain;
}

const GUESSED = ['unclosed_element', 'stray_end_tag', 'unclosed_cdata', 'suspect_cdata'] as const;

type Open = { element: Element; raw: string; scope: Scope };
type Building = {
  /** What is open, the root first. */
  stack: Open[];
  /** The elements of the stack. */
  above: Element[];
  irregularities: Map<Irregularity, number>;
  /** Open elements that are below the greatest depth. */
  tooDeep: number;
  guessing: boolean;
  onElement: OnElement;
};

function build(source: string, guessing: boolean, onElement: OnElement = () => false): Tree {
  const root: Element = { name: '', attributes: new Map(), children: [], text: '', from: 0, to: source.length };
  const stack = [{ element: root, raw: '', scope: NO_SCOPE }];
  const building = { stack, above: [root], irregularities: new Map(), tooDeep: 0, guessing, onElement };
  scan(source, handlerFor(building), { bounds: FEED_IMPORT_LIMITS, guessing });
  while (stack.length > 1) endUnclosed(building, source.length);
  return { root, irregularities: building.irregularities };
}

function handlerFor(building: Building): Handler {
  const { stack } = building;
  const fault = noting(building);
  return {
    fault,
    current: () => stack.at(-1)!.raw,
    text(value) {
      const { element } = stack.at(-1)!;
      if (element.text.length + value.length > FEED_IMPORT_LIMITS.text) fault('text_too_long');
      if (element.text.length < FEED_IMPORT_LIMITS.text) element.text += value.slice(0, FEED_IMPORT_LIMITS.text);
    },
    open(raw, attributes, { start, end }) {
      if (stack.length > FEED_IMPORT_LIMITS.depth) {
        building.tooDeep += 1;
        return fault('too_deep');
      }
      const scope = scopeOf(stack.at(-1)!.scope, attributes, fault);
      const name = canonicalName(raw, scope, fault);
      if (building.guessing) endMissing(building, name, start);
      const element: Element = { name, attributes: lower(attributes), children: [], text: '', from: end, to: end };
      stack.push({ element, raw, scope });
      building.above.push(element);
    },
    close: (raw, start) => endElement(building, raw, start),
  };
}

function noting({ irregularities }: Building): (kind: Irregularity) => void {
  return (kind) => void irregularities.set(kind, (irregularities.get(kind) ?? 0) + 1);
}

/** An end tag closes what is open within its element; one for which nothing is open is left out. */
function endElement(building: Building, raw: string, start: number) {
  const { stack } = building;
  if (building.tooDeep > 0) {
    building.tooDeep -= 1;
    return;
  }
  const found = stack.findLastIndex((one) => sameName(one.raw, raw));
  if (found <= 0) return noting(building)('stray_end_tag');
  while (stack.length > found + 1) endUnclosed(building, start);
  pop(building, start);
}

/** Fields and items hold none of their kind: where one begins, the one before has ended. */
function endMissing(building: Building, name: string, at: number) {
  const { stack, above } = building;
  const top = stack.at(-1)!.element.name;
  const again = /^(?:item|atom:entry|entry)$/.test(name) && above.findLastIndex((one) => one.name === name);
  if (again && again > 0) while (stack.length > again) endUnclosed(building, at);
  else if (FIELD.test(name) && FIELD.test(top) && !HOLDS_FIELDS.test(top)) endUnclosed(building, at);
}

function endUnclosed(building: Building, at: number) {
  noting(building)('unclosed_element');
  pop(building, at);
}

function pop(building: Building, end: number) {
  const { stack, above, onElement } = building;
  const { element } = stack.pop()!;
  above.pop();
  element.to = end;
  if (onElement(element, above)) return;
  const { children } = above.at(-1)!;
  if (children.length < FEED_IMPORT_LIMITS.items) children.push(element);
  else noting(building)('too_many_tags');
}

function sameName(one: string, other: string): boolean {
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase());
}

const CAPITAL = /[A-Z]/;

function lower(attributes: Map<string, string>): Map<string, string> {
  for (const [key, value] of attributes)
    if (CAPITAL.test(key) && !attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
  return attributes;
}
