/** Attributes of a creator's own text, whose language and direction differ from the page's. */
export function inLanguage(language: string): { lang: string | undefined; dir: 'auto' } {
  return { lang: language || undefined, dir: 'auto' };
}
