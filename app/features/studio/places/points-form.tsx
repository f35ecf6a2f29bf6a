import { NativeSelect, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { SectionTitle } from '~/app/components/section-title';
import { SoundPlayer } from '~/app/components/sound-player';
import { SubmitButton } from '~/app/components/submit-button';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { parseClock } from '~/server/base/time';
import type { PlacesView } from '~/server/domain/insertions/episode-places';
import { nearestPause } from '~/server/domain/insertions/rules';
import { POINT_LIMITS } from '~/server/limits/insertions';
import { pointName } from './place-values';
import classes from './places.module.css';
import { PointMarks } from './point-marks';
import { useSound } from './use-sound';

export type SoundOfEpisode = {
  id: number;
  url: string | null;
  durationSeconds: number | null;
  waveform: string | null;
};
export type ClipChoice = { id: number; name: string };
type Props = { episode: SoundOfEpisode; places: PlacesView; clips: ClipChoice[]; failure?: FormFailure };

/** The passages of the present file that a clip or nothing replaces. */
export const leftOut = ({ passages }: PlacesView) =>
  passages
    .filter(({ isOfFormerFile }) => !isOfFormerFile)
    .map(({ fromMs, toMs }) => ({ startMs: fromMs, endMs: toMs }));

/** The mid-rolls of an episode: times that snap to pauses, with the waveform. */
export function PointsForm({ episode, places, clips, failure }: Props) {
  const { t } = useTranslation('places');
  const audio = useRef<HTMLAudioElement>(null);
  const pauses = places.pauses ?? [];
  const rows = usePointRows(places, failure);
  const [clipId, setClipId] = useState('');
  const sound = useSound(episode.id);
  const isHydrated = useHydrated();
  const known = rows.times.map(parseClock).filter((ms) => !Number.isNaN(ms));
  const free = places.proposals.filter(({ atMs }) => known.every((ms) => Math.abs(ms - atMs) >= POINT_LIMITS.apartMs));
  const addHere = () => {
    const ms = (audio.current?.currentTime ?? 0) * 1000;
    // no place is nearer to the start or the end
    const { edgeMs } = POINT_LIMITS;
    rows.add(nearestPause(pauses, ms)?.atMs ?? Math.max(edgeMs, Math.min(ms, places.durationMs - edgeMs)));
  };
  return (
    <section className={classes.part} aria-labelledby="mid-rolls">
      <SectionTitle id="mid-rolls">{t('point.title')}</SectionTitle>
      <p>{t(places.pauses === null ? 'point.notMeasured' : pauses.length === 0 ? 'point.noPauses' : 'point.help')}</p>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {episode.url && (
        <SoundPlayer
          src={new URL(episode.url).pathname}
          durationSeconds={episode.durationSeconds}
          waveform={episode.waveform}
          marksMs={[...new Set(known)]}
          left={leftOut(places)}
          audio={audio}
        >
          <PointMarks
            places={rows.times.map((time) => parseClock(time) || 0)}
            durationMs={places.durationMs}
            pauses={pauses}
            onMove={(index, ms) => rows.change(index, formatClockTime(ms))}
          />
        </SoundPlayer>
      )}
      <div className={classes.acts} data-needs-script>
        <Button type="button" variant="default" onClick={addHere}>
          {t('point.addHere')}
        </Button>
        {free.map(({ atMs }) => (
          <Button key={atMs} type="button" variant="subtle" onClick={() => rows.add(atMs)}>
            {t('point.addProposed', { time: formatClockTime(atMs) })}
          </Button>
        ))}
      </div>
      <Form method="post" className={classes.part}>
        {rows.times.length === 0 && <p data-needs-script>{t(free.length > 0 ? 'point.none' : 'point.noneProposed')}</p>}
        <ol className={classes.rows}>
          {rows.times.map((time, index) => (
            <li key={index} className={classes.row}>
              <TextInput
                name={pointName(index)}
                value={time}
                label={t('point.number', { number: index + 1 })}
                placeholder="0:00"
                className={classes.time}
                error={index === 0 ? failure?.fields.points?.[0] : undefined}
                onChange={(event) => rows.change(index, event.currentTarget.value)}
              />
              <div className={classes.acts} data-needs-script>
                <Button
                  type="button"
                  variant="subtle"
                  onClick={() => void sound.hear({ atMs: parseClock(time) || 0, clipId: Number(clipId) || null })}
                  aria-label={t('point.listenTo', { number: index + 1 })}
                >
                  {t('point.listen')}
                </Button>
                <Button
                  type="button"
                  variant="subtle"
                  color="gray"
                  onClick={() => rows.remove(index)}
                  aria-label={t('point.removeOf', { number: index + 1 })}
                >
                  {t('point.remove')}
                </Button>
              </div>
            </li>
          ))}
        </ol>
        <EmptyRow index={rows.times.length} proposals={places.proposals.map(({ atMs }) => formatClockTime(atMs))} />
        {clips.length > 0 && rows.times.length > 0 && (
          <NativeSelect
            label={t('sound.with')}
            description={t('sound.withHelp')}
            className={classes.choice}
            value={clipId}
            onChange={(event) => setClipId(event.currentTarget.value)}
            data={[
              { value: '', label: t('sound.without') },
              ...clips.map(({ id, name }) => ({ value: `${id}`, label: name })),
            ]}
            data-needs-script
          />
        )}
        <p role="status">{sound.message}</p>
        <div>
          <SubmitButton intent="points" disabled={isHydrated && !rows.isChanged}>
            {t('point.save')}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** Without JavaScript there is no button that adds a row. */
function EmptyRow({ index, proposals }: { index: number; proposals: string[] }) {
  const { t } = useTranslation('places');
  return (
    <noscript>
      <label>
        {t('point.number', { number: index + 1 })}{' '}
        <input name={pointName(index)} placeholder={proposals[0] ?? '0:00'} />
      </label>
    </noscript>
  );
}

/** The times of the form; after a failure, those that were sent. */
function usePointRows({ points }: PlacesView, failure?: FormFailure) {
  const sent = Object.entries(failure?.values ?? {}).flatMap(([name, value]) =>
    /^point-\d+$/.test(name) ? [value] : [],
  );
  const saved = points.map(({ atMs }) => formatClockTime(atMs));
  const [times, setTimes] = useState(() => (sent.length > 0 ? sent : saved));
  const inOrder = (all: string[]) => [...all].sort((a, b) => (parseClock(a) || 0) - (parseClock(b) || 0));
  return {
    times,
    /** Points of a former file are saved as they are, for the new one. */
    isChanged: times.join() !== saved.join() || points.some(({ isOfFormerFile }) => isOfFormerFile),
    add: (ms: number) => setTimes((all) => inOrder([...all, formatClockTime(ms)]).slice(0, POINT_LIMITS.perEpisode)),
    change: (index: number, time: string) => setTimes((all) => all.map((each, i) => (i === index ? time : each))),
    remove: (index: number) => setTimes((all) => all.filter((_, i) => i !== index)),
  };
}
