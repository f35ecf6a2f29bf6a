import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import pageClasses from '~/app/components/page-header.module.css';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { PageAddress } from '~/app/features/studio/start/page-address';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async ({ api, context }) => {
  const creator = await api.creators.mine();
  const shows = creator ? await api.products.list({}) : { items: [] };
  const hasEpisodes = shows.items.some(({ allEpisodesCount }) => allEpisodesCount > 0);
  return { hasEpisodes, title: translator(context.language, 'start')('step.share.title') };
});

export const action = form(({ api }) => api.start.markPageShared(), {
  then: (_, { url }) => withDoneMessage(pathsFor(url).dashboard, 'page_shared'),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Share() {
  const { t } = useTranslation('start');
  const { creator } = useStudio().user;
  const failure = useActionData<FormFailure>();
  return (
    <>
      <SectionTitle>{t('step.share.title')}</SectionTitle>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {creator ? <SharePage name={creator.name} url={creator.url} /> : <ClaimFirst />}
    </>
  );
}

function SharePage({ name, url }: { name: string; url: string }) {
  const { t } = useTranslation('start');
  const subject = encodeURIComponent(t('share.emailSubject', { name }));
  return (
    <>
      <NoEpisodeYet />
      <p style={{ margin: 0 }}>{t('share.lead')}</p>
      <PageAddress url={url} />
      <Form method="post" className={pageClasses.actions}>
        <SubmitButton>{t('share.done')}</SubmitButton>
        <Button component="a" href={`mailto:?subject=${subject}&body=${encodeURIComponent(url)}`} variant="default">
          {t('share.email')}
        </Button>
      </Form>
    </>
  );
}

function NoEpisodeYet() {
  const { t } = useTranslation('start');
  const { hasEpisodes } = useLoaderData<typeof loader>();
  const [first] = useStudio().products;
  const paths = usePaths();
  if (hasEpisodes || !first) return null;
  return (
    <Alert color="yellow" variant="light">
      {t('share.noEpisode')} <Link to={paths.createEpisode(first)}>{t('step.episode.action')}</Link>
    </Alert>
  );
}

function ClaimFirst() {
  const { t } = useTranslation('start');
  const paths = usePaths();
  return (
    <>
      <p style={{ margin: 0 }}>{t('share.noPage')}</p>
      <div>
        <Button component={Link} to={paths.start('page')}>
          {t('step.page.action')}
        </Button>
      </div>
    </>
  );
}
