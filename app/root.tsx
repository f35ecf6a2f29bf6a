import './styles/tokens.css';
import './styles/public.css';
import './features/listener/player/player.css';
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { type ReactNode, Suspense } from 'react';
import { Links, Meta, Outlet, ScrollRestoration, useLocation, useRouteError } from '~/app/lib/router';
import { localeOf } from '~/server/base/formats';
import { CREATOR_PREVIEW_PATH } from '~/server/base/public-paths';
import { PlayerBar } from './features/listener/player/player-bar';
import { CreatorErrorPage, creatorOfError } from './features/site/public/creator-error-page';
import { ErrorPage, OfflinePage, useProblem } from './features/site/site/error-page';
import { LazyTracking } from './features/site/site/lazy-tracking';
import { OfflineLinks } from './features/site/site/offline-links';
import { useSecurityCheck } from './features/site/site/use-security-check';
import { assertStays } from './lib/doors.server';
import { FirstScript, PageScripts } from './lib/first-script';
import { useNonce } from './lib/nonce';
import { usePreloadedRoutes } from './lib/preload-routes';
import { type RootData, useRootData } from './lib/root-data';
import { pathInLanguage } from './lib/site-paths';
import { StructuredData } from './lib/structured-data';
import { EmbeddedTexts, LanguageProvider, LocaleProvider, useLanguage } from './lib/translation';

/**
 * No page preloads the display font: it would delay the cover, and headings are first painted in a fallback of the same
 * width (entry.first.ts).
 */
export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/icon-180.png' },
];

export const meta: MetaFunction = () => [{ title: 'Altavoz' }];

export function loader({ context }: LoaderFunctionArgs): RootData {
  assertStays(context);
  const { language, locale, site, appUrl, viewer, simulatesPayments, preparesDemo, gtmId, settings } = context;
  const isOtherHost = site.kind !== 'app' && !(site.kind === 'creator' && site.form === 'path');
  const { chat } = settings;
  const services = (gtmId || chat) && { services: { gtmId: gtmId ?? null, chat } };
  const notices = { simulatesPayments, ...(preparesDemo && { preparesDemo }) };
  return {
    language,
    ...(locale !== localeOf(language) && { locale }),
    ...(isOtherHost ? { appUrl, origin: context.origin } : { appUrl: '' }),
    viewer,
    ...notices,
    ...services,
  };
}

/** Also wraps the error page, where the root's data may be missing. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const fallback = useLanguage();
  const data = useRootData();
  const language = data?.language ?? fallback;
  // only the app's host can be installed as an app; creators' hosts are their pages
  const isOnApp = data?.appUrl === '';
  // the preview is a frame that runs no scripts
  const isPreview = useLocation().pathname.endsWith(CREATOR_PREVIEW_PATH);
  return (
    <LanguageProvider value={language}>
      <LocaleProvider value={data?.locale ?? null}>
        <html lang={language} suppressHydrationWarning>
          <head>
            <meta charSet="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
            <meta name="theme-color" content="#fbfaf8" media="(prefers-color-scheme: light)" />
            <meta name="theme-color" content="#15131d" media="(prefers-color-scheme: dark)" />
            {!isPreview && <FirstScript />}
            {isOnApp && <link rel="manifest" href={pathInLanguage('/manifest.webmanifest', language)} />}
            <Head />
            <Links />
          </head>
          <body>
            {children}
            {!isPreview && <Scripted nonce={nonce} />}
          </body>
        </html>
      </LocaleProvider>
    </LanguageProvider>
  );
}

/** Components that need JavaScript, and the scripts. */
function Scripted({ nonce }: { nonce: string | undefined }) {
  return (
    <>
      <OfflineLinks />
      <PlayerBar />
      <LazyTracking />
      <StructuredData />
      <EmbeddedTexts />
      <ScrollRestoration nonce={nonce} />
      <PageScripts />
    </>
  );
}

export default function App() {
  useSecurityCheck();
  usePreloadedRoutes();
  return (
    // the texts of the next page may still be loading; a navigation keeps the old page until then
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  );
}

/** The page's own title and links, or the title of the error page. */
function Head() {
  const error = useRouteError();
  return error ? <ErrorHead error={error} /> : <Meta />;
}

function ErrorHead({ error }: { error: unknown }) {
  const { title } = useProblem(error);
  return (
    <>
      <title>{`${title} · Altavoz`}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const { status, isOffline } = useProblem(error);
  if (isOffline) return <OfflinePage />;
  const creator = creatorOfError(error);
  return creator ? <CreatorErrorPage status={status} creator={creator} /> : <ErrorPage status={status} />;
}
