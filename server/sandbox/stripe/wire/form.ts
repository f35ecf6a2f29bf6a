/** What a form can say: text, lists and nested groups of text. */
export type Raw = string | Raw[] | { [name: string]: Raw };
export type RawGroup = { [name: string]: Raw };

const DEEPEST = 10;

/** Decodes `items[0][price]=x&expand[]=y` into groups and lists; groups whose names are all numbers are lists. */
export function decodeForm(text: string): RawGroup {
  const root: RawGroup = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (path.length <= DEEPEST) place(root, path, value);
  }
  return listsOf(root) as RawGroup;
}

function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open === -1) return [name];
  return [name.slice(0, open), ...[...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
}

function place(group: RawGroup, [first = '', ...rest]: string[], value: string): void {
  const key = first === '' ? String(Object.keys(group).length) : first;
  if (rest.length === 0) {
    group[key] = value;
    return;
  }
  const inner = group[key];
  const next = typeof inner === 'object' ? (inner as RawGroup) : (Object.create(null) as RawGroup);
  group[key] = next;
  place(next, rest, value);
}

function listsOf(value: Raw): Raw {
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, listsOf(inner)] as const);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
  return Object.fromEntries(entries);
}

/** The same request said in another order is the same request. */
export function canonical(value: Raw | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
