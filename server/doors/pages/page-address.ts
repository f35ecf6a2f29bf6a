import { embedOfPath, pageOfPath } from '../../base/public-paths';
import type { Urls } from '../../base/urls';
import type { EmbedTarget } from '../../domain/pages/oembed';
import { decideSite, type HostRules, hostName } from '../../http/host';
import { ADDRESS_LIMITS } from '../../limits/addresses';

/** A creator's page, the page of a show or an episode, or a player by its id. */
export type PublicAddress = EmbedTarget | { domain: string; slug?: string; episodeSlug?: string };

/** Reads addresses of public pages, on every host that serves them, or paths on the app's host: null for others. */
export function addressReader({ settings }: Urls): (text: string) => PublicAddress | null {
  const rules: HostRules = { ...settings, allowsUnprefixedHosts: true, trustProxy: false };
  return (text) => {
    const url = text.startsWith('/') ? settings.appUrl + text : text;
    return isWebUrl(url) ? addressOf(rules, new URL(url)) : null;
  };
}

export function isWebUrl(text: string): boolean {
  return text.length <= ADDRESS_LIMITS.urlLength && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function addressOf(rules: HostRules, { host, pathname }: URL, redirects = 0): PublicAddress | null {
  const site = decideSite(rules, { host: hostName(host), method: 'GET', url: pathname });
  if (site.kind === 'redirect') return redirects < 2 ? addressOf(rules, new URL(site.to), redirects + 1) : null;
  if (site.kind === 'app') return embedOfPath(pathname);
  if (site.kind !== 'creator') return null;
  const page = site.path === '/' ? {} : pageOfPath(site.path);
  return page && { domain: site.domain, ...page };
}
