import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { spanOf } from '~/app/features/studio/sound/passage';
import { PassageFields } from '~/app/features/studio/sound/passage-fields';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { PassageView, PlacesView } from '~/server/domain/insertions/episode-places';
import { episodeName } from './place-values';
import classes from './places.module.css';
import { type ClipChoice, leftOut, type SoundOfEpisode } from './points-form';
import { useSound } from './use-sound';

type Props = {
  episode: SoundOfEpisode;
  places: PlacesView;
  clips: ClipChoice[];
  /** Other episodes of the show, in which the same passage can be replaced. */
  others: { id: number; name: string }[];
  failure?: FormFailure;
};

/** Passages that listeners get otherwise, such as an old sponsor's read, and a form to replace another one. */
export function PassagesForm({ episode, places, clips, others, failure }: Props) {
  const { t } = useTranslation('places');
  const sound = useSound(places.id);
  return (
    <section className={classes.part} aria-labelledby="passages">
      <SectionTitle id="passages">{t('passage.title')}</SectionTitle>
      <p>{t('passage.help')}</p>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {places.passages.length > 0 && (
        <ul className={classes.rows}>
          {places.passages.map((passage) => (
            <PassageRow key={passage.id} passage={passage} onListen={(place) => void sound.hear(place)} />
          ))}
        </ul>
      )}
      <Disclosure button={t('passage.new')} isOpen={failure !== undefined || undefined}>
        <NewPassage {...{ episode, places, clips, others, failure }} onListen={(place) => void sound.hear(place)} />
      </Disclosure>
      <p role="status">{sound.message}</p>
    </section>
  );
}

type OnListen = (place: { atMs: number; toMs: number; clipId: number | null }) => void;

function PassageRow({ passage, onListen }: { passage: PassageView; onListen: OnListen }) {
  const { t } = useTranslation('places');
  const { id, fromMs, toMs, clip, isOfFormerFile } = passage;
  const times = { from: formatClockTime(fromMs), to: formatClockTime(toMs) };
  return (
    <li className={`${classes.row} ${classes.level}`}>
      <div className={classes.words}>
        <span>{t('passage.times', times)}</span>
        <span className={classes.fact} dir="auto">
          {clip ? t('passage.byClip', { name: clip.name }) : t('passage.byNothing')}
        </span>
        {isOfFormerFile && <span className={classes.warning}>{t('passage.former')}</span>}
      </div>
      <Form method="post" className={classes.acts}>
        <input type="hidden" name="passageId" value={id} />
        {!isOfFormerFile && (
          <Button
            type="button"
            variant="subtle"
            size="compact-md"
            onClick={() => onListen({ atMs: fromMs, toMs, clipId: clip?.id ?? null })}
            data-needs-script
          >
            {t('point.listen')}
          </Button>
        )}
        <IntentButton intent="restore" label={t('passage.undoOf', times)}>
          {t('passage.undo')}
        </IntentButton>
      </Form>
    </li>
  );
}

function NewPassage({ episode, places, clips, others, failure, onListen }: Props & { onListen: OnListen }) {
  const { t } = useTranslation('places');
  const { fromMs = '', toMs = '', clipId: sentClip = '' } = failure?.values ?? {};
  const [times, setTimes] = useState({ start: fromMs, end: toMs });
  const [clipId, setClipId] = useState(sentClip);
  const fields = failure?.fields ?? {};
  const { startMs, endMs } = spanOf(times);
  return (
    <Form method="post" className={classes.part}>
      <PassageFields
        {...{ episode, times }}
        onChange={setTimes}
        names={{ start: 'fromMs', end: 'toMs' }}
        errors={{ start: fields.fromMs?.[0], end: fields.toMs?.[0] }}
        pauses={places.pauses ?? []}
        left={leftOut(places)}
      />
      <NativeSelect
        name="clipId"
        label={t('passage.by')}
        className={classes.choice}
        value={clipId}
        onChange={(event) => setClipId(event.currentTarget.value)}
        error={fields.clipId?.[0]}
        data={[
          { value: '', label: t('passage.nothing') },
          ...clips.map(({ id, name }) => ({ value: `${id}`, label: name })),
        ]}
      />
      {others.length > 0 && (
        <details className={classes.episodes}>
          <summary>{t('passage.others')}</summary>
          <ul>
            {others.map(({ id, name }) => (
              <li key={id}>
                <Checkbox name={episodeName(id)} value="on" label={<span dir="auto">{name}</span>} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className={classes.acts}>
        <SubmitButton intent="replace" quiet>
          {t('passage.replace')}
        </SubmitButton>
        <Button
          type="button"
          variant="subtle"
          disabled={!(endMs > startMs)}
          onClick={() => onListen({ atMs: startMs, toMs: endMs, clipId: Number(clipId) || null })}
          data-needs-script
        >
          {t('passage.listenFirst')}
        </Button>
      </div>
    </Form>
  );
}
