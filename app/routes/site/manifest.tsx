import type { LoaderFunctionArgs } from '@remix-run/node';
import { pathsFor } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';

const ICONS = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** The web app manifest of the app's own host, in the language of its address. */
export function loader({ context, request }: LoaderFunctionArgs): Response {
  const t = translator(context.language, 'common');
  const { home } = pathsFor(new URL(request.url));
  const manifest = {
    id: '/',
    name: t('manifest.name'),
    short_name: 'Altavoz',
    description: t('manifest.description'),
    lang: context.language,
    start_url: home,
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf8',
    theme_color: '#fbfaf8',
    icons: ICONS,
    shortcuts: [{ name: translator(context.language, 'saved')('title'), url: `${home === '/' ? '' : home}/saved` }],
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
