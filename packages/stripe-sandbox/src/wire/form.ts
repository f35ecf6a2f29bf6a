/** A form value: text, or a group of named values. A list is a group with numbers as names. */
export type Raw = string | RawGroup;
export type RawGroup = { [name: string]: Raw };

const MAX_DEPTH = 10;

/** Decodes `items[0][price]=x&expand[]=y` into nested groups. */
export function decodeForm(text: string): RawGroup {
  const root: RawGroup = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name);
    if (path.length <= MAX_DEPTH) assign(root, path, value);
  }
  return root;
}

/** A group with only numeric names as a list; null for anything else. */
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

function assign(group: RawGroup, [first = '', ...rest]: string[], value: string): void {
  const key = first === '' ? String(Object.keys(group).length) : first;
  if (rest.length === 0) {
    group[key] = value;
    return;
  }
  const inner = group[key];
  const next = typeof inner === 'object' ? inner : (Object.create(null) as RawGroup);
  group[key] = next;
  assign(next, rest, value);
}

/** A canonical form: requests that differ only in the order of parameters are equal. */
export function canonicalForm(value: Raw | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalForm(value[name])}`).join(',')}}`;
}
