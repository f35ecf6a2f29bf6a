import { ChoiceField, CustomField } from '~/app/components/fields';
import { useField, useFormState } from '~/app/components/form-context';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime, timeZoneName } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import { releaseChoice } from '~/server/domain/episodes/schema';
import own from './episode.module.css';
import type { EditedEpisode } from './episode-values';

type Props = {
  timeZone: string;
  /** Null for a new episode. */
  episode: Pick<EditedEpisode, 'status' | 'releaseDate' | 'isHeld'> | null;
};

/** Publishes now, at a time in the creator's time zone, which is named, or not yet. */
export function ReleaseFields({ timeZone, episode }: Props) {
  const { t, language } = useTranslation('episode');
  const { values } = useFormState();
  const when = episode?.releaseDate ? formatDateTime(episode.releaseDate, language, timeZone) : '';
  const help = {
    keep: episode && t(`release.keep.${episode.isHeld ? 'on_hold' : episode.status}`, { when }),
    now: t('release.nowHelp'),
    later: t('release.laterHelp', { zone: timeZoneName(timeZone) }),
    draft: t('release.draftHelp'),
  };
  const options = choicesFor(episode).map((value) => ({ value, label: t(`release.${value}`), help: help[value] }));
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

/** A published episode is unpublished by its button, which needs no form. */
function choicesFor(episode: Props['episode']): ('keep' | 'now' | 'later' | 'draft')[] {
  if (episode === null) return ['now', 'later', 'draft'];
  if (episode.status === 'published') return ['keep', 'later'];
  return episode.isHeld ? ['keep', 'now', 'later'] : ['keep', 'now', 'later', 'draft'];
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
