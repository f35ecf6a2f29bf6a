import type { Door } from '~/app/lib/doors.server';

/** Why a log-in with another service failed, which its callback names in the address. */
const CODE = /^identity\.[a-z_]+$/;

/** The message for the `notice` of a page's address; null if there is no message for it. */
export function identityNotice({ context, url }: Door): string | null {
  const code = url.searchParams.get('notice') ?? '';
  const text = CODE.test(code) ? context.translate(`errors:${code}`) : '';
  return text.includes(' ') ? text : null;
}

/** Adds the notice to a path. */
export const withNotice = (path: string, code: string) =>
  `${path}${path.includes('?') ? '&' : '?'}notice=${encodeURIComponent(code)}`;
