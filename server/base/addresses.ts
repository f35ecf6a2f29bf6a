const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The address in its usual spelling; null for schemes other than http and https, which could run a script. */
export function webUrl(text: string, max: number): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { href } = new URL(text);
  return href.length <= max ? href : null;
}

/** Whether a slug can be stored as it is. */
export const isSlug = (slug: string): boolean => SLUG.test(slug);

/** Derives a slug: `Él y ella: 2ª parte` → `el-y-ella-2a-parte`. Empty if no character is usable. */
export function slugFrom(name: string, max: number): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replace(/^-+|-+$/g, '');
}

/** `bounces@altavoz.example` → `bounces+tag@altavoz.example` */
export const withTag = (email: string, tag: string): string => email.replace('@', `+${tag}@`);
