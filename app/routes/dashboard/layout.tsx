import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '~/app/theme.css';
import { ColorSchemeScript, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { MetaFunction } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { DoneToast } from '~/app/features/studio/done-toast';
import { RouteProgress } from '~/app/features/studio/route-progress';
import { Shell } from '~/app/features/studio/shell';
import classes from '~/app/features/studio/shell.module.css';
import { StudioProvider } from '~/app/features/studio/studio-context';
import { useSchemeCleanUp } from '~/app/features/studio/use-scheme-clean-up';
import { useStyleNonce } from '~/app/features/studio/use-style-nonce';
import { page } from '~/app/lib/doors.server';
import { useNonce } from '~/app/lib/nonce';
import { ApiProvider } from '~/app/lib/trpc';
import { theme } from '~/app/theme';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { TOAST_LIMITS } from '~/server/limits/player';

/** Who is not logged in is sent to the log-in of their language, and comes back. */
export const loader = page(async ({ api }) => {
  const user = await api.accounts.me();
  const listed = user.creator
    ? await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' })
    : { items: [], total: 0 };
  const products = listed.items.map(({ id, kind, name, cover }) => ({ id, kind, name, picture: cover.webp[96] }));
  return { user, products };
});

export const meta: MetaFunction = () => [{ title: 'Altavoz' }, { name: 'robots', content: 'noindex' }];

/** The studio: the only place below which Mantine, react-query and superjson are loaded. */
export default function StudioLayout() {
  const studio = useLoaderData<typeof loader>();
  const nonce = useNonce();
  const styleNonce = useStyleNonce();
  useSchemeCleanUp();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      <ApiProvider>
        <StudioProvider value={studio}>
          <Shell>
            <Outlet />
          </Shell>
          <DoneToast />
        </StudioProvider>
      </ApiProvider>
      <Notifications
        position="bottom-left"
        autoClose={TOAST_LIMITS.closesAfterMs}
        classNames={{ root: classes.toasts }}
        containerWidth={380}
      />
      <RouteProgress />
    </MantineProvider>
  );
}
