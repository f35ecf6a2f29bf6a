import { TextInput } from '@mantine/core';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { FeaturedShow } from '~/server/domain/products/feature-show';
import classes from './admin.module.css';
import { ConsoleTable } from './console-table';
import { IdField } from './id-field';
import { RowButton } from './row-forms';
import { useTime } from './use-time';

export function FeaturedList({ rows }: { rows: FeaturedShow[] }) {
  const { t } = useTranslation('admin');
  const time = useTime();
  return (
    <Section title={t('featured.now')}>
      <ConsoleTable
        label={t('featured.now')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: t('found.shows'), cell: ({ name }) => <bdi>{name}</bdi>, wraps: true },
          { name: t('featured.position'), cell: ({ position }) => position },
          { name: t('users.id'), cell: ({ id }) => id },
          { name: t('found.creators'), cell: ({ creator }) => creator },
          { name: t('featured.until'), cell: ({ until }) => time(until) ?? t('featured.open') },
          { name: t('operations.operator'), cell: ({ featuredBy }) => featuredBy, wraps: true },
          { name: t('operations.at'), cell: ({ featuredAt }) => time(featuredAt) },
          {
            name: t('actions'),
            cell: ({ id, name }) => (
              <RowButton intent="unfeature" label={t('featured.removeOne', { name })} hidden={{ id }}>
                {t('featured.remove')}
              </RowButton>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** `next`: the place after the last one. `typed`: the submitted values, after a failed attempt. */
export function FeatureForm({ id, next, typed }: { id: string; next: number; typed: Record<string, string> }) {
  const { t } = useTranslation('admin');
  const paths = usePaths();
  return (
    <div className={classes.section}>
      <Section title={t('featured.new')}>
        <Form method="post" className={classes.stacked}>
          <p>
            {t('featured.effects')} <Link to={paths.admin('/creators')}>{t('featured.find')}</Link>
          </p>
          <IdField label={t('featured.id')} initial={typed.id ?? id} />
          <TextInput
            name="position"
            label={t('featured.position')}
            description={t('featured.positionHelp')}
            defaultValue={typed.position ?? next}
            inputMode="numeric"
            maxLength={2}
            required
          />
          <TextInput
            name="until"
            type="datetime-local"
            label={t('featured.untilUtc')}
            description={t('featured.untilHelp')}
            defaultValue={typed.until}
          />
          <SubmitButton intent="feature">{t('featured.submit')}</SubmitButton>
        </Form>
      </Section>
    </div>
  );
}
