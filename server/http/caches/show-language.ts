import type { Database } from '~/db/client';
import { isLanguage } from '~/locales/languages';
import { slugOfPagePath } from '../../base/public-paths';
import { lookupPageLanguage } from '../../domain/pages/find-page';
import { CACHE_LIMITS } from '../../limits/http';
import type { RequestContext } from '../request-context';
import { type RecentRows, recentRows } from './recent-rows';

/** Language tags of shows, by `domain/slug`. Neither part has a slash. */
export type ShowLanguages = RecentRows<string, string>;

export function createShowLanguages(db: Database): ShowLanguages {
  const { languages: max, languageKeptFor: ttl } = CACHE_LIMITS;
  return recentRows(
    (address) => {
      const [domain, slug] = address.split('/') as [string, string];
      return lookupPageLanguage({ db }, { domain, slug: slug || undefined });
    },
    { max, ttl },
  );
}

/** The request in the language of its show, unless the request itself states the visitor's language. */
export async function inShowLanguage(languages: ShowLanguages, request: RequestContext): Promise<RequestContext> {
  const { site, usesShowLanguage } = request;
  if (site.kind !== 'creator' || !usesShowLanguage) return request;
  const tag = await languages.find(`${site.domain}/${slugOfPagePath(site.path) ?? ''}`);
  const language = tag?.toLowerCase().split('-', 1)[0];
  return isLanguage(language) ? { ...request, language } : request;
}
