import { ARCHIVE_PATH, clickedPath, editionPath, openedPath } from '../../base/public-paths';
import type { Ctx } from '../../runtime/ctx';

type Urls = Pick<Ctx, 'urls'>;

/** The page of an edition in the archive; without a slug, which it gets when it is sent, the archive. */
export const editionUrl = ({ urls }: Urls, domain: string, slug: string | null): string =>
  urls.creator(domain, slug === null ? ARCHIVE_PATH : editionPath(slug));

export const openUrl = ({ urls }: Urls, editionId: number): string => urls.app(openedPath(editionId));

export const clickUrl = ({ urls }: Urls, editionId: number, position: number): string =>
  urls.app(clickedPath(editionId, position));
