import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { Pill, type Tone } from '~/app/components/pill';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, formatNumber } from '~/server/base/formats';
import type { RecommendationView } from '~/server/domain/recommendations/list-recommendations';
import classes from './recommendations.module.css';

const TONES: Record<RecommendationView['status'], Tone> = {
  requested: 'waiting',
  accepted: 'good',
  declined: 'bad',
  withdrawn: 'plain',
  ended: 'plain',
};

/** Recommendations between one's own shows and others, with what they have brought and what can be done. */
export function RecommendationList({ items }: { items: RecommendationView[] }) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={item.id}>
          <img src={item.other.cover.webp[96]} alt="" width={64} height={64} />
          <div>
            <Words item={item} />
            <Figures item={item} />
          </div>
          <Steps item={item} />
        </li>
      ))}
    </ul>
  );
}

function Words({ item }: { item: RecommendationView }) {
  const { t } = useTranslation('recommending');
  const { own, other, isGiven, isSwap, status, endedBecause, steps } = item;
  const names = { own: own.name, other: other.name };
  const isWaiting = steps.includes('accept');
  return (
    <>
      <p className={classes.sentence}>{t(isGiven ? 'given' : 'received', names)}</p>
      <p className={classes.facts}>
        <Pill tone={TONES[status]}>{t(isWaiting ? 'status.answer' : `status.${status}`)}</Pill>
        {isSwap && <span>{t('swap')}</span>}
        <span>{t('by', { name: other.creator.name })}</span>
        <a href={other.url}>{t('seePage')}</a>
      </p>
      <p className={classes.facts}>
        <span>{t(item.isAtEnd ? 'atEnd' : 'atStart')}</span>
        <span>{t(`episodes.${item.selection}`)}</span>
        <Days item={item} />
      </p>
      {endedBecause && (
        <p className={classes.facts}>{t(`ended.${endedBecause}`, { ...names, name: other.creator.name })}</p>
      )}
    </>
  );
}

function Days({ item: { firstDay, lastDay } }: { item: RecommendationView }) {
  const { t, locale } = useTranslation('recommending');
  const day = (text: string) => formatDate(new Date(`${text}T00:00:00Z`), locale);
  const first = day(firstDay);
  return <span>{lastDay ? t('days.between', { first, last: day(lastDay) }) : t('days.from', { first })}</span>;
}

/** Of those that have begun; a request has brought nothing yet. */
function Figures({ item: { status, figures } }: { item: RecommendationView }) {
  const { t, locale } = useTranslation('recommending');
  if (status !== 'accepted' && status !== 'ended') return null;
  return (
    <dl className={classes.figures}>
      {(['plays', 'visits', 'follows', 'subscriptions'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`figures.${name}`)}</dt>
          <dd>{formatNumber(figures[name], locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Steps({ item: { id, steps, other } }: { item: RecommendationView }) {
  const { t } = useTranslation('recommending');
  const asked = steps.filter((step) => step !== 'end');
  return (
    <>
      {asked.length > 0 && (
        <Form method="post" className={classes.acts}>
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="creatorId" value={other.creator.id} />
          {asked.map((step) => (
            <IntentButton key={step} intent={step} label={t(`step.${step}Of`, { name: other.name })}>
              {t(`step.${step}`)}
            </IntentButton>
          ))}
          {steps.includes('decline') && (
            <IntentButton intent="block" label={t('step.blockOf', { name: other.creator.name })}>
              {t('step.block')}
            </IntentButton>
          )}
        </Form>
      )}
      {steps.includes('end') && (
        <Disclosure button={t('step.end')} label={t('step.endOf', { name: other.name })} isDangerous>
          <p>{t('step.endText')}</p>
          <Form method="post">
            <input type="hidden" name="id" value={id} />
            <IntentButton intent="end" isDangerous>
              {t('step.endNow')}
            </IntentButton>
          </Form>
        </Disclosure>
      )}
    </>
  );
}
