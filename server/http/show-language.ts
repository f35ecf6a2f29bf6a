import { isLanguage } from '~/locales/languages';
import { lookupPageLanguage } from '../domain/pages/find-page';
import { slugOfPagePath } from '../public-paths';
import type { Runtime } from '../runtime';
import type { RequestContext } from './request-context';

/** The request in the language of the show that it is about, if nothing else says which language the visitor reads. */
export async function inShowLanguage(runtime: Pick<Runtime, 'db'>, request: RequestContext): Promise<RequestContext> {
  const { site, usesShowLanguage } = request;
  if (site.kind !== 'creator' || !usesShowLanguage) return request;
  const tag = await lookupPageLanguage(runtime, { domain: site.domain, slug: slugOfPagePath(site.path) ?? undefined });
  const language = tag?.toLowerCase().split('-', 1)[0];
  return isLanguage(language) ? { ...request, language } : request;
}
