import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import type { Fault } from './faults';
import { canonicalName, type NameFault, NO_SCOPE, type Scope, scopeOf } from './namespaces';
import { type ScanHandler, scan } from './scanner';

export type Element = {
  /** Canonical: lower case, with the usual prefix of its namespace (`itunes:image`). */
  name: string;
  /** Names in lower case, values with entities decoded. */
  attributes: Map<string, string>;
  children: Element[];
  /** All text directly inside, as written. */
  text: string;
  /** The start and end of the content in the source, for markup that should have been text. */
  from: number;
  to: number;
};

export type Irregularity = Fault | NameFault | 'unclosed_element';
export type Tree = { root: Element; irregularities: Map<Irregularity, number> };

/** Gets each element at its end, with its ancestors. Returns true if the tree need not keep the element. */
export type OnElement = (element: Element, ancestors: readonly Element[]) => boolean;

/** Elements that contain only text. If one starts inside another, the end tag of the outer one is missing. */
const FIELD =
  /^(?:title|link|guid|pubdate|description|enclosure|author|comments|category|(?:itunes|podcast|dc|atom|content|media|feedburner):.+)$/;
const HOLDS_FIELDS = /^(?:item|channel|image|entry|atom:.+|itunes:(?:owner|category)|podcast:.+|media:.+|textinput)$/;

/**
 * Builds a tree of elements, however broken the markup is. If the tags of a document do not match, it is read again
 * with guesses (missing end tags of fields and items, unclosed CDATA). Guesses would damage a valid document, so they
 * are not used on the first pass, and never on a `trusted` document.
 */
export function readTree(source: string, onElement?: (guessing: boolean) => OnElement, trusted = false): Tree {
  const plain = buildTree(source, false, onElement?.(false));
  const isBroken = NEEDS_GUESSING.some((kind) => plain.irregularities.has(kind)) && !trusted;
  return isBroken ? buildTree(source, true, onElement?.(true)) : plain;
}

const NEEDS_GUESSING = ['unclosed_element', 'stray_end_tag', 'unclosed_cdata', 'suspect_cdata'] as const;

type OpenElement = { element: Element; rawName: string; scope: Scope };
type Builder = {
  /** Open elements, the root first. */
  stack: OpenElement[];
  /** The elements of the stack. */
  ancestors: Element[];
  irregularities: Map<Irregularity, number>;
  /** Number of open elements below the maximum depth. */
  tooDeep: number;
  guessing: boolean;
  onElement: OnElement;
};

function buildTree(source: string, guessing: boolean, onElement: OnElement = () => false): Tree {
  const root: Element = { name: '', attributes: new Map(), children: [], text: '', from: 0, to: source.length };
  const stack = [{ element: root, rawName: '', scope: NO_SCOPE }];
  const builder = { stack, ancestors: [root], irregularities: new Map(), tooDeep: 0, guessing, onElement };
  scan(source, handlerFor(builder), { limits: FEED_IMPORT_LIMITS, guessing });
  while (stack.length > 1) closeUnclosed(builder, source.length);
  return { root, irregularities: builder.irregularities };
}

function handlerFor(builder: Builder): ScanHandler {
  const { stack } = builder;
  const report = reporterFor(builder);
  return {
    fault: report,
    current: () => stack.at(-1)!.rawName,
    text(value) {
      const { element } = stack.at(-1)!;
      if (element.text.length + value.length > FEED_IMPORT_LIMITS.text) report('text_too_long');
      if (element.text.length < FEED_IMPORT_LIMITS.text) element.text += value.slice(0, FEED_IMPORT_LIMITS.text);
    },
    open(rawName, attributes, { start, end }) {
      if (stack.length > FEED_IMPORT_LIMITS.depth) {
        builder.tooDeep += 1;
        return report('too_deep');
      }
      const scope = scopeOf(stack.at(-1)!.scope, attributes, report);
      const name = canonicalName(rawName, scope, report);
      if (builder.guessing) closeMissing(builder, name, start);
      const element = { name, attributes: withLowerCaseNames(attributes), children: [], text: '', from: end, to: end };
      stack.push({ element, rawName, scope });
      builder.ancestors.push(element);
    },
    close: (rawName, start) => closeElement(builder, rawName, start),
  };
}

function reporterFor({ irregularities }: Builder): (kind: Irregularity) => void {
  return (kind) => void irregularities.set(kind, (irregularities.get(kind) ?? 0) + 1);
}

/**
 * An end tag also closes elements that are still open inside its own. An end tag without an open element is ignored.
 */
function closeElement(builder: Builder, rawName: string, start: number) {
  const { stack } = builder;
  if (builder.tooDeep > 0) {
    builder.tooDeep -= 1;
    return;
  }
  const index = stack.findLastIndex((open) => isSameName(open.rawName, rawName));
  if (index <= 0) return reporterFor(builder)('stray_end_tag');
  while (stack.length > index + 1) closeUnclosed(builder, start);
  pop(builder, start);
}

/** Fields and items cannot be nested, so the start of one ends the previous one. */
function closeMissing(builder: Builder, name: string, at: number) {
  const { stack, ancestors } = builder;
  const top = stack.at(-1)!.element.name;
  const openItem = /^(?:item|atom:entry|entry)$/.test(name) && ancestors.findLastIndex((open) => open.name === name);
  if (openItem && openItem > 0) while (stack.length > openItem) closeUnclosed(builder, at);
  else if (FIELD.test(name) && FIELD.test(top) && !HOLDS_FIELDS.test(top)) closeUnclosed(builder, at);
}

function closeUnclosed(builder: Builder, at: number) {
  reporterFor(builder)('unclosed_element');
  pop(builder, at);
}

function pop(builder: Builder, end: number) {
  const { stack, ancestors, onElement } = builder;
  const { element } = stack.pop()!;
  ancestors.pop();
  element.to = end;
  if (onElement(element, ancestors)) return;
  const { children } = ancestors.at(-1)!;
  if (children.length < FEED_IMPORT_LIMITS.items) children.push(element);
  else reporterFor(builder)('too_many_tags');
}

function isSameName(one: string, other: string): boolean {
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase());
}

const CAPITAL = /[A-Z]/;

/** Adds each attribute under its name in lower case, and keeps it under its own. */
function withLowerCaseNames(attributes: Map<string, string>): Map<string, string> {
  for (const [key, value] of attributes)
    if (CAPITAL.test(key) && !attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
  return attributes;
}
