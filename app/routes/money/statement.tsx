import { NativeSelect } from '@mantine/core';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import classes from '~/app/features/studio/money/money.module.css';
import { statementPath } from '~/app/features/studio/money/money-paths';
import { StatementTable, StatementTotals } from '~/app/features/studio/money/statement';
import { page } from '~/app/lib/doors.server';
import { monthName } from '~/app/lib/month-name';
import { usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Form, Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The changes of the balance in a month. Month, currency and page are in the URL. */
export const loader = page(async (door) => {
  await requireAbility(door, 'creator.readPayouts');
  const { api, context, url } = door;
  const { language, locale } = context;
  const statement = await api.payouts.statement(Object.fromEntries(url.searchParams) as never);
  const month = monthName(statement.month, locale);
  return { statement, title: translator(language, 'money')('statement.title', { month }) };
});

export const meta = titleMeta;

export default function Statement() {
  const { t } = useTranslation('money');
  const { statement, title } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const { entries } = statement;
  return (
    <>
      <PageHeader title={title} lead={t('statement.lead')} back={<Link to={paths.money}>{t('back')}</Link>} />
      <Chooser />
      <StatementTotals statement={statement} />
      {entries.total === 0 ? (
        <p className={classes.soft}>{t('statement.empty')}</p>
      ) : (
        <StatementTable entries={entries.items} currency={statement.currency} />
      )}
      <Pager page={entries.page} pageSize={entries.pageSize} total={entries.total} />
      <p className={classes.files}>
        <a href={statementPath(paths, statement, '.pdf')} download>
          {t('statement.pdf')}
        </a>
        <a href={statementPath(paths, statement, '.csv')} download>
          {t('statement.csv')}
        </a>
      </p>
    </>
  );
}

function Chooser() {
  const { t, locale } = useTranslation('money');
  const { statement } = useLoaderData<typeof loader>();
  const { month, months, currency, currencies } = statement;
  return (
    <Form method="get" className={classes.filter} key={`${month} ${currency}`}>
      <NativeSelect
        name="month"
        label={t('statement.month')}
        defaultValue={month}
        data={months.map((value) => ({ value, label: monthName(value, locale) }))}
      />
      {currencies.length > 1 && (
        <NativeSelect
          name="currency"
          label={t('statement.currency')}
          defaultValue={currency}
          data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      )}
      <Button type="submit" variant="default">
        {t('statement.show')}
      </Button>
    </Form>
  );
}
