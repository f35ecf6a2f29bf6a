import { type Choice, ChoiceField, CustomField, SelectField } from '~/app/components/fields';
import { useField, useFormState } from '~/app/components/form-context';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime, formatMoment, timeZoneName } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import { isTimeZone, readWallClock } from '~/server/base/time';
import { shownStatus } from '~/server/domain/episodes/rules';
import own from './episode.module.css';
import { type EditedEpisode, releaseIn } from './episode-values';

type Props = {
  timeZones: Choice[];
  /** Null for a new episode. */
  episode: Pick<EditedEpisode, 'status' | 'releaseDate' | 'isHeld'> | null;
};

/** Lets users publish now, publish later, or keep a draft. A later time has a time zone, by default the creator's. */
export function ReleaseFields({ timeZones, episode }: Props) {
  const { t, locale } = useTranslation('episode');
  const { values } = useFormState();
  const timeZone = useChosenZone();
  const when = episode?.releaseDate ? formatDateTime(episode.releaseDate, locale, timeZone) : '';
  const help = {
    keep: episode && t(`release.keep.${keptStatus(episode)}`, { when }),
    now: t('release.nowHelp'),
    later: t('release.laterHelp', { zone: timeZoneName(timeZone) }),
    draft: t('release.draftHelp'),
  };
  const options = choicesFor(episode).map((value) => ({ value, label: t(`release.${value}`), help: help[value] }));
  return (
    <>
      <ChoiceField name="publish" label={t('release.label')} options={options} />
      <div hidden={values.publish !== 'later'} className={own.whenScripted}>
        <div className={own.release}>
          <ReleaseDateField timeZone={timeZone} />
          <ZoneField timeZone={timeZone} timeZones={timeZones} />
        </div>
      </div>
    </>
  );
}

/** The status that 'keep' keeps: an episode on hold stays on hold while its replacement is checked. */
const keptStatus = ({ isHeld, status, releaseDate }: NonNullable<Props['episode']>) =>
  shownStatus({ status: isHeld ? 'on_hold' : status, releaseDate });

function useChosenZone(): string {
  const { timeZone = '' } = useFormState().values;
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

/** No choice unpublishes a published episode: a button does that without the form. */
function choicesFor(episode: Props['episode']): ('keep' | 'now' | 'later' | 'draft')[] {
  if (episode === null) return ['now', 'later', 'draft'];
  if (episode.status === 'published') return ['keep', 'later'];
  return episode.isHeld ? ['keep', 'now', 'later'] : ['keep', 'now', 'later', 'draft'];
}

function ZoneField({ timeZone, timeZones }: { timeZone: string; timeZones: Choice[] }) {
  const { t } = useTranslation('episode');
  const isListed = timeZones.some(({ value }) => value === timeZone);
  const choices = isListed ? timeZones : [{ value: timeZone, label: timeZoneName(timeZone) }, ...timeZones];
  return <SelectField name="timeZone" label={t('release.zone')} help={t('release.zoneHelp')} choices={choices} />;
}

function ReleaseDateField({ timeZone }: { timeZone: string }) {
  const { t, locale } = useTranslation('episode');
  const { values } = useFormState();
  const field = useField('releaseLocal');
  const release = releaseIn({ ...values, publish: 'later' });
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
      <MomentField timeZone={timeZone} />
      {here && here !== timeZone && 'at' in release && release.at && (
        <p className={own.note}>{t('release.yourTime', { when: formatDateTime(release.at, locale, here, true) })}</p>
      )}
    </CustomField>
  );
}

/** Asks which instant the user means if clocks skip the time or show it twice. */
function MomentField({ timeZone }: { timeZone: string }) {
  const { t, locale } = useTranslation('episode');
  const { values } = useFormState();
  const read = readWallClock(values.releaseLocal ?? '', timeZone);
  if (!read || read.kind === 'once') return null;
  const options = [read.earlier, read.later].map((at) => ({
    value: at.toISOString(),
    label: formatMoment(at, locale, timeZone),
  }));
  return (
    <div className={own.moments}>
      <ChoiceField name="releaseMoment" label={t(`release.${read.kind}`)} options={options} />
    </div>
  );
}
