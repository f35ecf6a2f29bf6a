import { FEED_IMPORT_LIMITS } from '../../limits/rss-import';
import { decodeEntities } from './entities';
import type { Fault } from './faults';
import { canonicalName, emptyScope, type NameFault, type Scope, scopeOf } from './namespaces';
import { type ScanHandler, type StartTag, scan } from './scanner';

export type Element = {
  /** Canonical: lower case, with the usual prefix of its namespace (`itunes:image`). */
  name: string;
  /** Names in lower case, values with entities decoded. */
  attributes: Map<string, string>;
  children: Element[];
  /** The first `count` children by their names, once one was looked up. */
  named: { byName: Map<string, Element[]>; count: number } | null;
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
  source: string;
  /** Open elements, the root first. */
  stack: OpenElement[];
  /** The elements of the stack. */
  ancestors: Element[];
  report: (kind: Irregularity) => void;
  /** Number of open elements below the maximum depth. */
  tooDeep: number;
  guessing: boolean;
  onElement: OnElement;
};

function buildTree(source: string, guessing: boolean, onElement: OnElement = () => false): Tree {
  const root = newElement('', new Map(), 0);
  root.to = source.length;
  const stack = [{ element: root, rawName: '', scope: emptyScope() }];
  const irregularities = new Map<Irregularity, number>();
  const report = reporterFor(irregularities);
  const builder = { source, stack, ancestors: [root], report, tooDeep: 0, guessing, onElement };
  scan(source, handlerFor(builder), { limits: FEED_IMPORT_LIMITS, guessing });
  while (stack.length > 1) closeUnclosed(builder, source.length);
  return { root, irregularities };
}

function handlerFor(builder: Builder): ScanHandler {
  const { stack, report } = builder;
  return {
    fault: report,
    current: () => stack[stack.length - 1]!.rawName,
    text(value) {
      const { element } = stack[stack.length - 1]!;
      if (element.text.length + value.length <= FEED_IMPORT_LIMITS.text) element.text += value;
      else addLongText(builder, element, value);
    },
    open(tag, { start, end }) {
      if (stack.length > FEED_IMPORT_LIMITS.depth) {
        builder.tooDeep += 1;
        return report('too_deep');
      }
      const scope = scopeIn(builder, tag);
      const element = newElement(canonicalName(tag.name, scope, report), tag.attributes, end);
      if (builder.guessing) closeMissing(builder, element.name, start);
      stack.push({ element, rawName: tag.name, scope });
      builder.ancestors.push(element);
    },
    // most elements contain only text and never become the innermost open one
    leaf(tag, { start, end }) {
      if (builder.guessing || stack.length > FEED_IMPORT_LIMITS.depth) return false;
      const name = canonicalName(tag.name, scopeIn(builder, tag), report);
      const text = decodeEntities(builder.source.slice(start, end), report);
      keep(builder, {
        name,
        attributes: tag.attributes,
        children: NO_CHILDREN,
        named: null,
        text,
        from: start,
        to: end,
      });
      return true;
    },
    close: (rawName, start) => closeElement(builder, rawName, start),
  };
}

function addLongText({ report }: Builder, element: Element, value: string) {
  report('text_too_long');
  if (element.text.length < FEED_IMPORT_LIMITS.text) element.text += value.slice(0, FEED_IMPORT_LIMITS.text);
}

/** The scope inside an element with this tag, whose attributes it completes. */
function scopeIn({ stack, report }: Builder, tag: StartTag): Scope {
  const { scope } = stack[stack.length - 1]!;
  if (tag.plain) return scope;
  const inner = scopeOf(scope, tag.attributes, report);
  addLowerCaseNames(tag.attributes);
  tag.plain = inner === scope;
  return inner;
}

/** Shared by all elements that never become a parent. */
const NO_CHILDREN: Element[] = [];

function newElement(name: string, attributes: Map<string, string>, at: number): Element {
  return { name, attributes, children: [], named: null, text: '', from: at, to: at };
}

function reporterFor(irregularities: Map<Irregularity, number>): (kind: Irregularity) => void {
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
  const top = stack.length - 1;
  const index =
    top > 0 && stack[top]!.rawName === rawName ? top : stack.findLastIndex((open) => isSameName(open.rawName, rawName));
  if (index <= 0) return builder.report('stray_end_tag');
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
  builder.report('unclosed_element');
  pop(builder, at);
}

function pop(builder: Builder, end: number) {
  const { element } = builder.stack.pop()!;
  builder.ancestors.pop();
  element.to = end;
  keep(builder, element);
}

/** Adds an element to the innermost open one, unless it was all that was wanted of it. */
function keep(builder: Builder, element: Element) {
  const { ancestors, onElement } = builder;
  if (onElement(element, ancestors)) return;
  const { children } = ancestors[ancestors.length - 1]!;
  if (children.length < FEED_IMPORT_LIMITS.items) children.push(element);
  else builder.report('too_many_tags');
}

function isSameName(one: string, other: string): boolean {
  return one === other || (one.length === other.length && one.toLowerCase() === other.toLowerCase());
}

const CAPITAL = /[A-Z]/;

/** Adds each attribute under its name in lower case, and keeps it under its own. */
function addLowerCaseNames(attributes: Map<string, string>) {
  for (const [key, value] of attributes)
    if (CAPITAL.test(key) && !attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
}
