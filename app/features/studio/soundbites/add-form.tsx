import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { SectionTitle } from '~/app/components/section-title';
import { SubmitButton } from '~/app/components/submit-button';
import { spanOf } from '~/app/features/studio/sound/passage';
import { PassageFields } from '~/app/features/studio/sound/passage-fields';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeView } from '~/server/domain/episodes/views';
import { SOUNDBITE_LIMITS } from '~/server/limits/soundbites';
import { choosePassage, titleFrom } from './choose-passage';
import { type Passage, PassageList, type PassagePart } from './passage-list';
import classes from './soundbites.module.css';

const { longestMs, recommendedMs, titleLength } = SOUNDBITE_LIMITS;
const DEFAULT_MS = 2 * recommendedMs;

type Props = {
  episode: Pick<EpisodeView, 'url' | 'durationSeconds' | 'waveform'>;
  part: PassagePart | null;
  failure?: FormFailure;
};

/** Chooses a passage of the episode, in its transcript or on its waveform, and names it. */
export function AddForm({ episode, part, failure }: Props) {
  const { t } = useTranslation('soundbites');
  const sent = failure?.values;
  const durationMs = (episode.durationSeconds ?? 0) * 1000;
  const [times, setTimes] = useState({
    start: sent?.startMs ?? '0:00',
    end: sent?.endMs ?? formatClockTime(Math.min(DEFAULT_MS, durationMs)),
  });
  const [title, setTitle] = useState(sent?.title ?? '');
  const [isOwnTitle, setOwnTitle] = useState(Boolean(sent?.title));
  const fields = failure?.fields ?? {};
  const span = spanOf(times);

  function choose(passage: Passage) {
    const { startMs, endMs } = choosePassage(span, passage);
    setTimes({ start: formatClockTime(startMs), end: formatClockTime(roundUp(endMs, durationMs)) });
    const first = part?.passages.find((each) => each.startMs >= startMs) ?? passage;
    if (!isOwnTitle) setTitle(titleFrom(first.text));
  }

  return (
    <Form method="post" className={classes.part} aria-labelledby="add-soundbite">
      <SectionTitle id="add-soundbite">{t('add.title')}</SectionTitle>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {part && <PassageList part={part} span={span} onChoose={choose} />}
      <PassageFields
        {...{ episode, times }}
        onChange={setTimes}
        names={{ start: 'startMs', end: 'endMs' }}
        errors={{ start: fields.startMs?.[0], end: fields.endMs?.[0] }}
        longestMs={longestMs}
        plays
      />
      <p className={classes.fact}>
        {isShort(span) && <strong role="status">{t('add.short', { min: recommendedMs / 1000 })} </strong>}
        {t('add.lengths', { min: recommendedMs / 1000, max: longestMs / 1000 })}
      </p>
      <TextInput
        name="title"
        label={t('name')}
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value);
          setOwnTitle(event.currentTarget.value !== '');
        }}
        dir="auto"
        maxLength={titleLength}
        autoComplete="off"
        error={fields.title?.[0]}
      />
      <div>
        <SubmitButton intent="add">{t('add.submit')}</SubmitButton>
      </div>
    </Form>
  );
}

/** Shorter ones are allowed, but podcast apps may leave them out. */
const isShort = ({ startMs, endMs }: ReturnType<typeof spanOf>) => endMs > startMs && endMs - startMs < recommendedMs;

/** A field has tenths of a second: the last word is heard to its end, within the episode. */
const roundUp = (ms: number, durationMs: number) => Math.min(Math.ceil(ms / 100) * 100, durationMs || ms);
