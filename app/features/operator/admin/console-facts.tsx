import type { ReactNode } from 'react';
import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import classes from './admin.module.css';
import { ConsoleTable } from './console-table';
import { OperationTarget } from './operation-target';
import { useTime } from './use-time';

/** The known facts about an object; facts without a value are left out. */
export function ConsoleFacts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type Operation = { at: Date; operator: string; action: string; target?: string; details?: Record<string, unknown> };

/** The operators' actions, from the audit trail. */
export function Operations({ operations }: { operations: Operation[] }) {
  const { t } = useTranslation('admin');
  const time = useTime();
  // an action of an older version stays a code
  const sentence = (action: string) => t(`operations.actions.${action}`).replace('operations.actions.', '');
  return (
    <div className={classes.section}>
      <Section title={t('operations.title')}>
        <ConsoleTable
          label={t('operations.title')}
          rows={operations}
          keyOf={({ at, action, target }) => `${new Date(at).getTime()} ${action} ${target}`}
          columns={[
            { name: t('operations.action'), cell: ({ action }) => sentence(action) },
            ...(operations.some(({ target }) => target)
              ? [
                  {
                    name: t('operations.target'),
                    cell: ({ target }: Operation) => target && <OperationTarget target={target} />,
                  },
                ]
              : []),
            { name: t('operations.operator'), cell: ({ operator }) => operator, wraps: true },
            { name: t('operations.at'), cell: ({ at }) => time(at) },
            ...(operations.some(({ details }) => details?.reason)
              ? [
                  {
                    name: t('reason'),
                    cell: ({ details }: Operation) => (details?.reason ? <bdi>{String(details.reason)}</bdi> : null),
                    wraps: true,
                  },
                ]
              : []),
          ]}
        />
      </Section>
    </div>
  );
}
