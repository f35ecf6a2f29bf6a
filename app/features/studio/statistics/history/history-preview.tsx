import { NativeSelect, TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import parts from '~/app/components/file-page.module.css';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { HISTORY_HOSTS } from '~/db/values/imported-plays';
import { formatNumber } from '~/server/base/formats';
import type { HistoryPreview } from '~/server/domain/statistics/import-history';
import { HISTORY_LIMITS } from '~/server/limits/statistics';
import { longDay, longDays, longMonths, longPoint } from '../dates';
import classes from './history.module.css';
import { type HistoryQuery, withHistory } from './history-query';
import { LeftOut } from './left-out';

type Props = {
  preview: HistoryPreview;
  query: HistoryQuery;
  /** The page without a file. */
  page: string;
  failure?: FormFailure;
};

/** What a file contains, before anything of it is stored. */
export function HistoryPreviewPage({ preview, query, page, failure }: Props) {
  const { t } = useTranslation('history');
  const { question, example, figures, isWeekly } = preview;
  return (
    <div className={parts.page}>
      <p className={parts.soft} dir="auto">
        {t('read', { file: preview.fileName, encoding: preview.encoding.toUpperCase() })}
      </p>
      {question && (
        <p className={parts.problem} role="status">
          {t(`question.${question}`, { example: example ?? '' })}
        </p>
      )}
      {figures > 0 && <Found preview={preview} />}
      {isWeekly && <p className={parts.problem}>{t('weekly')}</p>}
      {question === null && figures === 0 && <p className={parts.problem}>{t('nothing')}</p>}
      {figures > 0 && <Save preview={preview} query={query} page={page} failure={failure} />}
      <LeftOut preview={preview} csvUrl={`${page}/left-out.csv${withHistory(query)}`} />
      <Corrections preview={preview} query={query} />
      {figures === 0 && <Link to={page}>{t('other')}</Link>}
    </div>
  );
}

function Found({ preview }: { preview: HistoryPreview }) {
  const { t, locale } = useTranslation('history');
  const { t: names } = useTranslation('statistics');
  const { figures, plays, episodes, from, to, period, first, columns } = preview;
  const number = (value: number) => formatNumber(value, locale);
  const write = period === 'month' ? longMonths : longDays;
  const days = write(names, { from: from ?? '', to: to ?? '' }, locale);
  const hasEpisodes = typeof columns.episode === 'number';
  return (
    <>
      <p className={classes.found}>
        {t(`found.${period}`, { count: figures, number: number(figures), days })}
        {' · '}
        {t('found.plays', { count: plays, number: number(plays) })}
        {hasEpisodes && ` · ${t('found.episodes', { count: episodes, number: number(episodes) })}`}
      </p>
      <table className={classes.table}>
        <caption>{t('found.first')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('cell.date')}</th>
            {hasEpisodes && <th scope="col">{t('cell.episode')}</th>}
            <th scope="col">{t('cell.plays')}</th>
          </tr>
        </thead>
        <tbody>
          {first.map((figure, i) => (
            <tr key={i}>
              <th scope="row">
                {figure.period === 'month'
                  ? longPoint(names, figure.day, { granularity: 'month', locale })
                  : longDay(figure.day, locale)}
              </th>
              {hasEpisodes && <td dir="auto">{figure.episode || '–'}</td>}
              <td>{number(figure.plays)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Sends what was found, so that exactly what is shown is stored. */
function Save({ preview, query, page, failure }: Props) {
  const { t, locale } = useTranslation('history');
  const { host, columns, order, period, figures } = preview;
  const found = { host, date: columns.date, plays: columns.plays, episode: columns.episode ?? 'none', order, period };
  const error = failure && (failure.fields.name?.[0] ?? failure.message ?? Object.values(failure.fields).flat()[0]);
  return (
    <Form method="post" className={parts.form}>
      <input type="hidden" name="statisticsKey" value={query.statisticsKey} />
      {Object.entries(found).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ''} />
      ))}
      {host === 'other' && (
        <TextInput
          name="name"
          label={t('name')}
          description={t('name.help')}
          required
          maxLength={HISTORY_LIMITS.nameLength}
          defaultValue={failure?.values.name ?? ''}
          error={error}
        />
      )}
      {host !== 'other' && error && (
        <p className={parts.problem} role="alert">
          {error}
        </p>
      )}
      <div className={parts.buttons}>
        <Button type="submit" name="intent" value="save">
          {t('save', { count: figures, number: formatNumber(figures, locale) })}
        </Button>
        <Button component={Link} to={page} variant="default">
          {t('cancel')}
        </Button>
      </div>
    </Form>
  );
}

/** Every file can be read: the creator chooses its columns, the order of its dates, and what a row stands for. */
function Corrections({ preview, query }: Pick<Props, 'preview' | 'query'>) {
  const { t } = useTranslation('history');
  const { names, columns, host, order, period, question } = preview;
  const choices = names.map((name, i) => ({ value: `${i}`, label: name || t('column.unnamed', { number: i + 1 }) }));
  const choose = { value: '', label: t('choose') };
  const choiceOf = (place: number | null | undefined) => (typeof place === 'number' ? `${place}` : '');
  return (
    <details className={classes.more} open={question !== null}>
      <summary>{t('correct')}</summary>
      {/* the fields follow the address */}
      <Form method="get" className={parts.grid} key={JSON.stringify(query)} preventScrollReset>
        <input type="hidden" name="file" value={query.statisticsKey} />
        <NativeSelect
          name="host"
          label={t('host')}
          defaultValue={host}
          data={HISTORY_HOSTS.map((value) => ({ value, label: t(`host.${value}`) }))}
        />
        <NativeSelect
          name="date"
          label={t('column.date')}
          defaultValue={choiceOf(columns.date)}
          data={[choose, ...choices]}
        />
        <NativeSelect
          name="plays"
          label={t('column.plays')}
          defaultValue={choiceOf(columns.plays)}
          data={[choose, ...choices]}
        />
        <NativeSelect
          name="episode"
          label={t('column.episode')}
          defaultValue={choiceOf(columns.episode) || 'none'}
          data={[{ value: 'none', label: t('column.none') }, ...choices]}
        />
        <NativeSelect
          name="order"
          label={t('order')}
          defaultValue={order ?? ''}
          data={[choose, ...(['dmy', 'mdy'] as const).map((value) => ({ value, label: t(`order.${value}`) }))]}
        />
        <NativeSelect
          name="period"
          label={t('period')}
          defaultValue={period}
          data={(['day', 'month'] as const).map((value) => ({ value, label: t(`period.${value}`) }))}
        />
        <div>
          <Button type="submit" variant="default">
            {t('checkAgain')}
          </Button>
        </div>
      </Form>
    </details>
  );
}
