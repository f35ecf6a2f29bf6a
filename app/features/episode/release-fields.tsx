import { ChoiceField, CustomField } from '~/app/components/fields';
import { useField, useFormState } from '~/app/components/form-context';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime, timeZoneName } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeStatus } from '~/server/domain/episodes/rules';
import { releaseChoice } from '~/server/domain/episodes/schema';
import own from './episode.module.css';

type Props = { timeZone: string; status: EpisodeStatus | null; releaseDate: Date | null };

/** Publishes now, or at a time in the creator's time zone, which is named. */
export function ReleaseFields({ timeZone, status, releaseDate }: Props) {
  const { t, language } = useTranslation('episode');
  const { values } = useFormState();
  const when = releaseDate ? formatDateTime(releaseDate, language, timeZone) : '';
  const keep = {
    value: 'keep',
    label: t('release.keep'),
    help: t(`release.keep.${status ?? 'in_progress'}`, { when }),
  };
  const now = { value: 'now', label: t('release.now'), help: t('release.nowHelp') };
  const later = {
    value: 'later',
    label: t('release.later'),
    help: t('release.laterHelp', { zone: timeZoneName(timeZone) }),
  };
  const options = status === null ? [now, later] : status === 'published' ? [keep, later] : [keep, now, later];
  return (
    <>
      <input type="hidden" name="timeZone" value={timeZone} />
      <ChoiceField name="publish" label={t('release.label')} options={options} />
      <div hidden={values.publish !== 'later'} className={own.whenScripted}>
        <ReleaseDateField timeZone={timeZone} />
      </div>
    </>
  );
}

function ReleaseDateField({ timeZone }: { timeZone: string }) {
  const { t, language } = useTranslation('episode');
  const { values } = useFormState();
  const field = useField('releaseLocal');
  const release = releaseChoice.safeParse({ ...values, publish: 'later' });
  const here = useBrowserTimeZone();
  return (
    <CustomField name="releaseDate" label={t('release.at', { zone: timeZoneName(timeZone) })}>
      <input
        type="datetime-local"
        className={own.moment}
        name={field.name}
        value={field.value}
        onChange={field.onChange}
        aria-labelledby="releaseDate-label"
      />
      {here && here !== timeZone && release.success && release.data && (
        <p className={own.note}>
          {t('release.yourTime', { when: formatDateTime(release.data, language, here, true) })}
        </p>
      )}
    </CustomField>
  );
}
