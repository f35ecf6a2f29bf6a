import { useEffect, useRef, useState } from 'react';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { FormStateProvider } from '~/app/components/form-context';
import { RowField } from '~/app/components/row-field';
import { SoundPlayer } from '~/app/components/sound-player';
import { SubmitButton } from '~/app/components/submit-button';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { isUnderway } from '~/app/features/studio/upload/transfer';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import type { FormFailure } from '~/app/lib/doors.server';
import { playSound } from '~/app/lib/play-sound';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { Chapter } from '~/db/values/episodes';
import { parseClock } from '~/server/base/time';
import type { EpisodeView } from '~/server/domain/episodes/views';
import { coverUrls } from '~/server/domain/media/rules';
import { ChapterMarks } from './chapter-marks';
import { fieldName, isBlank } from './chapter-values';
import classes from './sound-tools.module.css';
import { type ChapterRows, type EditedRow, useChapterRows } from './use-chapter-rows';

type Props = { episode: EpisodeView; chapters: Chapter[]; failure?: FormFailure };

/** The chapters of an episode: a list of fields, and the waveform for finding times. */
export function ChapterEditor({ episode, chapters, failure }: Props) {
  const { t } = useTranslation('episode');
  const audio = useRef<HTMLAudioElement>(null);
  const editor = useChapterRows({ episode, chapters, failure });
  const { rows, busy } = editor;
  const marksMs = rows.map(({ startMs }) => parseClock(startMs)).filter((ms) => !Number.isNaN(ms));

  function play(startMs: string) {
    const at = parseClock(startMs);
    if (!audio.current || Number.isNaN(at)) return;
    audio.current.currentTime = at / 1000;
    void playSound(audio.current);
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
        >
          {episode.durationSeconds !== null && (
            <ChapterMarks
              rows={rows}
              durationSeconds={episode.durationSeconds}
              onMove={(row, startMs) => editor.change(row, 'startMs', startMs)}
            />
          )}
        </SoundPlayer>
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

type FieldsProps = {
  row: EditedRow;
  index: number;
  editor: ChapterRows;
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
      <RowField {...text('startMs')} label={t('chapters.time')} placeholder="0:00" className={classes.time} />
      <RowField {...text('title')} label={t('chapters.name')} className={classes.title} />
      <RowField {...text('url')} label={t('chapters.link')} placeholder="https://" className={classes.link} />
      <div className={classes.acts} data-needs-script data-blank={isBlank(row) || undefined}>
        <button type="button" className={classes.act} onClick={() => onPlay(row.startMs)}>
          {t('chapters.play')}
        </button>
        <button type="button" className={classes.act} data-quiet onClick={() => editor.remove(row.id)}>
          {t('chapters.delete')}
        </button>
      </div>
      <input type="hidden" name={fieldName(index, 'picture')} value={row.picture} />
      {!isBlank(row) && <ChapterPicture {...{ row, index, editor, episodeId }} />}
    </fieldset>
  );
}

/** The field for a picture is only there while somebody needs it: hundreds of them would take seconds of the processor. */
function ChapterPicture({ row, index, editor, episodeId }: Omit<FieldsProps, 'onPlay'>) {
  const { t } = useTranslation('episode');
  const upload = useUpload(`chapters-${episodeId}`, `${row.id}`, 'chapter_image');
  const isBusy = isUnderway(upload.transfer);
  const { setBusy } = editor;
  useEffect(() => void setBusy(row.id, isBusy), [isBusy, row.id]);
  const current = row.picture ? coverUrls(row.picture).webp[96] : null;
  const name = fieldName(index, 'imageKey');
  const hasError = editor.form.errors[name] !== undefined;
  const { element, isOpen, onToggle } = useOpened();
  const isNeeded = isOpen || hasError || upload.transfer.phase !== 'idle';
  return (
    <details
      ref={element}
      className={classes.picture}
      data-needs-script
      open={hasError || undefined}
      onToggle={onToggle}
    >
      <summary>{t(current ? 'chapters.hasPicture' : 'chapters.addPicture')}</summary>
      {isNeeded && (
        <PictureField
          name={name}
          upload={upload}
          label={t('chapters.picture')}
          help={t('chapters.pictureHelp')}
          current={current}
        />
      )}
      {isNeeded && current && (
        <Button type="button" variant="subtle" color="gray" onClick={() => editor.change(index, 'picture', '')}>
          {t('chapters.noPicture')}
        </Button>
      )}
    </details>
  );
}

/** Whether details are open; a browser may have opened them before React was there. */
function useOpened() {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const onToggle = () => setIsOpen(element.current?.open ?? false);
  useEffect(onToggle, []);
  return { element, isOpen, onToggle };
}
