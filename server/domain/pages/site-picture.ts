import { LANGUAGES, type Language } from '~/locales/languages';
import { titledPageAt } from '../../content/paths';
import type { Ctx } from '../../runtime/ctx';
import { lookupTextAt } from '../content/site-texts';
import { type SitePicture, sitePictureHash } from '../media/site-pictures';
import type { FindSitePicture } from './schema';

type Reader = Pick<Ctx, 'content' | 'now' | 'settings' | 'translate'>;

/**
 * The picture for links to a page of the site: its path on the app's host, and the words that replace it. The path
 * contains a hash of the content, so caches can keep the picture forever. Null if the site has no such page.
 */
export async function sitePicture(ctx: Reader, { path }: FindSitePicture) {
  const found = await lookupSitePicture(ctx, path);
  if (!found) return null;
  const alt = ctx.translate('content:picture.alt', { title: found.title }, languageAt(path) ?? undefined);
  return { path: sitePicturePath(path, found), alt };
}

export const sitePicturePath = (path: string, picture: SitePicture): string =>
  `/share/site${path}/${sitePictureHash(picture)}.png`;

/** Of the page at a path that begins with its language; null if the site has no such page. */
export async function lookupSitePicture(ctx: Reader, path: string): Promise<SitePicture | null> {
  const language = languageAt(path);
  if (!language) return null;
  const t = (name: string) => ctx.translate(`content:picture.${name}`, {}, language);
  const page = titledPageAt(path);
  if (page) return { title: t(page), section: null };
  const text = await lookupTextAt(ctx, path);
  if (!text) return null;
  const { collection, data } = text;
  return { title: data.title, section: collection === 'pages' ? null : t(`of.${collection}`) };
}

const languageAt = (path: string): Language | null =>
  LANGUAGES.find((each) => path === `/${each}` || path.startsWith(`/${each}/`)) ?? null;
