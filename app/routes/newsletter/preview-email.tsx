import { versionIn } from '~/app/features/studio/newsletter/edition-steps';
import { file } from '~/app/lib/doors.server';
import { parseId } from '~/app/lib/route-refs';

/**
 * Nothing but inline styles and our own pictures: the document of an email runs no scripts and sends no forms. Our page may
 * measure it, to show it in full.
 */
const policyOf = (pictures: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src ${pictures}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin`;

/** The HTML of an email, for the frame of the preview. `scheme=dark` shows it as in a dark mailbox. */
export const loader = file(async ({ api, context, params, url }) => {
  const part = url.searchParams.get('part') === 'paid' ? 'paid' : 'free';
  const { html } = await api.editions.preview({ id: parseId(params.id), part, ...versionIn(url) });
  const isDark = url.searchParams.get('scheme') === 'dark';
  return new Response(isDark ? inDarkMailbox(html) : inLightMailbox(html), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(
        url.searchParams.get('pictures') === 'off' ? "'none'" : new URL(context.urls.media('/')).origin,
      ),
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
    },
  });
});

/** The reader's own colour scheme must not decide, so the media query becomes one that always, or never, holds. */
const DARK = /\(prefers-color-scheme:\s*dark\)/g;
const inDarkMailbox = (html: string) => html.replace(DARK, '(min-width:1px)');
const inLightMailbox = (html: string) => html.replace(DARK, '(max-width:0px)');
