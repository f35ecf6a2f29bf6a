import { wordsOf } from '~/app/features/operator/admin/search-form';
import { SearchPage } from '~/app/features/operator/admin/search-page';
import { useTime } from '~/app/features/operator/admin/use-time';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('users.title', async ({ api, url }) => {
  const words = wordsOf(url);
  return { words, rows: await api.console.users({ search: words }) };
});

export const action = operatorAction({});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Users() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const time = useTime();
  return (
    <SearchPage
      of="users"
      searchLabel={t('users.search')}
      data={data}
      linked={{ name: t('users.email'), text: ({ email }) => email }}
      others={[
        { name: t('users.created'), cell: ({ createdAt }) => time(createdAt) },
        { name: t('users.state'), cell: (user) => t(`users.states.${stateOf(user)}`) },
      ]}
    />
  );
}

type Dated = Record<'deletedAt' | 'suspendedAt' | 'emailVerifiedAt', Date | null>;

function stateOf({ deletedAt, suspendedAt, emailVerifiedAt }: Dated): string {
  if (deletedAt) return 'deleted';
  if (suspendedAt) return 'suspended';
  return emailVerifiedAt ? 'verified' : 'unverified';
}
