import { MONEY_PATH } from '../../base/account-paths';
import type { Urls } from '../../base/urls';
import { KINDS, type KindName } from '../../domain/products/kinds';

/** Pages of the studio on which a person does what no tool does. They ask for a log-in, and for a click. */

type Episode = { id: number; productId: number; kind: KindName };

/** Its first button publishes. */
export const publishLink = (urls: Urls, { id, productId, kind }: Episode): string =>
  urls.app(`/${KINDS[kind].path}/${productId}/episodes/${id}`);

export const editLink = (urls: Urls, { id, productId, kind }: Episode): string =>
  urls.app(`/${KINDS[kind].path}/${productId}/episodes/edit/${id}`);

export const editionLink = (urls: Urls, id: number): string => urls.app(`/newsletter/${id}`);

export const buyersLink = (urls: Urls, { id, kind }: { id: number; kind: KindName }): string =>
  urls.app(`/${KINDS[kind].path}/${id}/${KINDS[kind].buyers}`);

export const moneyLink = (urls: Urls): string => urls.app(MONEY_PATH);
