import { LRUCache } from 'lru-cache';
import { drawSitePicture, type SitePicture } from '../../domain/media/site-pictures';
import { lookupSitePicture, sitePicturePath } from '../../domain/pages/site-picture';
import type { App } from '../../http/app-env';
import { FILE_HEADERS } from '../../http/security';
import { SITE_PICTURE } from '../../limits/media';
import { type Runtime, systemCtx } from '../../runtime/runtime';

const FOREVER = {
  ...FILE_HEADERS,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-type': 'image/png',
};
const CURRENT = { ...FILE_HEADERS, 'cache-control': 'no-store' };
/** Instead of a picture while too many pictures are being drawn. */
const LOGO = '/icon-512.png';

/**
 * `/share/site/{path of a page}/{hash}.png`: the picture for links to a page of the site. Only known pages have one, so
 * no address makes it show other words. A former address redirects to the current picture. Pictures are drawn at their
 * first use, in a tenth of a second, and kept in memory: texts change with the files of an installation, and stored
 * pictures of former texts would remain.
 */
export function sitePicturesDoor(runtime: Runtime) {
  const drawn = new LRUCache<string, Buffer, SitePicture>({
    maxSize: SITE_PICTURE.cacheBytes,
    sizeCalculation: (bytes) => bytes.length,
    // concurrent requests wait for the same picture
    fetchMethod: async (_key, _stale, { context }) => (await drawSitePicture(context)) ?? undefined,
  });
  const ctx = systemCtx(runtime, 'site pictures');
  return (app: App): void => {
    app.get('/share/site/:file{.+}', async (c) => {
      const [, path = '', hash = ''] = /^(\/.+)\/([0-9a-f]{16})\.png$/.exec(`/${c.req.param('file')}`) ?? [];
      const picture = hash ? await lookupSitePicture(ctx, path) : null;
      if (!picture) return c.text('Not found.', 404, FILE_HEADERS);
      const current = sitePicturePath(path, picture);
      if (current !== `/share/site${path}/${hash}.png`) return c.body(null, 302, { ...CURRENT, location: current });
      const bytes = await drawn.fetch(hash, { context: picture });
      if (!bytes) return c.body(null, 302, { ...CURRENT, location: LOGO });
      return c.body(new Uint8Array(bytes), 200, FOREVER);
    });
  };
}
