import { ChartFigure } from '~/app/components/charts/chart-figure';
import { LineChart } from '~/app/components/charts/line-chart';
import { shorten } from '~/app/components/charts/scale';
import { formatClock } from '~/app/lib/clock';
import { useTranslation } from '~/app/lib/translation';
import type { Translate } from '~/locales/translate';
import { formatNumber, type Locale } from '~/server/base/formats';
import type { Heard, Retention as RetentionView } from '~/server/domain/statistics/retention';
import classes from './statistics.module.css';

/** More columns are narrower than a pixel of a phone. */
const MOST_COLUMNS = 180;
/** From here on, listeners are shares. */
const SHARES_FROM = 100;
const TITLE_COLUMNS = 40;
/** Fewer minutes are points, and no curve. */
const CURVE_FROM = 3;

type Reader = { t: Translate; locale: Locale };

/** How far listeners of our player get, as a curve or, of a short episode, in a sentence. */
export function Retention({ retention, csvUrl }: { retention: RetentionView; csvUrl: string }) {
  const { t } = useTranslation('statistics');
  return (
    <>
      {retention.curve.length < CURVE_FROM ? (
        <ShortRetention retention={retention} />
      ) : (
        <RetentionCurve retention={retention} csvUrl={csvUrl} />
      )}
      <HeardFigures heard={retention} />
      <p className={classes.note}>{t('retention.note')}</p>
    </>
  );
}

function ShortRetention({ retention }: { retention: RetentionView }) {
  const { t, locale } = useTranslation('statistics');
  const { listeners, curve } = retention;
  const number = (value: number) => formatNumber(value, locale);
  return (
    <section aria-labelledby="retention">
      <h2 id="retention" className={classes.title}>
        {t('retention.title')}
      </h2>
      <p className={classes.lead}>
        {t('retention.short', {
          heard: t('retention.people', { count: listeners, number: number(listeners) }),
          end: number(curve.at(-1) ?? 0),
          average: averageText(retention, { t, locale }),
        })}
      </p>
    </section>
  );
}

/** The part of the listeners that heard each minute, with the chapters. */
function RetentionCurve({ retention, csvUrl }: { retention: RetentionView; csvUrl: string }) {
  const { t, locale } = useTranslation('statistics');
  const { listeners, curve, chapters } = retention;
  const number = (value: number) => formatNumber(value, locale);
  const isShare = listeners >= SHARES_FROM;
  const percent = (value: number) => Math.round((value / listeners) * 100);
  const size = Math.ceil(curve.length / MOST_COLUMNS);
  const people = (count: number) => t('retention.people', { count, number: number(count) });
  const heard = (count: number) =>
    isShare ? t('retention.share', { percent: number(percent(count)), people: people(count) }) : people(count);
  const columns = curve.flatMap((value, minute) => {
    if (minute % size !== 0) return [];
    const titles = chapters.filter((one) => one.minute >= minute && one.minute < minute + size);
    const note = titles.map(({ title }) => shorten(title, TITLE_COLUMNS)).join(' · ');
    return [
      {
        label: formatClock(minute * 60),
        value: isShare ? percent(value) : value,
        text: `${formatClock(minute * 60)}: ${heard(value)}`,
        ...(note !== '' && { note, marks: ['event'] as const }),
      },
    ];
  });
  const middle = curve[Math.floor(curve.length / 2)] ?? 0;
  return (
    <ChartFigure
      id="retention"
      title={t('retention.title')}
      description={t('retention.text', {
        heard: people(listeners),
        middle: isShare ? t('share', { percent: number(percent(middle)) }) : number(middle),
        end: isShare ? t('share', { percent: number(percent(curve.at(-1) ?? 0)) }) : number(curve.at(-1) ?? 0),
        average: averageText(retention, { t, locale }),
      })}
      strokes={
        chapters.length === 0
          ? []
          : [
              { line: 'now', name: t(isShare ? 'retention.shares' : 'retention.listeners') },
              { line: 'mark', name: t('retention.chapter') },
            ]
      }
      table={{
        columns: ['minute', 'listeners', 'share'].map((name) => t(`retention.column.${name}`)),
        rows: curve.map((value, minute) => [
          formatClock(minute * 60),
          number(value),
          t('share', { percent: number(percent(value)) }),
        ]),
      }}
      csvUrl={csvUrl}
    >
      <LineChart
        label={t('retention.title')}
        columns={columns}
        formatNumber={(value) => (isShare ? t('share', { percent: number(value) }) : number(value))}
      />
    </ChartFigure>
  );
}

function HeardFigures({ heard }: { heard: Heard }) {
  const { t, locale } = useTranslation('statistics');
  const hours = heard.minutes / 60;
  const isLong = hours >= 2;
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t('retention.listeners')}</dt>
        <dd>{formatNumber(heard.listeners, locale)}</dd>
        <dd className={classes.help}>{t('retention.inOurPlayer')}</dd>
      </div>
      <div>
        <dt>{t('retention.average')}</dt>
        <dd>{clockOf(heard.average)}</dd>
        <dd className={classes.help}>{averageText(heard, { t, locale })}</dd>
      </div>
      <div>
        <dt>{t('retention.total')}</dt>
        <dd>
          {t(isLong ? 'retention.hours' : 'retention.minutes', {
            number: formatNumber(Math.round(isLong ? hours : heard.minutes), locale),
          })}
        </dd>
        <dd className={classes.help}>{t('retention.inOurPlayer')}</dd>
      </div>
    </dl>
  );
}

const clockOf = (minutes: number): string => formatClock(Math.round(minutes * 60));

/** The average time, and what part of the episode it is. */
export const averageText = ({ average, length }: Heard, { t, locale }: Reader): string =>
  t('retention.averageOf', {
    average: clockOf(average),
    length: clockOf(length),
    percent: formatNumber(Math.round((average / length) * 100), locale),
  });

/** The average part of an episode that was heard. */
export const heardText = (heard: Heard | undefined, { t, locale }: Reader): string =>
  heard ? t('share', { percent: formatNumber(Math.round((heard.average / heard.length) * 100), locale) }) : '–';
