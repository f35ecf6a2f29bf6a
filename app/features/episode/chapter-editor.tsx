import { Alert, Button, TextInput } from '@mantine/core';
import { Form } from '@remix-run/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FormStateProvider } from '~/app/components/form-context';
import { SoundPlayer } from '~/app/components/sound-player';
import { SubmitButton } from '~/app/components/submit-button';
import { PictureField } from '~/app/features/upload/picture-field';
import { isUnderway } from '~/app/features/upload/transfer';
import { useUpload } from '~/app/features/upload/use-upload';
import { formatClockTime } from '~/app/lib/clock';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { Chapter } from '~/server/domain/episodes/schema';
import type { EpisodeView } from '~/server/domain/episodes/views';
import { coverUrls } from '~/server/domain/media/rules';
import { parseClock } from '~/server/time';
import { type ChapterField, type ChapterRow, EMPTY_ROW, fieldName, isBlank, rowsFrom, toRow } from './chapter-values';
import classes from './sound-tools.module.css';

type Row = ChapterRow & { id: number };
type Props = { episode: EpisodeView; chapters: Chapter[]; failure?: FormFailure };

/** Empty rows, so that the form works without JavaScript too. */
const SPARE_ROWS = 2;

/** The chapters of an episode: a list of fields, and the waveform to find their times. */
export function ChapterEditor({ episode, chapters, failure }: Props) {
  const { t } = useTranslation('episode');
  const audio = useRef<HTMLAudioElement>(null);
  const editor = useRows(() => (failure ? rowsFrom(failure.values) : chapters.map(toRow)), failure);
  const { rows, busy } = editor;
  const marksMs = rows.map(({ startMs }) => parseClock(startMs)).filter((ms) => !Number.isNaN(ms));

  function play(startMs: string) {
    const at = parseClock(startMs);
    if (!audio.current || Number.isNaN(at)) return;
    audio.current.currentTime = at / 1000;
    void audio.current.play();
  }

  return (
    <div className={classes.tools}>
      <p>{t('chapters.help')}</p>
      {chapters.length === 0 && !failure && <p>{t('chapters.none')}</p>}
      {episode.url && (
        <SoundPlayer
          src={new URL(episode.url).pathname}
          durationSeconds={episode.durationSeconds}
          waveform={episode.waveform}
          marksMs={[...new Set(marksMs)]}
          audio={audio}
        />
      )}
      <div data-needs-script>
        <Button type="button" variant="default" onClick={() => editor.add(audio.current?.currentTime ?? 0)}>
          {t('chapters.addHere')}
        </Button>
      </div>
      {failure?.message && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {failure?.fields.chapters && (
        <Alert color="red" variant="light" role="alert">
          {failure.fields.chapters[0]}
        </Alert>
      )}
      <FormStateProvider value={editor.form}>
        <Form method="post" className={classes.rows}>
          {rows.map((row, index) => (
            <ChapterFields key={row.id} {...{ row, index, editor }} episodeId={episode.id} onPlay={play} />
          ))}
          <div>
            <SubmitButton disabled={busy.size > 0}>{t('chapters.save')}</SubmitButton>
          </div>
        </Form>
      </FormStateProvider>
    </div>
  );
}

/** The rows as they are edited. Errors name rows as they were submitted: without the empty ones. */
function useRows(initial: () => ChapterRow[], failure: FormFailure | undefined) {
  const nextId = useRef(0);
  const withId = (row: ChapterRow): Row => ({ ...row, id: nextId.current++ });
  const [rows, setRows] = useState(() => [...initial(), ...Array(SPARE_ROWS).fill(EMPTY_ROW)].map(withId));
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const change = (index: number, field: ChapterField, value: string) =>
    setRows((current) => current.map((row, i) => (i === index ? { ...row, [field]: value } : row)));
  const form = useMemo(() => {
    const filled = rows.flatMap((row, index) => (isBlank(row) ? [] : [index]));
    const errors = Object.fromEntries(
      Object.entries(failure?.fields ?? {}).map(([name, [message = '']]) => {
        const [, row = '', field = ''] = /^chapters\.(\d+)\.(\w+)$/.exec(name) ?? [];
        return [fieldName(filled[Number(row)] ?? 0, field as ChapterField), message];
      }),
    );
    const setValue = (name: string, value: string) => {
      const [, row = '', field = ''] = /^chapters\.(\d+)\.(\w+)$/.exec(name) ?? [];
      change(Number(row), field as ChapterField, value);
    };
    return { values: {}, errors, setValue, setDefault: setValue, setError: () => {} };
  }, [rows, failure]);
  return {
    rows,
    busy,
    form,
    change,
    add(seconds: number) {
      const row = withId({ ...EMPTY_ROW, startMs: formatClockTime(seconds * 1000) });
      const at = rows.findIndex(({ startMs }) => !(parseClock(startMs) <= seconds * 1000));
      setRows(at === -1 ? [...rows, row] : rows.toSpliced(at, 0, row));
    },
    remove: (id: number) => setRows((current) => current.filter((row) => row.id !== id)),
    setBusy: (id: number, isBusy: boolean) =>
      setBusy((current) => {
        const others = [...current].filter((other) => other !== id);
        return new Set(isBusy ? [...others, id] : others);
      }),
  };
}

type FieldsProps = {
  row: Row;
  index: number;
  editor: ReturnType<typeof useRows>;
  episodeId: number;
  onPlay: (startMs: string) => void;
};

function ChapterFields({ row, index, editor, episodeId, onPlay }: FieldsProps) {
  const { t } = useTranslation('episode');
  const text = (field: 'startMs' | 'title' | 'url') => ({
    name: fieldName(index, field),
    value: row[field],
    error: editor.form.errors[fieldName(index, field)],
    onChange: (event: { currentTarget: { value: string } }) => editor.change(index, field, event.currentTarget.value),
  });
  return (
    <fieldset className={classes.row}>
      <legend className="hidden-visually">{t('chapters.number', { number: index + 1 })}</legend>
      <TextInput {...text('startMs')} label={t('chapters.time')} placeholder="0:00" className={classes.time} />
      <TextInput {...text('title')} label={t('chapters.name')} className={classes.title} />
      <TextInput {...text('url')} label={t('chapters.link')} placeholder="https://" className={classes.link} />
      <div className={classes.acts} data-needs-script data-blank={isBlank(row) || undefined}>
        <Button type="button" variant="subtle" onClick={() => onPlay(row.startMs)}>
          {t('chapters.play')}
        </Button>
        <Button type="button" variant="subtle" color="gray" onClick={() => editor.remove(row.id)}>
          {t('chapters.delete')}
        </Button>
      </div>
      <input type="hidden" name={fieldName(index, 'picture')} value={row.picture} />
      {!isBlank(row) && <ChapterPicture {...{ row, index, editor, episodeId }} />}
    </fieldset>
  );
}

function ChapterPicture({ row, index, editor, episodeId }: Omit<FieldsProps, 'onPlay'>) {
  const { t } = useTranslation('episode');
  const upload = useUpload(`chapters-${episodeId}`, `${row.id}`, 'chapter_image');
  const isBusy = isUnderway(upload.transfer);
  const { setBusy } = editor;
  useEffect(() => void setBusy(row.id, isBusy), [isBusy, row.id]);
  const current = row.picture ? coverUrls(row.picture).webp[96] : null;
  return (
    <details className={classes.picture}>
      <summary>{t(current ? 'chapters.hasPicture' : 'chapters.addPicture')}</summary>
      <PictureField
        name={fieldName(index, 'imageKey')}
        upload={upload}
        label={t('chapters.picture')}
        help={t('chapters.pictureHelp')}
        current={current}
      />
      {current && (
        <Button type="button" variant="subtle" color="gray" onClick={() => editor.change(index, 'picture', '')}>
          {t('chapters.noPicture')}
        </Button>
      )}
    </details>
  );
}
