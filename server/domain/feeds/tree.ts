import { LIMITS } from '../../limits';
import { canonicalName, NO_SCOPE, type Scope, scopeOf, type Wording } from './namespaces';
import { type Fault, scan } from './scanning';

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

function build(source: string, guessing: boolean, onElement: OnElement = () => false): Tree {
  const irregularities = new Map<Irregularity, number>();
  const note = (kind: Irregularity) => void irregularities.set(kind, (irregularities.get(kind) ?? 0) + 1);
  const root: Element = { name: '', attributes: new Map(), children: [], text: '', from: 0, to: source.length };
  const stack: Open[] = [{ element: root, raw: '', scope: NO_SCOPE }];
  const above: Element[] = [root];
  let tooDeep = 0;

  function pop(end: number) {
    const { element } = stack.pop()!;
    above.pop();
    element.to = end;
    if (onElement(element, above)) return;
    const { children } = above.at(-1)!;
    if (children.length < LIMITS.feedImport.items) children.push(element);
    else note('too_many_tags');
  }

  function endMissing(name: string, at: number) {
    const top = stack.at(-1)!.element.name;
    const again = /^(?:item|atom:entry|entry)$/.test(name) && above.findLastIndex((one) => one.name === name);
    if (again && again > 0) while (stack.length > again) close(at);
    else if (FIELD.test(name) && FIELD.test(top) && !HOLDS_FIELDS.test(top)) close(at);
  }

  function close(at: number) {
    note('unclosed_element');
    pop(at);
  }

  scan(
    source,
    {
      fault: note,
      current: () => stack.at(-1)!.raw,
      text(value) {
        const { element } = stack.at(-1)!;
        if (element.text.length + value.length > LIMITS.feedImport.text) note('text_too_long');
        if (element.text.length < LIMITS.feedImport.text) element.text += value.slice(0, LIMITS.feedImport.text);
      },
      open(raw, attributes, start, end) {
        if (stack.length > LIMITS.feedImport.depth) {
          tooDeep += 1;
          return note('too_deep');
        }
        const scope = scopeOf(stack.at(-1)!.scope, attributes, note);
        const name = canonicalName(raw, scope, note);
        if (guessing) endMissing(name, start);
        const element: Element = { name, attributes: lower(attributes), children: [], text: '', from: end, to: end };
        stack.push({ element, raw, scope });
        above.push(element);
      },
      close(raw, start) {
        if (tooDeep > 0) {
          tooDeep -= 1;
          return;
        }
        const found = stack.findLastIndex((one) => sameName(one.raw, raw));
        if (found <= 0) return note('stray_end_tag');
        while (stack.length > found + 1) close(start);
        pop(start);
      },
    },
    LIMITS.feedImport,
    guessing,
  );
  while (stack.length > 1) close(source.length);
  return { root, irregularities };
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
