import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { parseClock } from '~/server/base/time';
import type { PassageView, PlacesView } from '~/server/domain/insertions/episode-places';
import { nearestPause } from '~/server/domain/insertions/rules';
import { episodeName } from './place-values';
import classes from './places.module.css';
import type { ClipChoice } from './points-form';
import { useSound } from './use-sound';

type Props = {
  places: PlacesView;
  clips: ClipChoice[];
  /** Other episodes of the show, in which the same passage can be replaced. */
  others: { id: number; name: string }[];
  failure?: FormFailure;
};

/** Passages that listeners get otherwise, such as an old sponsor's read, and a form to replace another one. */
export function PassagesForm({ places, clips, others, failure }: Props) {
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
      <NewPassage {...{ places, clips, others, failure }} onListen={(place) => void sound.hear(place)} />
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
    <li className={classes.row}>
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

function NewPassage({ places, clips, others, failure, onListen }: Props & { onListen: OnListen }) {
  const { t } = useTranslation('places');
  const { fromMs = '', toMs = '', clipId = '' } = failure?.values ?? {};
  const [values, setValues] = useState({ fromMs, toMs, clipId });
  const pauses = places.pauses ?? [];
  const set = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  /** A time that was typed moves to the pause beside it, which still can be changed. */
  const snap = (name: 'fromMs' | 'toMs') => () => {
    const ms = parseClock(values[name]);
    const pause = Number.isNaN(ms) ? null : nearestPause(pauses, ms, SNAP_MS);
    if (pause) setValues({ ...values, [name]: formatClockTime(pause.atMs) });
  };
  const time = (name: 'fromMs' | 'toMs') => ({
    name,
    value: values[name],
    placeholder: '0:00',
    className: classes.time,
    error: failure?.fields[name]?.[0],
    onChange: set(name),
    onBlur: snap(name),
  });
  const heard = {
    atMs: parseClock(values.fromMs),
    toMs: parseClock(values.toMs),
    clipId: Number(values.clipId) || null,
  };
  const isForward = heard.toMs > heard.atMs;
  return (
    <Form method="post" className={classes.part}>
      <div className={classes.row}>
        <TextInput {...time('fromMs')} label={t('passage.from')} />
        <TextInput {...time('toMs')} label={t('passage.to')} />
        <NativeSelect
          name="clipId"
          label={t('passage.by')}
          className={classes.choice}
          value={values.clipId}
          onChange={set('clipId')}
          error={failure?.fields.clipId?.[0]}
          data={[
            { value: '', label: t('passage.nothing') },
            ...clips.map(({ id, name }) => ({ value: `${id}`, label: name })),
          ]}
        />
      </div>
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
        <Button type="button" variant="subtle" disabled={!isForward} onClick={() => onListen(heard)} data-needs-script>
          {t('passage.listenFirst')}
        </Button>
      </div>
    </Form>
  );
}

/** A typed time is meant more exactly than a click on the waveform. */
const SNAP_MS = 1000;
