import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '~/locales/languages';
import { writtenHost } from '../../http/host';
import { acceptedLanguage } from '../../http/language';

const MAX_ADDRESSES = 5000;

/**
 * Remembers what a door found for an address, because most requests repeat: by the browser's language, host and URL. A
 * single key would have to be built for each request. The host is kept as the client wrote it, because only this text
 * was found valid.
 */
export function createKnownAddresses<T>(trustProxy: boolean) {
  const byLanguage = new Map<Language | null, Map<string, Map<string, T>>>();
  let size = 0;
  return {
    find: (headers: IncomingHttpHeaders, url: string): T | undefined =>
      byLanguage.get(acceptedLanguage(headers['accept-language']))?.get(writtenHost(headers, trustProxy))?.get(url),

    add(headers: IncomingHttpHeaders, url: string, found: T): void {
      if (size >= MAX_ADDRESSES) {
        byLanguage.clear();
        size = 0;
      }
      const language = acceptedLanguage(headers['accept-language']);
      const host = writtenHost(headers, trustProxy);
      const byHost = byLanguage.get(language) ?? new Map<string, Map<string, T>>();
      const byUrl = byHost.get(host) ?? new Map<string, T>();
      byLanguage.set(language, byHost.set(host, byUrl.set(url, found)));
      size += 1;
    },
  };
}
