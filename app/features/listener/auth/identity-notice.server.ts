import type { Door } from '~/app/lib/doors.server';

/** The reason for a failed log-in with another service, which its callback adds to the URL. */
const CODE = /^identity\.[a-z_]+$/;

/** The message for the URL's `notice`; null if no message matches. */
export function identityNotice({ context, url }: Door): string | null {
  const code = url.searchParams.get('notice') ?? '';
  const text = CODE.test(code) ? context.translate(`errors:${code}`) : '';
  return text.includes(' ') ? text : null;
}

/** Adds the notice to a path. */
export const withNotice = (path: string, code: string) =>
  `${path}${path.includes('?') ? '&' : '?'}notice=${encodeURIComponent(code)}`;
