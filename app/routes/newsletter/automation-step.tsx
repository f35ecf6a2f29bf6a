import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { SelectField, TextField } from '~/app/components/fields';
import { PageHeader } from '~/app/components/page-header';
import { SectionForm } from '~/app/features/listener/account/section-form';
import { eventText } from '~/app/features/studio/newsletter/automation-rows';
import { delayText } from '~/app/features/studio/newsletter/automation-steps';
import { StepTextForm, Versions } from '~/app/features/studio/newsletter/content-step';
import classes from '~/app/features/studio/newsletter/newsletter.module.css';
import { ProblemList } from '~/app/features/studio/newsletter/problem-list';
import { partChoices } from '~/app/features/studio/newsletter/review-step';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

const idOf = ({ params }: Door) => parseId(params.step);
const automationOf = ({ params }: Door) => parseId(params.id);
const here = (door: Door) => pathsFor(door.url).automationStep(automationOf(door), idOf(door));

/** The text of one of an automation's emails. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const [id, automationId] = [idOf(door), automationOf(door)];
  const edition = await api.editions.get({ id });
  if (edition.automationId !== automationId) throw redirect(pathsFor(url).automation(automationId));
  const [automation, choices, preview, versions] = await Promise.all([
    api.automations.get({ id: automationId }),
    api.editions.choices(),
    api.editions.preview({ id }),
    api.editions.versions({ id }),
  ]);
  const name = edition.title || translator(context.language, 'automations')('untitled');
  const title = translator(context.language, 'automations')('stepTitle', { title: name });
  const delayHours = automation.emails.find((step) => step.id === id)?.delayHours ?? 0;
  return { title, automation, edition, choices, delayHours, versions, problems: preview.problems };
});

export const action = form(
  sectionAction({
    '': async (door, { revision = '', title = '', preheader = '', content = '' }) => {
      await door.api.editions.update({ id: idOf(door), revision, title, preheader, content } as never);
      return withDoneMessage(pathsFor(door.url).automation(automationOf(door)), 'step_saved');
    },
    restore: async (door, { version = '' }) => {
      await door.api.editions.restore({ id: idOf(door), version } as never);
      return withDoneMessage(here(door), 'edition_restored');
    },
    test: async (door, { to = '', part }) => {
      await door.api.editions.sendTest({ id: idOf(door), to, ...(part && { part: part as 'free' }) });
      return withDoneMessage(here(door), 'edition_tested');
    },
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function AutomationStep() {
  const { t, locale } = useTranslation('automations');
  const { t: tEditions } = useTranslation('editions');
  const { title, automation, edition, choices, delayHours, versions, problems } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const isTest = failure?.values.intent === 'test';
  return (
    <>
      <PageHeader
        title={title}
        lead={t('stepLead', { when: delayText(delayHours, t, locale), event: eventText(automation, t) })}
        back={
          <Link to={paths.automation(automation.id)} dir="auto">
            {automation.name}
          </Link>
        }
        action={
          <Button component={Link} to={paths.previewEdition(edition.id)} variant="default">
            {tEditions('preview.open')}
          </Button>
        }
      />
      {edition.status === 'sending' && (
        <Alert color="yellow" variant="light" mb={24}>
          {t('stepLive')}
        </Alert>
      )}
      {/* a version that was restored replaces what the form shows */}
      <StepTextForm
        key={versions[0]?.revision}
        edition={edition}
        choices={choices}
        failure={isTest ? undefined : failure}
        submit={t('stepSubmit')}
      />
      <div className={classes.review}>
        <ProblemList problems={problems} textPath={paths.automationStep(automation.id, edition.id)} />
        <SectionForm
          intent="test"
          title={tEditions('review.test')}
          initial={{ to: '', part: 'free' }}
          failure={failure}
          submit={tEditions('review.testSubmit')}
          quiet
        >
          <TextField name="to" label={tEditions('review.testTo')} help={tEditions('review.testHelp')} />
          <SelectField name="part" label={tEditions('preview.part')} choices={partChoices(tEditions)} />
        </SectionForm>
        <Versions id={edition.id} versions={versions} />
      </div>
    </>
  );
}
