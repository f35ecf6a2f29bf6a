import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { SelectField, TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { IntentForm, SectionForm } from '~/app/features/listener/account/section-form';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, formatNumber } from '~/server/base/formats';
import { reachText } from './audience-step';
import type { StepProps } from './edition-steps';
import { LinkCheck } from './link-check';
import classes from './newsletter.module.css';
import { ProblemList } from './problem-list';

/** Errors whose own texts name numbers of the moment at which they occurred. */
const PROBLEMS = new Map([
  ['plan.max_emails', 'overPlan'],
  ['newsletter.not_ready', 'notReady'],
]);

export function ReviewStep(props: StepProps) {
  const { t, locale } = useTranslation('editions');
  const { t: tError } = useTranslation('errors');
  const { edition, problems, failure, timeZone } = props;
  const { revision, status, scheduledAt, isLate, problem } = edition;
  const { newsletterSettings, editEdition } = usePaths();
  usePlanLimitOf(failure);
  const day = scheduledAt && formatDate(scheduledAt, locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const isUndefined = failure?.code === 'newsletter.settings_not_defined';
  return (
    <div className={classes.review}>
      {failure?.message && failure.values.intent !== 'schedule' && failure.values.intent !== 'test' && (
        <Alert color="red" variant="light" role="alert">
          {failure.message} {isUndefined && <Link to={newsletterSettings}>{t('define')}</Link>}
        </Alert>
      )}
      {problem && (
        <Alert color="yellow" variant="light">
          {t('review.notSent', {
            reason: PROBLEMS.has(problem) ? t(`review.${PROBLEMS.get(problem)}`) : tError(problem),
          })}
        </Alert>
      )}
      <ProblemList problems={problems} textPath={editEdition(edition.id)} />
      <Summary {...props} />
      {status !== 'scheduled' && <SendForms {...props} />}
      <LinkCheck links={props.links} />
      <SectionForm
        intent="test"
        title={t('review.test')}
        initial={{ to: '', part: 'free' }}
        failure={failure}
        quiet
        submit={t('review.testSubmit')}
      >
        <TextField name="to" label={t('review.testTo')} help={t('review.testHelp')} />
        <SelectField name="part" label={t('preview.part')} choices={partChoices(t)} />
      </SectionForm>
      {status === 'scheduled' && day && (
        <Section title={t('state.scheduled')}>
          <p>{t(isLate ? 'review.late' : 'review.scheduled', { day })}</p>
          <Form method="post" className={classes.actions}>
            <input type="hidden" name="revision" value={revision} />
            {isLate && (
              <Button type="submit" name="intent" value="send">
                {t('review.sendHidden')}
              </Button>
            )}
            <IntentButton intent="unschedule">{t('review.unschedule')}</IntentButton>
          </Form>
        </Section>
      )}
      <Disclosure button={t('delete')} isDangerous>
        <p>{t('deleteText')}</p>
        <Form method="post">
          <IntentButton intent="delete" isDangerous>
            {t('deleteConfirm')}
          </IntentButton>
        </Form>
      </Disclosure>
    </div>
  );
}

export const partChoices = (t: (key: string) => string) =>
  (['free', 'paid'] as const).map((part) => ({ value: part, label: t(`preview.part.${part}`) }));

/** What will be sent, to whom, and where it will be. */
function Summary({ edition, preview, emailsLeft }: StepProps) {
  const { t, locale } = useTranslation('editions');
  const { reach, isInArchive, address, slug } = edition;
  const number = (count: number) => formatNumber(count, locale);
  const left = emailsLeft && { left: number(emailsLeft.left), of: number(emailsLeft.of) };
  const rows = [
    ['subject', preview.subject || t('untitled')],
    ['from', `${preview.sender} <${preview.from}>`],
    ...(preview.restFrom ? [['restFrom', preview.restFrom]] : []),
    ['to', reachText(reach, t, locale)],
    ['web', isInArchive ? address.base + (slug || address.proposed) : t('review.notInArchive')],
    ...(left ? [['left', t('review.leftOf', left)]] : []),
  ];
  return (
    <dl className={classes.summary}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`review.${name}`)}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function SendForms({ edition, failure, timeZone }: StepProps) {
  const { t, locale } = useTranslation('editions');
  const { revision, reach } = edition;
  const label =
    reach === null ? t('review.sendHidden') : t('review.send', { count: reach, number: formatNumber(reach, locale) });
  return (
    <>
      <Form method="post" className={classes.send}>
        <input type="hidden" name="revision" value={revision} />
        <Button type="submit" name="intent" value="send" disabled={reach === 0}>
          {label}
        </Button>
        <p className={classes.fact}>{t('review.sendText')}</p>
      </Form>
      <Section title={t('review.schedule')}>
        <IntentForm
          intent="schedule"
          initial={{ sendAt: '', revision: String(revision) }}
          failure={failure}
          quiet
          submit={t('review.scheduleSubmit')}
        >
          <input type="hidden" name="revision" value={revision} />
          <TextField
            name="sendAt"
            type="datetime-local"
            label={t('review.sendAt')}
            help={t('review.sendAtHelp', { zone: timeZone })}
          />
        </IntentForm>
      </Section>
    </>
  );
}
