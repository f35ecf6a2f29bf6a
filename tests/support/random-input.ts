import type { z } from 'zod';

type Below = (count: number) => number;
/** The parts of a zod definition that samples need. */
type Definition = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
};

const TEXTS = [
  '',
  ' ',
  'a',
  '\0',
  '\ud800',
  '😀'.repeat(50),
  '\u202e\u0301',
  '<script>',
  "' or 1=1",
  '../../etc',
  '%00',
  'null',
  '-1',
  '1e400',
  '__proto__',
  'a@b.example',
  'https://[::1',
  'http://169.254.169.254/',
  'x'.repeat(5000),
  '2026-02-30',
  '2026-06-01',
  'es',
];
const NUMBERS = [0, -0, 1, -1, 2, 1.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -1e308, 1e-9];
const OTHERS: unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { constructor: 1 },
  { length: 1e9 },
  { toString: 1 },
];

/** Any value, with a preference for those that have broken programs. */
export function hostileValue(below: Below): unknown {
  const values = [TEXTS, NUMBERS, OTHERS][below(3)] ?? TEXTS;
  return values[below(values.length)];
}

/**
 * An input of about the shape that the schema asks for, so that some of it comes past the first check: each part is
 * plausible, hostile or missing.
 * @param ids of existing rows, used for numbers
 */
export function randomInput(schema: z.ZodType | undefined, ids: number[], below: Below): unknown {
  if (!schema || below(12) === 0) return hostileValue(below);
  const definition = (schema as unknown as { _zod: { def: Definition } })._zod.def;
  const again = (inner: z.ZodType | undefined) => randomInput(inner, ids, below);
  switch (definition.type) {
    case 'object': {
      const kept = Object.entries(definition.shape ?? {}).filter(() => below(8) > 0);
      return Object.fromEntries(kept.map(([name, field]) => [name, again(field)]));
    }
    case 'array':
      return Array.from({ length: below(4) }, () => again(definition.element));
    case 'union':
      return again(definition.options?.[below(definition.options.length)]);
    case 'enum':
      return Object.values(definition.entries ?? {})[below(Object.keys(definition.entries ?? {}).length)];
    case 'literal':
      return definition.values?.[0];
    case 'boolean':
      return below(2) === 0;
    case 'number':
      return below(3) ? ids[below(ids.length)] : NUMBERS[below(NUMBERS.length)];
    case 'string':
      return TEXTS[below(TEXTS.length)];
    case 'pipe':
      return again(typeOf(definition.in) === 'transform' ? definition.out : definition.in);
    default:
      return definition.innerType ? again(definition.innerType) : hostileValue(below);
  }
}

const typeOf = (schema: z.ZodType | undefined) =>
  (schema as unknown as { _zod: { def: Definition } } | undefined)?._zod.def.type;
