const clean = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Cuts to so many UTF-16 units, without half a character at the end. */
export function cut(text: string, max: number): string {
  return clean(text)
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}
