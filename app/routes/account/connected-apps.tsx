import { Section } from '~/app/components/page-header';
import classes from '~/app/features/listener/account/settings.module.css';
import { ConnectedApp } from '~/app/features/listener/apps/connected-app';
import { DeveloperTabs } from '~/app/features/studio/developers/developer-tabs';
import { withDoneMessage } from '~/app/lib/done-message';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useMay } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The apps that are connected to the creator. */
export const loader = page(async ({ api, context }) => ({
  connections: await api.apps.connections(),
  address: context.urls.app('/mcp'),
  title: translator(context.language, 'apps')('title'),
}));

export const action = form(
  sectionAction({
    disconnect: async ({ api }, values) => {
      await api.apps.disconnect(values as never);
      return 'app_disconnected';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).connectedApps, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ConnectedApps() {
  const { t } = useTranslation('apps');
  const may = useMay();
  const { connections, address } = useLoaderData<typeof loader>();
  return (
    <div className={classes.sections}>
      {may('creator.manageKeys') && (
        <div>
          <DeveloperTabs />
        </div>
      )}
      <Section title={t('title')}>
        <p className={classes.fact}>{t('lead')}</p>
        {connections.length === 0 ? (
          <p>
            {t('none')} <code>{address}</code>
          </p>
        ) : (
          <ul className={classes.rows}>
            {connections.map((connection) => (
              <ConnectedApp key={connection.id} connection={connection} />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}
