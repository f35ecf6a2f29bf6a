import { NativeSelect, Textarea } from '@mantine/core';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { TAKE_DOWN_GROUNDS } from '~/db/values/take-downs';
import { TAKE_DOWN_TARGETS } from '~/server/domain/console/kinds';
import type { TakenDown } from '~/server/domain/console/take-down';
import { OPERATOR_LIMITS } from '~/server/limits/operators';
import classes from './admin.module.css';
import { ConsoleTable } from './console-table';
import { IdField } from './id-field';
import { RowButton } from './row-forms';
import { useTime } from './use-time';

type Props = { target: string; id: string; typed: Record<string, string> };

/** `typed`: the submitted values, after a failed attempt. */
export function TakeDownForm({ target, id, typed }: Props) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  return (
    <Section title={t('takeDowns.new')}>
      <Form method="post" className={classes.stacked}>
        <p>{t('takeDowns.effects')}</p>
        <p>
          {t('takeDowns.find')} <Link to={paths.admin()}>{t('takeDowns.toSearch')}</Link>
        </p>
        <NativeSelect
          name="target"
          label={t('takeDowns.what')}
          defaultValue={typed.target ?? target}
          data={TAKE_DOWN_TARGETS.map((value) => ({ value, label: t(`takeDowns.targets.${value}`) }))}
        />
        <IdField label={t('takeDowns.id')} initial={typed.id ?? id} />
        <NativeSelect
          name="ground"
          label={t('takeDowns.ground')}
          defaultValue={typed.ground}
          data={TAKE_DOWN_GROUNDS.map((value) => ({ value, label: t(`takeDowns.grounds.${value}`) }))}
        />
        <Textarea
          name="reason"
          label={t('reason')}
          defaultValue={typed.reason}
          rows={4}
          maxLength={OPERATOR_LIMITS.statementLength}
          required
          w="100%"
        />
        <IntentButton intent="takeDown" isDangerous>
          {t('takeDowns.submit')}
        </IntentButton>
      </Form>
    </Section>
  );
}

export function TakenDownList({ rows }: { rows: TakenDown[] }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  const time = useTime();
  return (
    <>
      <Section title={t('takeDowns.open')}>
        <ConsoleTable
          label={t('takeDowns.open')}
          rows={rows}
          keyOf={({ target, id }) => `${target}/${id}`}
          empty={t('takeDowns.empty')}
          columns={[
            { name: t('users.name'), cell: ({ name }) => <bdi>{name}</bdi> },
            { name: t('takeDowns.what'), cell: ({ target, id }) => `${t(`takeDowns.targets.${target}`)} ${id}` },
            {
              name: t('found.creators'),
              cell: ({ creatorId, creator }) => <Link to={paths.admin(`/creators/${creatorId}`)}>{creator}</Link>,
            },
            { name: t('takeDowns.since'), cell: ({ at }) => time(at) },
            {
              name: t('takeDowns.ground'),
              cell: ({ statement }) => statement && t(`takeDowns.grounds.${statement.ground}`),
            },
            {
              name: t('reason'),
              wraps: true,
              cell: ({ statement }) => (
                <>
                  <bdi>{statement?.reason}</bdi> {statement?.isWhole && t('takeDowns.whole')}
                </>
              ),
            },
            {
              name: t('actions'),
              cell: ({ target, id, name }) => (
                <RowButton intent="restore" label={t('takeDowns.restoreOne', { name })} hidden={{ target, id }}>
                  {t('takeDowns.restore')}
                </RowButton>
              ),
            },
          ]}
        />
      </Section>
      <RestoreCreator />
    </>
  );
}

function RestoreCreator() {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('takeDowns.restoreTitle')}>
      <Form method="post" className={classes.stacked}>
        <p>{t('takeDowns.restoreEffects')}</p>
        <input type="hidden" name="target" value="creator" />
        <IdField label={t('takeDowns.creatorId')} />
        <IntentButton intent="restore">{t('takeDowns.restore')}</IntentButton>
      </Form>
    </Section>
  );
}
