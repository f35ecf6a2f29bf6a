import fs from 'node:fs/promises';
import { PICTURES_PATH } from '../../content/paths';
import type { App } from '../../http/app-env';
import { FILE_HEADERS } from '../../http/security';
import type { Runtime } from '../../runtime/runtime';

const TYPES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif' };

/** `/content-pictures/{name}`: the pictures of the site's texts. Only files that were read as pictures are served. */
export function contentPicturesDoor({ content }: Pick<Runtime, 'content'>) {
  return (app: App): void => {
    app.get(`${PICTURES_PATH}/:name`, async (c) => {
      const { pictures } = await content.library();
      const picture = pictures.get(c.req.param('name'));
      // it may have been deleted since
      const bytes = picture && (await fs.readFile(picture.file).catch(() => null));
      if (!picture || !bytes) return c.text('Not found.', 404, FILE_HEADERS);
      const type = TYPES[picture.name.slice(picture.name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      return c.body(new Uint8Array(bytes), 200, {
        ...FILE_HEADERS,
        'content-type': type,
        'cache-control': 'public, max-age=300',
      });
    });
  };
}
