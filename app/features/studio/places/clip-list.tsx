import { TextInput } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { SectionTitle } from '~/app/components/section-title';
import { SoundPlayer } from '~/app/components/sound-player';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ClipView } from '~/server/domain/insertions/list-clips';
import { CLIP_LIMITS } from '~/server/limits/insertions';
import classes from './places.module.css';

type Props = { clips: ClipView[]; cutClip: string; failure?: FormFailure };

/** The creator's clips: to hear, rename and delete. New ones are added in the form of a campaign, or cut from an episode. */
export function ClipList({ clips, cutClip, failure }: Props) {
  const { t } = useTranslation('places');
  return (
    <section className={classes.part} aria-labelledby="clips">
      <SectionTitle id="clips">{t('clip.title')}</SectionTitle>
      <p>{t(clips.length === 0 ? 'clip.none' : 'clip.help')}</p>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <div>
        <Button component={Link} to={cutClip} variant="default">
          {t('clip.cut')}
        </Button>
      </div>
      <ul className={classes.rows}>
        {clips.map(({ id, name, url, durationMs }) => (
          <li key={id} className={classes.part}>
            {url && <SoundPlayer src={url} durationSeconds={durationMs === null ? null : durationMs / 1000} />}
            <Form method="post" className={classes.row}>
              <input type="hidden" name="clipId" value={id} />
              <TextInput
                name="name"
                defaultValue={name}
                key={name}
                label={t('clip.name')}
                maxLength={CLIP_LIMITS.nameLength}
                className={classes.choice}
                error={failure?.values.clipId === `${id}` ? failure.fields.name?.[0] : undefined}
              />
              <div className={classes.acts}>
                <IntentButton intent="rename" label={t('clip.renameOf', { name })}>
                  {t('clip.rename')}
                </IntentButton>
                <IntentButton intent="remove" label={t('clip.removeOf', { name })} isDangerous>
                  {t('clip.remove')}
                </IntentButton>
              </div>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
