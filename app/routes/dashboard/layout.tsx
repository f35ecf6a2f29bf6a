import '@mantine/core/styles.layer.css';
import '~/app/theme.css';
import { ColorSchemeScript, MantineProvider } from '@mantine/core';
import type { MetaFunction } from '@remix-run/node';
import { Toasts } from '~/app/components/toast';
import { openFirstPublish } from '~/app/features/studio/distribution/first-publish.server';
import { ImportResultDialog } from '~/app/features/studio/rss-import/result-dialog';
import { DoneToast } from '~/app/features/studio/studio/done-toast';
import { ListenerFrame, useListenerFrame } from '~/app/features/studio/studio/listener-frame';
import { PlanLimitDialog } from '~/app/features/studio/studio/plan-limit-dialog';
import { RouteProgress } from '~/app/features/studio/studio/route-progress';
import { SessionWatch } from '~/app/features/studio/studio/session-watch';
import { Shell } from '~/app/features/studio/studio/shell';
import { useColorSchemeCleanup } from '~/app/features/studio/studio/use-color-scheme-cleanup';
import { useStyleNonce } from '~/app/features/studio/studio/use-style-nonce';
import { page } from '~/app/lib/doors.server';
import { useNonce } from '~/app/lib/nonce';
import { Outlet, useLoaderData } from '~/app/lib/router';
import { type Studio, StudioProvider } from '~/app/lib/studio-context';
import { theme } from '~/app/theme';
import { needsFirstLogin } from '~/server/domain/accounts/base/rules';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { roleMay } from '~/server/policy/roles';

/** Redirects visitors to the login page, which leads back here. */
export const loader = page(async (door): Promise<Studio> => {
  const { api } = door;
  const [user, workplaces, announcements] = await Promise.all([
    api.accounts.me(),
    api.team.workplaces(),
    api.announcements.current(),
  ]);
  const list = user.creator
    ? await api.products.list({ pageSize: PAGE_LIMITS.maxSize, ordering: 'name' })
    : { items: [], total: 0 };
  if (roleMay(user.role, 'product.manage')) openFirstPublish(door, list.items);
  const products = list.items.map(({ id, kind, name, cover }) => ({ id, kind, name, picture: cover.webp[96] }));
  const { convertsAudio, transcribes } = door.context.settings;
  const { inboxUrl } = door.context;
  const verification = user.isEmailVerified ? null : { inboxUrl, waiting: await api.episodes.keptReleases() };
  return { user, workplaces, products, announcements, verification, convertsAudio, transcribes };
});

export const meta: MetaFunction = () => [{ title: 'Altavoz' }, { name: 'robots', content: 'noindex' }];

/** The studio's layout. Only routes below it load Mantine. */
export default function StudioLayout() {
  const studio = useLoaderData<typeof loader>();
  const nonce = useNonce();
  const styleNonce = useStyleNonce();
  useColorSchemeCleanup();
  const Frame = useListenerFrame(studio) ? ListenerFrame : Shell;
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      <StudioProvider value={studio}>
        {needsFirstLogin(studio.user) ? (
          <Outlet />
        ) : (
          <Frame>
            <Outlet />
          </Frame>
        )}
        <DoneToast />
        <SessionWatch />
        <PlanLimitDialog />
        <ImportResultDialog />
      </StudioProvider>
      <Toasts />
      <RouteProgress />
    </MantineProvider>
  );
}
