/** Engines name a language as `es`, `es-419` or `spanish`. Null for anything else. */
export function languageCode(name: string | null | undefined): string | null {
  const lower = (name ?? '').trim().toLowerCase();
  if (/^[a-z]{2}(?:[-_]\w{1,8})*$/.test(lower)) return lower.slice(0, 2);
  codes ??= new Map(allCodes().flatMap((code) => namesOf(code).map((known) => [known, code] as const)));
  return codes.get(lower) ?? null;
}

let codes: Map<string, string> | null = null;

const allCodes = (): string[] => LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function namesOf(code: string): string[] {
  const name = NAMES.of(code)?.toLowerCase();
  return name ? [name] : [];
}
