import { NativeSelect, TextInput } from '@mantine/core';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { dateFormat } from '~/server/base/formats';
import type { ReleaseMonth } from '~/server/domain/episodes/calendar';
import classes from './calendar.module.css';

type Props = { month: ReleaseMonth; failure?: FormFailure };

/** Moves a scheduled episode of the month without dragging: by keyboard, on a phone, and without JavaScript. */
export function MoveForm({ month: { releases, today, timeZone }, failure }: Props) {
  const { t, locale } = useTranslation('team');
  const isEditor = useMay()('episode.manage');
  const scheduled = releases.filter(({ status }) => status === 'scheduled');
  if (!isEditor || scheduled.length === 0) return null;
  const format = dateFormat(locale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone });
  return (
    <div className={classes.moving}>
      <Section title={t('calendar.move')}>
        <Form method="post" className={classes.move} preventScrollReset>
          <NativeSelect
            name="episode"
            label={t('calendar.episode')}
            defaultValue={failure?.values.episode}
            data={scheduled.map(({ id, name, releaseAt }) => ({
              value: String(id),
              label: `${name} (${format.format(releaseAt)})`,
            }))}
          />
          <TextInput
            name="day"
            type="date"
            label={t('calendar.newDay')}
            min={today}
            required
            defaultValue={failure?.values.day}
            error={failure && (failure.fields.releaseDate?.[0] ?? failure.message)}
          />
          <SubmitButton>{t('calendar.moveSubmit')}</SubmitButton>
        </Form>
      </Section>
    </div>
  );
}
