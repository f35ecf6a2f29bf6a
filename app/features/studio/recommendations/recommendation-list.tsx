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

/** What the pill says of a recommendation. */
function shownStatus({ status, hasFailed, isUpcoming, steps }: RecommendationView): { name: string; tone: Tone } {
  if (steps.includes('accept')) return { name: 'answer', tone: TONES[status] };
  if (hasFailed) return { name: 'failed', tone: 'bad' };
  if (status === 'accepted' && isUpcoming) return { name: 'upcoming', tone: 'coming' };
  return { name: status, tone: TONES[status] };
}

/** One recommendation, or the two of a swap, of which the own show's comes first. */
type Card = [RecommendationView, ...RecommendationView[]];

/** A swap is asked for, answered and ended as one, so it is one card. */
function cardsOf(items: RecommendationView[]): Card[] {
  const cards: Card[] = [];
  for (const item of items) {
    const pair = cards.find(([first]) => first.swapId !== null && first.swapId === item.swapId);
    if (pair) pair.push(item);
    else cards.push([item]);
  }
  for (const card of cards) card.sort((a, b) => Number(b.isGiven) - Number(a.isGiven));
  return cards;
}

/** Recommendations between one's own shows and others, with what they have brought and what can be done. */
export function RecommendationList({ items }: { items: RecommendationView[] }) {
  const { t } = useTranslation('recommending');
  return (
    <ul className={classes.list}>
      {cardsOf(items).map(([item, ...others]) => (
        <li key={item.id}>
          <img src={item.other.cover.webp[96]} alt="" width={64} height={64} />
          <div>
            <Words item={item} isBoth={others.length > 0} />
            {[item, ...others].map((each) => (
              <Figures
                key={each.id}
                item={each}
                title={others.length > 0 ? t(each.isGiven ? 'given' : 'received', namesOf(each)) : null}
              />
            ))}
          </div>
          <Steps item={item} />
        </li>
      ))}
    </ul>
  );
}

const namesOf = ({ own, other }: RecommendationView) => ({ own: own.name, other: other.name });

function Words({ item, isBoth }: { item: RecommendationView; isBoth: boolean }) {
  const { t } = useTranslation('recommending');
  const { other, isGiven, isSwap, hasFailed, endedBecause } = item;
  const names = namesOf(item);
  const { name: shown, tone } = shownStatus(item);
  return (
    <>
      <p className={classes.sentence}>{t(isBoth ? 'both' : isGiven ? 'given' : 'received', names)}</p>
      <p className={classes.facts}>
        <Pill tone={tone}>{t(`status.${shown}`)}</Pill>
        {isSwap && !isBoth && <span>{t('swap')}</span>}
        <span>{t('by', { name: other.creator.name })}</span>
        <a href={other.url}>{t('seePage')}</a>
      </p>
      {hasFailed && <p className={classes.facts}>{t('failedText')}</p>}
      <p className={classes.facts}>
        <span>{t(item.isAtEnd ? 'atEnd' : 'atStart')}</span>
        <span>{t(`episodes.${item.selection}`)}</span>
        <Days item={item} />
        {endedBecause && <span>{t(`ended.${endedBecause}`, { ...names, name: other.creator.name })}</span>}
      </p>
    </>
  );
}

/** The days that were agreed on; of one that has ended, those on which it played. */
function Days({ item: { firstDay, lastDay, status, endedDay } }: { item: RecommendationView }) {
  const { t, locale } = useTranslation('recommending');
  const day = (text: string) => formatDate(new Date(`${text}T00:00:00Z`), locale);
  const first = day(firstDay);
  if (status === 'declined' || status === 'withdrawn') return null;
  if (status === 'ended' && endedDay)
    return <span>{t(endedDay < firstDay ? 'days.neverBegun' : 'days.ended', { first, last: day(endedDay) })}</span>;
  return <span>{lastDay ? t('days.between', { first, last: day(lastDay) }) : t('days.from', { first })}</span>;
}

/** Of those that have begun; a request has brought nothing yet. */
function Figures({ item: { status, figures }, title }: { item: RecommendationView; title: string | null }) {
  const { t, locale } = useTranslation('recommending');
  if (status !== 'accepted' && status !== 'ended') return null;
  const list = (
    <dl className={classes.figures}>
      {(['plays', 'visits', 'follows', 'subscriptions'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`figures.${name}`)}</dt>
          <dd>{formatNumber(figures[name], locale)}</dd>
        </div>
      ))}
    </dl>
  );
  return title === null ? (
    list
  ) : (
    <div className={classes.side}>
      <p className={classes.facts}>{title}</p>
      {list}
    </div>
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
