import { Group } from '@mantine/core';
import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { EmptyState, PagePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { EditionList } from '~/app/features/studio/newsletter/edition-list';
import { LostDomain } from '~/app/features/studio/newsletter/own-domain';
import { page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The editions of a creator's newsletter. The page is in the URL. */
export const loader = page(async ({ api, context, url }) => {
  const creator = await api.creators.mine();
  if (!creator) throw redirect(pathsFor(url).start('page'));
  const number = Number(url.searchParams.get('page')) || 1;
  const [list, { from, lostDomain, tracksReaders }] = await Promise.all([
    api.editions.list({ page: Math.min(Math.max(1, Math.floor(number)), 1000) }),
    api.newsletter.settings(),
  ]);
  return {
    title: translator(context.language, 'editions')('title'),
    list,
    hasForm: creator.showNewsletter,
    sender: { from, lostDomain },
    tracksReaders,
  };
});

export const meta = titleMeta;

export default function Newsletter() {
  const { t } = useTranslation('editions');
  const { list, hasForm, sender, tracksReaders } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const actions = (
    <Group gap={8}>
      <Button component={Link} to={paths.automations} variant="default">
        {t('automations')}
      </Button>
      <Button component={Link} to={paths.newsletterSettings} variant="default">
        {t('settings')}
      </Button>
      <Button component={Link} to={paths.createEdition}>
        {t('new')}
      </Button>
    </Group>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t(tracksReaders ? 'leadTracked' : 'lead')}
        action={list.total > 0 && actions}
        help="newsletter"
      />
      <LostDomain newsletter={sender} />
      {!list.isDefined && (
        <Alert color="yellow" variant="light" mb={24} title={t('undefined')}>
          <p>{t('undefinedText')}</p>
          <Link to={paths.newsletterSettings}>{t('define')}</Link>
        </Alert>
      )}
      {list.isDefined && !hasForm && (
        <Alert color="yellow" variant="light" mb={24} title={t('noForm')}>
          <p>{t('noFormText')}</p>
          <Link to={paths.creatorPagePart('support')}>{t('toForm')}</Link>
        </Alert>
      )}
      {list.total === 0 ? (
        <EmptyState picture={<PagePicture />} title={t('none')} action={actions}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <>
          <EditionList editions={list.items} />
          <Pager {...list} />
        </>
      )}
    </>
  );
}
