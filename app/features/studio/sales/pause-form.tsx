import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { PausableView } from '~/server/domain/billing/subscriptions/pause-subscription';
import { hasFeature } from '~/server/domain/plans/rules';
import { MANAGING_LIMITS } from '~/server/limits/billing';
import { PLANS } from '~/server/limits/plans';
import { formatDay } from './buyer-list';
import classes from './sales.module.css';

type Props = { pause: PausableView; failure?: FormFailure };

/** Starts or ends a pause of the person's subscription, or says that the plan has none. */
export function PauseForm({ pause, failure }: Props) {
  const { t, locale } = useTranslation('buyers');
  const { id, periodEnd, pausedFrom, pausedUntil } = pause;
  const isPaused = pausedFrom !== null && pausedUntil !== null;
  const lead = isPaused
    ? t('pause.paused', { from: formatDay(pausedFrom, locale), until: formatDay(pausedUntil, locale) })
    : t('pause.lead', { date: formatDay(periodEnd, locale) });
  return (
    <Section id="pause" title={t('pause.title')}>
      <p className={classes.fact}>{lead}</p>
      {failure && (
        <p className={classes.problem} role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </p>
      )}
      <Form method="post" action="#pause" className={classes.pause}>
        <input type="hidden" name="subscription" value={id} />
        {isPaused ? (
          <Button type="submit" variant="default" name="intent" value="resume">
            {t('pause.end')}
          </Button>
        ) : (
          <Start />
        )}
      </Form>
    </Section>
  );
}

function Start() {
  const { t } = useTranslation('buyers');
  const paths = usePaths();
  const { plan } = useStudio().user;
  if (!hasFeature(PLANS[plan.inForce], 'pausing')) {
    return (
      <p className={classes.fact}>
        {t('pause.plan')} <Link to={paths.plans}>{t('pause.plans')}</Link>
      </p>
    );
  }
  return (
    <>
      <NativeSelect
        name="months"
        label={t('pause.months')}
        defaultValue="1"
        data={MONTHS.map((count) => ({ value: String(count), label: t('pause.count', { count }) }))}
      />
      <Button type="submit" variant="default" name="intent" value="pause">
        {t('pause.start')}
      </Button>
    </>
  );
}

const MONTHS = Array.from({ length: MANAGING_LIMITS.pauseMonths }, (_, i) => i + 1);
