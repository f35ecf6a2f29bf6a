/** What a form can say: text, and groups of text under names (those of a list are numbers). */
export type Raw = string | RawGroup;
export type RawGroup = { [name: string]: Raw };

const DEEPEST = 10;

/** Decodes `items[0][price]=x&expand[]=y` into groups. */
export function decodeForm(text: string): RawGroup {
  const root: RawGroup = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (path.length <= DEEPEST) place(root, path, value);
  }
  return root;
}

/** A group whose names are all numbers, as a list; null for anything else. */
export function listOf(value: Raw | undefined): Raw[] | null {
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value);
  if (!entries.every(([key]) => /^\d+$/.test(key))) return null;
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
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
  const next = typeof inner === 'object' ? inner : (Object.create(null) as RawGroup);
  group[key] = next;
  place(next, rest, value);
}

/** The same request said in another order is the same request. */
export function canonical(value: Raw | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
