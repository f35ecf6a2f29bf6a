import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Pill, type Tone } from '~/app/components/pill';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { EditionState } from '~/db/values/editions';
import type { Translate } from '~/locales/translate';
import { formatNumber } from '~/server/base/formats';
import type { AutomationView, StepView } from '~/server/domain/newsletter/list-automations';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';
import { StepFigures } from './automation-figures';
import classes from './newsletter.module.css';

type Props = { automation: AutomationView; mayChange: boolean; failure?: FormFailure };

/** The emails of an automation in their order, each with its time, its text and its counts. */
export function AutomationSteps({ automation, mayChange, failure }: Props) {
  const { t } = useTranslation('automations');
  const { id, emails } = automation;
  const isFull = emails.length >= AUTOMATION_LIMITS.steps;
  return (
    <Section title={t('steps')}>
      {emails.length === 0 && <p className={classes.fact}>{t('noSteps')}</p>}
      <ol className={classes.rows}>
        {emails.map((step) => (
          <StepRow key={step.id} automationId={id} step={step} mayChange={mayChange} failure={failure} />
        ))}
      </ol>
      {mayChange && !isFull && (
        <Form method="post">
          <Button type="submit" name="intent" value="add" variant="default">
            {t('add')}
          </Button>
        </Form>
      )}
      {isFull && <p className={classes.fact}>{t('addFull', { count: AUTOMATION_LIMITS.steps })}</p>}
      <p className={classes.note}>
        {t('stopRules')} {t('limits.plan')}
      </p>
    </Section>
  );
}

type StepProps = { automationId: number; step: StepView; mayChange: boolean; failure?: FormFailure };

function StepRow({ automationId, step, mayChange, failure }: StepProps) {
  const { t, locale } = useTranslation('automations');
  const paths = usePaths();
  const { id, status, delayHours, counts } = step;
  const title = step.title || t('untitled');
  return (
    <li className={classes.step}>
      <p className={classes.name}>
        <Link to={paths.automationStep(automationId, id)} dir="auto">
          {title}
        </Link>{' '}
        <Pill tone={TONES[status] ?? 'plain'}>
          {t(`step.${status === 'sending' || status === 'stopped' ? status : 'draft'}`)}
        </Pill>
      </p>
      <p className={classes.fact}>{delayText(delayHours, t, locale)}</p>
      {status === 'stopped' && <p>{t('stoppedText')}</p>}
      {counts && <StepFigures counts={counts} />}
      {mayChange && (
        <div className={classes.actions}>
          <TimeForm step={step} title={title} failure={failure} />
          <Disclosure button={t('remove')} label={t('removeOf', { title })} isDangerous>
            <p>{removalText(counts?.waiting ?? 0, t, locale)}</p>
            <Form method="post">
              <input type="hidden" name="stepId" value={id} />
              <IntentButton intent="remove" isDangerous label={t('removeOf', { title })}>
                {t('removeConfirm')}
              </IntentButton>
            </Form>
          </Disclosure>
        </div>
      )}
    </li>
  );
}

const TONES: Partial<Record<EditionState, Tone>> = { sending: 'good', stopped: 'bad' };

function TimeForm({ step, title, failure }: { step: StepView; title: string; failure?: FormFailure }) {
  const { t } = useTranslation('automations');
  const { id, delayHours } = step;
  const own = failure?.values.stepId === String(id) ? failure : undefined;
  const days = String(Math.floor(delayHours / 24));
  return (
    <Disclosure button={t('time')} label={t('timeOf', { title })} isOpen={own?.values.intent === 'delay'}>
      <p>{t('timeText')}</p>
      <IntentForm
        key={delayHours}
        intent="delay"
        initial={{ days, hours: String(delayHours % 24) }}
        failure={own}
        submit={t('timeSave')}
        quiet
      >
        <input type="hidden" name="stepId" value={id} />
        <TextField name="days" id={`days-${id}`} label={t('field.days')} type="number" inputMode="numeric" min={0} />
        <TextField name="hours" id={`hours-${id}`} label={t('field.hours')} type="number" inputMode="numeric" min={0} />
      </IntentForm>
    </Disclosure>
  );
}

type Locale = Parameters<typeof formatNumber>[1];

function removalText(waiting: number, t: Translate, locale: Locale): string {
  return waiting === 0
    ? t('removeTextNone')
    : t('removeText', { count: waiting, number: formatNumber(waiting, locale) });
}

/** When an email is sent, as a time after the event. */
export function delayText(hours: number, t: Translate, locale: Locale): string {
  if (hours === 0) return t('at.once');
  const isDays = hours % 24 === 0;
  const count = isDays ? hours / 24 : hours;
  return t(isDays ? 'at.days' : 'at.hours', { count, number: formatNumber(count, locale) });
}
