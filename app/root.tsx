import './styles/tokens.css';
import './styles/public.css';
import './features/player/player.css';
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { type ReactNode, Suspense } from 'react';
import { PlayerBar } from './features/player/player-bar';
import { ErrorPage } from './features/site/error-page';
import { useSecurityCheck } from './features/site/use-security-check';
import { useNonce } from './lib/nonce';
import { LanguageProvider, TextsElement, useLanguage } from './lib/translation';

/** The display face is not preloaded: on a slow line it would take its turn before the cover, and its fallback is as wide. */
export const links: LinksFunction = () => [{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }];

export const meta: MetaFunction = () => [{ title: 'Altavoz' }];

export function loader({ context }: LoaderFunctionArgs) {
  const { language, site, appUrl, viewer, simulatesPayments } = context;
  const elsewhere = site.kind !== 'app' && !(site.kind === 'creator' && site.form === 'path');
  return { language, appUrl: elsewhere ? appUrl : '', viewer, simulatesPayments };
}

/**
 * Before anything else: tells the style sheet that there is JavaScript, and keeps a press of a play button
 * that comes before the page is alive.
 */
const FIRST_SCRIPT = `document.documentElement.classList.add('js');addEventListener('click',function(e){var b=e.target.closest&&e.target.closest('[data-play]');if(b&&!window.playerAlive)window.earlyPlay=b.dataset.play})`;

/** Also wraps the error page, so it must do without the root's data. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const fallback = useLanguage();
  const language = useRouteLoaderData<typeof loader>('root')?.language ?? fallback;
  return (
    <LanguageProvider value={language}>
      <html lang={language} suppressHydrationWarning>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="theme-color" content="#fbfaf8" media="(prefers-color-scheme: light)" />
          <meta name="theme-color" content="#15131d" media="(prefers-color-scheme: dark)" />
          <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: FIRST_SCRIPT }} />
          <Meta />
          <Links />
        </head>
        <body>
          {children}
          <PlayerBar />
          <TextsElement />
          <ScrollRestoration nonce={nonce} />
          <Scripts nonce={nonce} />
        </body>
      </html>
    </LanguageProvider>
  );
}

export default function App() {
  useSecurityCheck();
  return (
    // texts of a page that is navigated to may still be on their way; a navigation keeps the old page until then
    <Suspense fallback={null}>
      <Outlet />
    </Suspense>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}
