import { Textarea } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { later } from '~/server/base/time';
import type { PlanPreview } from '~/server/domain/billing/plan-billing/change-plan';
import type { PlanOverview } from '~/server/domain/billing/plan-billing/plan-overview';
import type { Loss } from '~/server/domain/plans/rules';
import { PLAN_CHANGE_LIMITS, type PlanCode } from '~/server/limits/plans';
import { Losses } from './losses';
import { planName } from './plan-names';
import { cardText } from './plan-now';
import classes from './plans.module.css';
import { type PlanTexts, usePlanTexts } from './use-plan-texts';

type Props = { preview: PlanPreview; overview: PlanOverview; failure?: FormFailure };

/** A plan's exact costs, and its losses. The confirmation repeats the amounts and their dates. */
export function PlanChange({ preview, overview, failure }: Props) {
  const texts = usePlanTexts(preview.currency);
  const { t } = texts;
  const { plan, move, losses } = preview;
  return (
    <Section title={t(`change.${move}`, { plan: planName(plan) })}>
      <PlanFailure failure={failure} />
      <Amounts preview={preview} texts={texts} />
      <Losses losses={losses} to={plan} texts={texts} />
      {move === 'start' ? (
        <Start preview={preview} overview={overview} texts={texts} />
      ) : (
        <Confirm preview={preview} texts={texts} />
      )}
    </Section>
  );
}

export function PlanFailure({ failure }: { failure?: FormFailure }) {
  if (!failure?.message) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {failure.message}
    </Alert>
  );
}

function Amounts({ preview, texts: { t, money, date } }: { preview: PlanPreview; texts: PlanTexts }) {
  const { dueMinor, creditMinor, nextMinor, nextAt, priceMinor } = preview;
  return (
    <dl className={classes.amounts}>
      <dt>{t('change.now')}</dt>
      <dd className={classes.due}>{money(dueMinor)}</dd>
      {creditMinor > 0 && (
        <>
          <dt>{t('change.credit')}</dt>
          <dd>
            {money(creditMinor)} <span>{t('change.creditText')}</span>
          </dd>
        </>
      )}
      <dt>{t('change.next', { date: date(nextAt) })}</dt>
      <dd>{money(nextMinor)}</dd>
      {nextMinor !== priceMinor && (
        <>
          <dt>{t('change.then')}</dt>
          <dd>{money(priceMinor)}</dd>
        </>
      )}
    </dl>
  );
}

function Start({ preview, overview, texts }: { preview: PlanPreview; overview: PlanOverview; texts: PlanTexts }) {
  const { t, money } = texts;
  const { savedCard: card, trial } = overview;
  const usesCard = card !== null && !card.isExpired;
  return (
    <Form method="post" className={classes.form}>
      <input type="hidden" name="plan" value={preview.plan} />
      <input type="hidden" name="dueMinor" value={preview.dueMinor} />
      <p className={classes.quiet}>
        {t('change.startText')} {trial.isRunning && t('change.trialEnds')}
      </p>
      <div className={classes.actions}>
        {usesCard && (
          <SubmitButton intent="pay_saved">
            {t('change.paySaved', { amount: money(preview.dueMinor), brand: brandOf(card), last4: card.last4 })}
          </SubmitButton>
        )}
        {usesCard ? (
          <Button type="submit" name="intent" value="pay_page" variant="default">
            {t('change.payOther')}
          </Button>
        ) : (
          <SubmitButton intent="pay_page">{t('change.payPage')}</SubmitButton>
        )}
        <Back texts={texts} />
      </div>
      {card?.isExpired && <p className={classes.warning}>{cardText(card, texts)}</p>}
    </Form>
  );
}

const brandOf = ({ brand }: { brand: string }) => brand.charAt(0).toUpperCase() + brand.slice(1);

function Confirm({ preview, texts }: { preview: PlanPreview; texts: PlanTexts }) {
  const { t, money, time } = texts;
  const { plan, dueMinor, creditMinor, at } = preview;
  const until = later(at, PLAN_CHANGE_LIMITS.preview);
  return (
    <Form method="post" className={classes.form}>
      <input type="hidden" name="plan" value={plan} />
      <input type="hidden" name="dueMinor" value={dueMinor} />
      <input type="hidden" name="creditMinor" value={creditMinor} />
      <input type="hidden" name="at" value={at.toISOString()} />
      <p className={classes.quiet}>{t('change.atOnce', { time: time(until) })}</p>
      <div className={classes.actions}>
        <SubmitButton intent="change">
          {dueMinor > 0
            ? t('change.confirmUpgrade', { amount: money(dueMinor) })
            : t('change.confirm', { plan: planName(plan) })}
        </SubmitButton>
        <Back texts={texts} />
      </div>
    </Form>
  );
}

function Back({ texts: { t } }: { texts: PlanTexts }) {
  const paths = usePaths();
  return (
    <Button component={Link} to={paths.plans} variant="subtle" color="gray" preventScrollReset>
      {t('change.back')}
    </Button>
  );
}

type EndProps = {
  plan: PlanCode;
  end: { endsAt: Date; losses: Loss[] };
  overview: PlanOverview;
  failure?: FormFailure;
};

/** The losses at the end of the plan, before the creator cancels it. */
export function PlanEnd({ plan, end: { endsAt, losses }, overview, failure }: EndProps) {
  const texts = usePlanTexts(overview.currency);
  const paths = usePaths();
  const { t, date } = texts;
  const name = planName(plan);
  return (
    <Section title={t('end.title', { plan: name })}>
      <PlanFailure failure={failure} />
      <p>{t('end.text', { date: date(endsAt), plan: name })}</p>
      <Losses losses={losses} to="FREE" texts={texts} />
      <Form method="post" className={classes.form}>
        <Textarea
          name="reason"
          label={t('end.reason')}
          maxLength={PLAN_CHANGE_LIMITS.reasonLength}
          autosize
          minRows={2}
        />
        <div className={classes.actions}>
          <Button type="submit" name="intent" value="cancel" variant="outline" color="red">
            {t('end.confirm')}
          </Button>
          <Button component={Link} to={paths.plans} variant="default">
            {t('end.keep', { plan: name })}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
