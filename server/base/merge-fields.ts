/** Text that is the same for all, and fields with the text for recipients without a value. */
export type MergeSegment = string | { field: string; fallback: string };

/** A fallback is in one line and contains no tags, so that a field never replaces what is between two elements. */
const FIELD = /\{\{\s*([a-z][a-z0-9_]*)\s*(?:\|([^{}<>\n]{0,100}))?\}\}/gi;

/**
 * Splits `Hello {{name|friend}}!` at the fields in `names`. Values are inserted into the segments, so that a value that
 * looks like a field is never expanded.
 */
export function splitAtFields(template: string, names: readonly string[]): MergeSegment[] {
  const segments: MergeSegment[] = [];
  let end = 0;
  for (const match of template.matchAll(FIELD)) {
    const field = match[1]!.toLowerCase();
    if (!names.includes(field)) continue;
    if (match.index > end) segments.push(template.slice(end, match.index));
    segments.push({ field, fallback: match[2]?.trim() ?? '' });
    end = match.index + match[0].length;
  }
  if (end < template.length) segments.push(template.slice(end));
  return segments;
}

/** A line break in a value could start another header or paragraph. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** @param escapeValue is applied to values only: the template, and with it the fallback, already has the right form */
export function fillSegment(
  { field, fallback }: Exclude<MergeSegment, string>,
  values: Readonly<Record<string, string>>,
  escapeValue: (value: string) => string,
): string {
  const value = Object.hasOwn(values, field) ? values[field]!.replace(BREAKS, ' ').trim() : '';
  return value === '' ? fallback : escapeValue(value);
}
