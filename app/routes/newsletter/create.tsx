import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { SelectField } from '~/app/components/fields';
import { PageHeader, Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import classes from '~/app/features/studio/newsletter/newsletter.module.css';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** A new edition, empty or from an episode. `?episode=` chooses one. */
export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const { episodes } = await api.editions.choices();
  const title = translator(context.language, 'editions')('create.title');
  return { title, episodes, chosen: url.searchParams.get('episode') ?? '' };
});

export const action = form(
  ({ api }, { episodeId = '' }) => api.editions.create(episodeId === '' ? {} : { episodeId }),
  { then: ({ id }, { url }) => pathsFor(url).editEdition(id) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewEdition() {
  const { t } = useTranslation('editions');
  const { episodes, chosen } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const { newsletter } = usePaths();
  const choices = episodes.map(({ id, name, show }) => ({ value: String(id), label: `${name} · ${show}` }));
  return (
    <>
      <PageHeader title={t('create.title')} back={<Link to={newsletter}>{t('title')}</Link>} />
      <div className={classes.choices}>
        <Section title={t('create.empty')}>
          <p>{t('create.emptyText')}</p>
          <Form method="post">
            <Button type="submit">{t('create.start')}</Button>
          </Form>
        </Section>
        {choices.length > 0 && (
          <Section title={t('create.episode')}>
            <p>{t('create.episodeText')}</p>
            <IntentForm
              intent="episode"
              initial={{ episodeId: chosen || choices[0]!.value }}
              failure={failure}
              submit={t('create.fromEpisode')}
            >
              <SelectField name="episodeId" label={t('create.pick')} choices={choices} />
            </IntentForm>
          </Section>
        )}
      </div>
    </>
  );
}
