import { CheckField, CustomField } from '~/app/components/fields';
import { PlayButton } from '~/app/components/play-button';
import { NewClipField } from '~/app/features/studio/recorder/new-clip-field';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ClipView } from '~/server/domain/insertions/list-clips';
import { CAMPAIGN_LIMITS } from '~/server/limits/insertions';
import { clipName } from './campaign-values';
import classes from './insertions.module.css';

type Props = {
  /** Those that are ticked come first. */
  clips: Pick<ClipView, 'id' | 'name' | 'durationMs' | 'url'>[];
  cutClip: string;
  failure?: FormFailure;
};

/** The clips of a campaign: those of the creator, and a new file. */
export function ClipField({ clips, cutClip, failure }: Props) {
  const { t } = useTranslation('campaigns');
  return (
    <div className={classes.stack}>
      <CustomField
        name="clipIds"
        label={t('form.clips')}
        help={t(clips.length > 0 ? 'form.clipsHelp' : 'form.clipsNone', { max: CAMPAIGN_LIMITS.clips })}
      >
        {clips.length > 0 && (
          <div className={classes.box}>
            {clips.map(({ id, name, durationMs, url }) => (
              <div key={id} className={classes.clip}>
                <CheckField
                  name={clipName(id)}
                  label={durationMs === null ? name : `${name} (${formatClock(durationMs / 1000)})`}
                />
                {url && <PlayButton src={url} name={name} />}
              </div>
            ))}
          </div>
        )}
      </CustomField>
      <NewClipField form="campaign" label={t('form.newClip')} help={t('form.newClipHelp')} failure={failure} />
      <p className={classes.status}>
        <Link to={cutClip}>{t('form.cutClip')}</Link>
      </p>
    </div>
  );
}
