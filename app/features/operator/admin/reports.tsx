import { Textarea } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ReportRow } from '~/server/domain/support/decide-reports';
import { REPORT_LIMITS } from '~/server/limits/support';
import classes from './admin.module.css';
import { type Column, ConsoleTable } from './console-table';
import { useTime } from './use-time';

/** `typed`: the submitted values, after a failed attempt. */
export function OpenReports({ rows, typed }: { rows: ReportRow[]; typed: Record<string, string> }) {
  const { t } = useTranslation('admin');
  const columns = useFacts();
  return (
    <ConsoleTable
      label={t('reports.open')}
      rows={rows}
      keyOf={({ id }) => id}
      empty={t('reports.empty')}
      columns={[
        ...columns,
        {
          name: t('actions'),
          wraps: true,
          cell: (row) => <Decide row={row} answer={typed.id === String(row.id) ? typed.answer : undefined} />,
        },
      ]}
    />
  );
}

export function DecidedReports({ rows }: { rows: ReportRow[] }) {
  const { t } = useTranslation('admin');
  const columns = useFacts();
  const time = useTime();
  return (
    <ConsoleTable
      label={t('reports.decided')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        ...columns,
        {
          name: t('reports.decision'),
          wraps: true,
          cell: ({ state, answer, decidedBy, decidedAt }) => (
            <>
              {t(`reports.states.${state}`)}, {time(decidedAt)}, <bdi>{decidedBy}</bdi>
              <br />
              <bdi>{answer}</bdi>
            </>
          ),
        },
      ]}
    />
  );
}

function useFacts(): Column<ReportRow>[] {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const time = useTime();
  const thingOf = (target: string) => {
    const [kind, id] = target.split('/');
    return `${t(`operations.things.${kind}`)} ${id}`;
  };
  return [
    {
      name: t('takeDowns.what'),
      cell: ({ name, url, target, creatorId }) => (
        <>
          <a href={url}>
            <bdi>{name}</bdi>
          </a>
          <br />
          <Link to={paths.admin(`/creators/${creatorId}`)}>{thingOf(target)}</Link>
        </>
      ),
    },
    { name: t('reports.at'), cell: ({ createdAt }) => time(createdAt), wraps: true },
    { name: t('reports.reason'), cell: ({ reason }) => t(`reports.reasons.${reason}`) },
    {
      name: t('reports.text'),
      cell: ({ text }) => (
        <p className={classes.said} dir="auto">
          {text}
        </p>
      ),
      wraps: true,
    },
    {
      name: t('reports.from'),
      cell: ({ reporterName, reporterEmail }) =>
        reporterName || reporterEmail ? (
          <>
            <bdi>{reporterName}</bdi> <bdi>{reporterEmail}</bdi>
          </>
        ) : (
          t('reports.anonymous')
        ),
      wraps: true,
    },
  ];
}

/** Decides one report. A take-down has its own form, which decides every report about the same thing. */
function Decide({ row: { id, target, name }, answer }: { row: ReportRow; answer?: string }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const [kind, thing] = target.split('/');
  return (
    <div className={classes.actions}>
      <Button
        component={Link}
        to={paths.admin(`/take-downs?target=${kind}&id=${thing}`)}
        variant="outline"
        color="red"
        size="compact-md"
        aria-label={t('reports.takeDownOf', { name })}
      >
        {t('reports.takeDown')}
      </Button>
      <Disclosure
        button={t('reports.dismissTitle')}
        label={t('reports.dismissOf', { name })}
        isOpen={answer !== undefined}
      >
        <Form method="post" className={classes.stacked}>
          <input type="hidden" name="id" value={id} />
          <p>{t('reports.effects')}</p>
          <Textarea
            name="answer"
            label={t('reports.answer')}
            defaultValue={answer}
            rows={3}
            maxLength={REPORT_LIMITS.answerLength}
            required
            w="100%"
          />
          <IntentButton intent="dismiss">{t('reports.dismiss')}</IntentButton>
        </Form>
      </Disclosure>
    </div>
  );
}
