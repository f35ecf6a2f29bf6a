import { html } from 'hono/html';
import type { JsonSchema } from '../../rest/openapi';
import type { Html, Text } from './docs-shell';

type Shown = Html | string;
const LIST = /List$/;

/** The rows of an object's fields, with their types in words. `required`: those that a request needs. */
export function fieldTable({ properties = {}, required = [] }: JsonSchema, t: Text): Html {
  return html`<table class="fields">${Object.entries(properties).map(
    ([name, schema]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${withValues(html`${typeOf(schema, t)}${required.includes(name) ? `, ${t('required')}` : ''}`, schema)}</td></tr>`,
  )}</table>`;
}

/** Long lists of values are closed at first. */
const withValues = (text: Html, { description }: JsonSchema): Html =>
  typeof description === 'string'
    ? html`<details><summary>${text}</summary><span lang="en">${description}</span></details>`
    : text;

/** The types and values of a schema, with links to the objects that it names. */
export function typeOf(schema: JsonSchema, t: Text): Shown {
  if (schema.$ref) return objectLink(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1), t);
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
  if (schema.enum)
    return withOr(
      schema.enum.map((value) => html`<code>${value}</code>`),
      t,
    );
  if (schema.anyOf) return withOr(unique(schema.anyOf.map((each) => typeOf(each, t))), t);
  if (Array.isArray(schema.type))
    return withOr(
      schema.type.map((type) => typeOf({ ...schema, type }, t)),
      t,
    );
  if (schema.items) return html`${t('type.list')} ${typeOf(schema.items, t)}`;
  if (schema.type === 'null') return html`<code>null</code>`;
  if (Object.keys(schema.properties ?? {}).length > 0) return objectOf(schema, t);
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties.type)
    return html`${t('type.map')} ${typeOf(schema.additionalProperties, t)}`;
  return [formatOf(schema, t) || t(`type.${schema.type ?? 'anything'}`), ...boundsOf(schema, t)]
    .filter(Boolean)
    .join(', ');
}

/** A link to an object: `list of Episode` for the page of a list. */
export function objectLink(name: string, t: Text): Shown {
  return LIST.test(name) ? html`${t('type.list')} ${linkTo(name.replace(LIST, ''))}` : linkTo(name);
}

const linkTo = (name: string) => html`<a href="#${name}"><code>${name}</code></a>`;

function objectOf({ properties = {} }: JsonSchema, t: Text): Html {
  const inside = Object.entries(properties).map(
    ([name, schema], i) => html`${i === 0 ? '' : '; '}<code>${name}</code>: ${typeOf(schema, t)}`,
  );
  return html`{ ${inside} }`;
}

function formatOf({ format, pattern }: JsonSchema, t: Text): string {
  if (format) return t(`format.${format}`);
  return typeof pattern === 'string' && pattern in PATTERNS ? (PATTERNS[pattern] as string) : '';
}

/** Forms that people know, by the pattern that checks them. */
const PATTERNS: Record<string, string> = {
  '^20\\d{2}-(?:0[1-9]|1[0-2])$': 'YYYY-MM',
  '^[A-Z]{2}$': 'ES, MX, US…',
};

const SAFE = Number.MAX_SAFE_INTEGER;

function boundsOf({ maxLength, minimum, maximum, default: usual }: JsonSchema, t: Text): string[] {
  const isBound = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < SAFE;
  return [
    isBound(maxLength) ? t('bound.characters').replace('…', String(maxLength)) : '',
    isBound(minimum) ? t('bound.least').replace('…', String(minimum)) : '',
    isBound(maximum) ? t('bound.most').replace('…', String(maximum)) : '',
    usual === undefined || usual === null || typeof usual === 'object' ? '' : `${t('usual')} ${JSON.stringify(usual)}`,
  ];
}

const unique = (shown: Shown[]) =>
  shown.filter((each, i) => shown.findIndex((other) => String(other) === String(each)) === i);

/** `a, b or c`. */
function withOr(shown: Shown[], t: Text): Shown {
  return html`${shown.map((each, i) => html`${i === 0 ? '' : i === shown.length - 1 ? ` ${t('or')} ` : ', '}${each}`)}`;
}
