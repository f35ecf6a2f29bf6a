import { wordsOf } from '~/app/features/operator/admin/search-form';
import { SearchPage } from '~/app/features/operator/admin/search-page';
import { useTime } from '~/app/features/operator/admin/use-time';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('creators.title', async ({ api, url }) => {
  const words = wordsOf(url);
  return { words, rows: await api.console.creators({ search: words }) };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Creators() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const time = useTime();
  return (
    <SearchPage
      of="creators"
      searchLabel={t('creators.search')}
      data={data}
      linked={{ name: t('creators.domain'), text: ({ domain }) => domain }}
      others={[
        { name: t('creators.claimed'), cell: ({ claimedAt }) => time(claimedAt) },
        {
          name: t('users.state'),
          cell: ({ closedAt, publishingStoppedAt }) =>
            t(`creators.states.${closedAt ? 'closed' : publishingStoppedAt ? 'stopped' : 'open'}`),
        },
      ]}
    />
  );
}
