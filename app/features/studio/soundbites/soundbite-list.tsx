import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '~/app/components/copy-button';
import { IntentButton } from '~/app/components/intent-button';
import { NativeAudio } from '~/app/components/native-audio';
import { SectionTitle } from '~/app/components/section-title';
import { formatClock } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CaptionedSoundbite, SoundbiteView } from '~/server/domain/soundbites/list-soundbites';
import { SOUNDBITE_LIMITS } from '~/server/limits/soundbites';
import { type PictureFrame, SharePicture } from './share-picture';
import classes from './soundbites.module.css';

type Props = {
  soundbites: (CaptionedSoundbite & { pageUrl: string })[];
  frame: PictureFrame;
  failure?: FormFailure;
};

/** The soundbites of an episode: to hear, share, rename and delete. */
export function SoundbiteList({ soundbites, frame, failure }: Props) {
  const { t } = useTranslation('soundbites');
  return (
    <section className={classes.part} aria-labelledby="soundbites">
      <SectionTitle id="soundbites">{t('list.title')}</SectionTitle>
      {soundbites.length === 0 && <p>{t('list.none')}</p>}
      <ul className={classes.rows}>
        {soundbites.map((soundbite) => (
          <li key={soundbite.id} className={classes.row}>
            <p className={classes.title} dir="auto">
              {soundbite.title}
            </p>
            <p className={classes.fact}>
              {formatClock(soundbite.startMs / 1000)}–{formatClock(soundbite.endMs / 1000)}
              {!soundbite.isCurrent && <> · {t('list.former')}</>}
            </p>
            {soundbite.isCurrent && <NativeAudio src={soundbite.audio} label={soundbite.title} />}
            {soundbite.isCurrent && (
              <p className={classes.links}>
                <a href={soundbite.pageUrl}>{t('list.page')}</a>
                <CopyButton text={soundbite.pageUrl} label={t('list.copy')} done={t('list.copied')} />
              </p>
            )}
            {soundbite.isCurrent && <Sharing soundbite={soundbite} frame={frame} />}
            <Change soundbite={soundbite} failure={failure} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Draws nothing before it is opened. */
function Sharing({ soundbite, frame }: { soundbite: CaptionedSoundbite; frame: PictureFrame }) {
  const { t } = useTranslation('soundbites');
  const [isOpened, setOpened] = useState(false);
  return (
    <details
      className={classes.change}
      data-needs-script
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary aria-label={t('share.of', { title: soundbite.title })}>{t('share')}</summary>
      {isOpened && <SharePicture soundbite={soundbite} frame={frame} />}
    </details>
  );
}

function Change({ soundbite: { id, title }, failure }: { soundbite: SoundbiteView; failure?: FormFailure }) {
  const { t } = useTranslation('soundbites');
  const own = failure?.values.soundbiteId === `${id}` ? failure : undefined;
  return (
    <details className={classes.change} open={own !== undefined || undefined}>
      <summary aria-label={t('change.of', { title })}>{t('change')}</summary>
      <p className={classes.fact}>{t('change.loss')}</p>
      <Form method="post">
        <input type="hidden" name="soundbiteId" value={id} />
        <TextInput
          name="title"
          defaultValue={own?.values.title ?? title}
          key={title}
          label={t('name')}
          dir="auto"
          maxLength={SOUNDBITE_LIMITS.titleLength}
          className={classes.wide}
          error={own?.fields.title?.[0]}
        />
        <IntentButton intent="rename" label={t('rename.of', { title })}>
          {t('rename')}
        </IntentButton>
        <IntentButton intent="remove" label={t('remove.of', { title })} isDangerous>
          {t('remove')}
        </IntentButton>
      </Form>
    </details>
  );
}
