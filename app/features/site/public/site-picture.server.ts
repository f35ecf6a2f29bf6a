import type { Door } from '~/app/lib/doors.server';
import type { PageMetadata } from './page-meta';

/** The picture for links to a page of the site. `path`: the page's, with its language. */
export async function sitePictureOf({ api, context }: Door, path: string): Promise<PageMetadata['image']> {
  const picture = await api.pages.sitePicture({ path });
  return picture && { url: context.urls.app(picture.path), alt: picture.alt, isWide: true };
}
