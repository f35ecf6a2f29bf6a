import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { PageHeader, Section } from '~/app/components/page-header';
import { AutomationRows } from '~/app/features/studio/newsletter/automation-rows';
import { AutomationStarts } from '~/app/features/studio/newsletter/automation-starts';
import classes from '~/app/features/studio/newsletter/newsletter.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The automations of a creator's newsletter, and what a new one can start with. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  await requireAbility(door, 'creator.manageNewsletter');
  const [list, choices] = await Promise.all([api.automations.list(), api.editions.choices()]);
  const shows = choices.shows.filter(({ isPaid }) => isPaid);
  return { title: translator(context.language, 'automations')('title'), list, shows };
});

export const action = form(
  sectionAction({
    create: async ({ api, url }, { trigger = '', product = '', start = '' }) => {
      const chosen = { ...(product && trigger !== 'sign_up' && { product }), ...(start && { start }) };
      const { id } = await api.automations.create({ trigger, ...chosen } as never);
      return pathsFor(url).automation(id);
    },
    switch: async ({ api, url }, { id = '', isActive = '' }) => {
      await api.automations.switch({ id, isActive } as never);
      return withDoneMessage(pathsFor(url).automations, isActive === 'true' ? 'automation_on' : 'automation_off');
    },
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Automations() {
  const { t } = useTranslation('automations');
  const { t: tEditions } = useTranslation('editions');
  const { list, shows } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        back={<Link to={paths.newsletter}>{tEditions('title')}</Link>}
        help="automations"
      />
      {!list.isDefined && (
        <Alert color="yellow" variant="light" mb={24} title={tEditions('undefined')}>
          <p>{t('undefinedText')}</p>
          <Link to={paths.newsletterSettings}>{tEditions('define')}</Link>
        </Alert>
      )}
      {failure?.message && failure.values.trigger === undefined && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message}
        </Alert>
      )}
      <Section title={t('list')}>
        {list.items.length === 0 ? (
          <p className={classes.fact}>
            {t('none')}. {t('noneText')}
          </p>
        ) : (
          <AutomationRows items={list.items} mayReadBuyers={list.mayReadBuyers} />
        )}
      </Section>
      <AutomationStarts count={list.items.length} mayReadBuyers={list.mayReadBuyers} shows={shows} failure={failure} />
    </>
  );
}
