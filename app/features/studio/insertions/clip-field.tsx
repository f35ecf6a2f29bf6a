import { useEffect } from 'react';
import { CheckField, CustomField } from '~/app/components/fields';
import { NativeAudio } from '~/app/components/native-audio';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ClipView } from '~/server/domain/insertions/list-clips';
import { CAMPAIGN_LIMITS } from '~/server/limits/insertions';
import { clipName } from './campaign-values';
import classes from './insertions.module.css';

type Props = {
  clips: Pick<ClipView, 'id' | 'name' | 'durationMs' | 'url'>[];
  cutClip: string;
  failure?: FormFailure;
};

/** The clips of a campaign: those of the creator, and a new file. */
export function ClipField({ clips, cutClip, failure }: Props) {
  const { t } = useTranslation('campaigns');
  const upload = useUpload('campaign', 'clipKey', 'insertion_audio');
  const { forget } = upload;
  // a file that was sent is one of the clips now, or was refused
  useEffect(() => {
    if (failure) forget();
  }, [failure, forget]);
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
              <div key={id}>
                <CheckField
                  name={clipName(id)}
                  label={durationMs === null ? name : `${name} (${formatClock(durationMs / 1000)})`}
                />
                {url && <NativeAudio src={url} label={name} />}
              </div>
            ))}
          </div>
        )}
      </CustomField>
      <AudioField
        name="clipKey"
        upload={upload}
        label={t('form.newClip')}
        help={t('form.newClipHelp')}
        limits={t('form.clipLimits')}
      />
      <p className={classes.status}>
        <Link to={cutClip}>{t('form.cutClip')}</Link>
      </p>
    </div>
  );
}
