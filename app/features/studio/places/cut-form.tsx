import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { SubmitButton } from '~/app/components/submit-button';
import { PassageFields } from '~/app/features/studio/sound/passage-fields';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form, useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { SECONDS } from '~/server/base/time';
import type { PlacesView } from '~/server/domain/insertions/episode-places';
import { CLIP_LIMITS } from '~/server/limits/insertions';
import { CLIP_FILE_LIMITS } from '~/server/limits/media';
import classes from './places.module.css';
import type { SoundOfEpisode } from './points-form';

type ChooseProps = { episodes: { id: number; name: string }[]; chosen: number; hidden: Record<string, string> };

/** Opens another episode. `hidden`: the rest of the query. */
export function ChooseEpisode({ episodes, chosen, hidden }: ChooseProps) {
  const { t } = useTranslation('places');
  const submit = useSubmit();
  return (
    <Form method="get" className={classes.row} onChange={(event) => submit(event.currentTarget)}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <NativeSelect
        name="episode"
        label={t('cut.episode')}
        className={classes.choice}
        defaultValue={`${chosen}`}
        key={chosen}
        data={episodes.map(({ id, name }) => ({ value: `${id}`, label: name }))}
      />
      <noscript>
        <Button type="submit" variant="default">
          {t('cut.open')}
        </Button>
      </noscript>
    </Form>
  );
}

const DEFAULT_MS = SECONDS(30);

type Props = { episode: SoundOfEpisode & { name: string }; places: PlacesView; failure?: FormFailure };

/** Cuts a passage of the episode as a clip. */
export function CutForm({ episode, places, failure }: Props) {
  const { t } = useTranslation('places');
  const sent = failure?.values;
  const [times, setTimes] = useState({
    start: sent?.startMs ?? '0:00',
    end: sent?.endMs ?? formatClockTime(Math.min(DEFAULT_MS, places.durationMs)),
  });
  const fields = failure?.fields ?? {};
  return (
    <Form method="post" className={classes.part}>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <input type="hidden" name="episodeId" value={episode.id} />
      {places.pauses === null && <p>{t('cut.notMeasured')}</p>}
      <PassageFields
        {...{ episode, times }}
        onChange={setTimes}
        names={{ start: 'startMs', end: 'endMs' }}
        errors={{ start: fields.startMs?.[0], end: fields.endMs?.[0] }}
        pauses={places.pauses ?? []}
        longestMs={CLIP_FILE_LIMITS.longestMs}
        plays
      />
      <TextInput
        name="name"
        label={t('cut.name')}
        defaultValue={sent?.name ?? ''}
        maxLength={CLIP_LIMITS.nameLength}
        autoComplete="off"
        className={classes.choice}
        error={fields.name?.[0]}
      />
      <div>
        <SubmitButton>{t('cut.save')}</SubmitButton>
      </div>
    </Form>
  );
}
