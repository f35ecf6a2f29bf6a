import { Alert } from '~/app/components/alert';
import { Disclosure } from '~/app/components/disclosure';
import { TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { PageHeader, Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import { eventText } from '~/app/features/studio/newsletter/automation-rows';
import { AutomationSteps } from '~/app/features/studio/newsletter/automation-steps';
import { AutomationSwitch } from '~/app/features/studio/newsletter/automation-switch';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';

const idOf = ({ params }: Door) => parseId(params.id);
const here = (door: Door, message: string) => withDoneMessage(pathsFor(door.url).automation(idOf(door)), message);

/** An automation: its switch, its emails in their order, and what became of them. */
export const loader = page(async (door) => {
  const [automation, list] = await Promise.all([
    door.api.automations.get({ id: idOf(door) }),
    door.api.automations.list(),
  ]);
  const mayChange = list.mayReadBuyers || automation.trigger === 'sign_up';
  return { title: automation.name, automation, mayChange, isDefined: list.isDefined };
});

export const action = form(
  sectionAction({
    switch: async (door, { isActive = '' }) => {
      await door.api.automations.switch({ id: idOf(door), isActive } as never);
      return here(door, isActive === 'true' ? 'automation_on' : 'automation_off');
    },
    rename: async (door, { name = '' }) => {
      await door.api.automations.rename({ id: idOf(door), name });
      return here(door, 'automation_renamed');
    },
    delete: async (door) => {
      await door.api.automations.delete({ id: idOf(door) });
      return withDoneMessage(pathsFor(door.url).automations, 'automation_deleted');
    },
    welcome: async (door) => {
      await door.api.automations.stopWelcome();
      return here(door, 'welcome_stopped');
    },
    add: async (door) => {
      const step = await door.api.automations.addStep({ id: idOf(door) });
      return pathsFor(door.url).automationStep(idOf(door), step.id);
    },
    delay: async (door, { stepId = '', days = '', hours = '' }) => {
      await door.api.automations.delayStep({ id: idOf(door), stepId, days, hours } as never);
      return here(door, 'step_delayed');
    },
    remove: async (door, { stepId = '' }) => {
      await door.api.automations.removeStep({ id: idOf(door), stepId } as never);
      return here(door, 'step_removed');
    },
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

/** Forms that show their failure themselves. */
const OWN_FAILURES = new Set(['rename', 'delay']);

export default function Automation() {
  const { t } = useTranslation('automations');
  const { automation, mayChange, isDefined } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const { name } = automation;
  return (
    <>
      <PageHeader
        title={name}
        lead={eventText(automation, t)}
        back={<Link to={paths.automations}>{t('title')}</Link>}
      />
      {failure?.message && !OWN_FAILURES.has(failure.values.intent ?? '') && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message}{' '}
          {failure.code === 'newsletter.settings_not_defined' && (
            <Link to={paths.newsletterSettings}>{t('toSettings')}</Link>
          )}
        </Alert>
      )}
      <AutomationSwitch automation={automation} mayChange={mayChange} isDefined={isDefined} />
      <AutomationSteps automation={automation} mayChange={mayChange} failure={failure} />
      {mayChange && (
        <Section title={t('settings')}>
          <IntentForm intent="rename" initial={{ name }} failure={failure} submit={t('rename')} quiet>
            <TextField
              name="name"
              label={t('field.name')}
              help={t('field.nameHelp')}
              maxLength={AUTOMATION_LIMITS.nameLength}
            />
          </IntentForm>
          <Disclosure button={t('delete')} isDangerous>
            <p>{t('deleteText')}</p>
            <Form method="post">
              <IntentButton intent="delete" isDangerous>
                {t('deleteConfirm')}
              </IntentButton>
            </Form>
          </Disclosure>
        </Section>
      )}
    </>
  );
}
