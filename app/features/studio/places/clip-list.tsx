import { TextInput } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { TextField } from '~/app/components/fields';
import { IntentButton } from '~/app/components/intent-button';
import { SectionTitle } from '~/app/components/section-title';
import { SoundPlayer } from '~/app/components/sound-player';
import { IntentForm } from '~/app/features/listener/account/section-form';
import { NewClipField } from '~/app/features/studio/recorder/new-clip-field';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ClipView } from '~/server/domain/insertions/list-clips';
import { CLIP_LIMITS } from '~/server/limits/insertions';
import classes from './places.module.css';

type Props = { clips: ClipView[]; failure?: FormFailure };

/** The creator's clips: to hear, rename and delete. */
export function ClipList({ clips, failure }: Props) {
  const { t } = useTranslation('places');
  return (
    <section className={classes.part} aria-labelledby="clips">
      <SectionTitle id="clips">{t('clip.title')}</SectionTitle>
      <p>{t(clips.length === 0 ? 'clip.none' : 'clip.help')}</p>
      {failure?.message && failure.values.intent !== ADD && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <ul className={classes.rows}>
        {clips.map(({ id, name, url, durationMs }) => (
          <li key={id} className={classes.clip}>
            <p className={classes.clipName} dir="auto">
              {name}
            </p>
            {url && <SoundPlayer src={url} durationSeconds={durationMs === null ? null : durationMs / 1000} />}
            <details className={classes.change} open={failure?.values.clipId === `${id}` || undefined}>
              <summary aria-label={t('clip.changeOf', { name })}>{t('clip.change')}</summary>
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
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ADD = 'add';
const EMPTY = { name: '', clipKey: '' };

/** A clip that is uploaded or recorded here. */
export function NewClip({ cutClip, failure }: { cutClip: string; failure?: FormFailure }) {
  const { t } = useTranslation('places');
  const own = failure?.values.intent === ADD ? failure : undefined;
  return (
    <section className={classes.part} aria-labelledby="new-clip">
      <SectionTitle id="new-clip">{t('clip.new')}</SectionTitle>
      <IntentForm intent={ADD} initial={EMPTY} failure={failure} submit={t('clip.add')}>
        <TextField name="name" label={t('clip.name')} maxLength={CLIP_LIMITS.nameLength} autoComplete="off" />
        <NewClipField form="clip" label={t('clip.file')} help={t('clip.fileHelp')} failure={own} />
      </IntentForm>
      <p>
        <Link to={cutClip}>{t('clip.orCut')}</Link>
      </p>
    </section>
  );
}
