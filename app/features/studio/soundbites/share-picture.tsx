import { SegmentedControl } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Button } from '~/app/components/button';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { CaptionedSoundbite } from '~/server/domain/soundbites/list-soundbites';
import { drawPicture, type PictureContent, SHAPES, type Shape } from './draw-picture';
import { encodeOnServer, Refused } from './encode-on-server';
import type { ReadSound } from './read-sound';
import classes from './soundbites.module.css';

/** What all pictures of an episode's soundbites have. */
export type PictureFrame = { show: string; cover: string; colors: PictureContent['colors'] };
type Props = { soundbite: CaptionedSoundbite; frame: PictureFrame };
type Loaded = { content: PictureContent; sound: ReadSound['sound'] };
/** `share`: null while the server encodes. */
type Work = { share: number | null; stop: AbortController };

const SHAPE_NAMES: Shape[] = ['square', 'vertical', 'wide'];

/** A picture and a video of a soundbite, drawn and encoded in the browser. */
export function SharePicture({ soundbite, frame }: Props) {
  const { t } = useTranslation('soundbites');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shape, setShape] = useState<Shape>('square');
  const [work, setWork] = useState<Work | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const loaded = useContent(soundbite, frame, () => setProblem(t('share.problem.load')));
  const canEncode = useStudio().convertsAudio;

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context && loaded) drawPicture(context, shape, { content: loaded.content, atMs: 0 });
  }, [loaded, shape]);
  useEffect(() => () => work?.stop.abort(), [work?.stop]);

  const name = `${fileNameOf(soundbite.title)}-${shape}`;
  function savePicture() {
    canvas.current?.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
  }
  async function saveVideo({ content, sound }: Loaded) {
    const stop = new AbortController();
    const onProgress = (share: number) => setWork({ share, stop });
    const { signal } = stop;
    setProblem(null);
    onProgress(0);
    try {
      const { makeVideo } = await import('./make-video');
      const make = (allowsOthers: boolean) => makeVideo({ shape, content, sound, allowsOthers, onProgress, signal });
      const onServer = () => {
        setWork({ share: null, stop });
        return encodeOnServer({ soundbiteId: soundbite.id, shape, content, signal });
      };
      const video = (await make(false)) ?? (canEncode ? await onServer() : null) ?? (await make(true));
      if (video) save(video, `${name}.mp4`);
      else setProblem(t('share.problem.no_video'));
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof Refused ? error.message : t('share.problem.video'));
    }
    setWork(null);
  }

  return (
    <div className={classes.share}>
      <SegmentedControl
        aria-label={t('share.shape')}
        value={shape}
        onChange={(value) => setShape(value as Shape)}
        disabled={work !== null}
        data={SHAPE_NAMES.map((value) => ({ value, label: t(`share.${value}`) }))}
      />
      <canvas
        ref={canvas}
        {...SHAPES[shape]}
        className={classes.picture}
        data-shape={shape}
        role="img"
        aria-label={t('share.picture', { title: soundbite.title })}
      />
      <div className={classes.links}>
        <Button type="button" variant="default" onClick={savePicture} disabled={!loaded}>
          {t('share.savePicture')}
        </Button>
        {work === null && (
          <Button type="button" variant="default" onClick={() => loaded && void saveVideo(loaded)} disabled={!loaded}>
            {t('share.saveVideo')}
          </Button>
        )}
        {work && (
          <>
            <progress value={work.share ?? undefined} max={1} aria-label={t('share.making')} />
            {work.share !== null && <span className={classes.time}>{Math.floor(work.share * 100)}&nbsp;%</span>}
            <Button type="button" variant="default" onClick={() => work.stop.abort()}>
              {t('share.stop')}
            </Button>
          </>
        )}
      </div>
      <p role="status" className={classes.fact}>
        {problem}
      </p>
    </div>
  );
}

/** Loads the cover and the sound; null until they are there. */
function useContent(soundbite: CaptionedSoundbite, frame: PictureFrame, onProblem: () => void): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const failed = useRef(onProblem);
  failed.current = onProblem;
  useEffect(() => {
    let isHere = true;
    async function load() {
      const { readSound } = await import('./read-sound');
      const cover = new Image();
      cover.src = frame.cover;
      const [{ sound, peaks }] = await Promise.all([readSound(soundbite.audio), cover.decode()]);
      const { title, captions, startMs, endMs } = soundbite;
      const { show, colors } = frame;
      const content = { title, captions, durationMs: endMs - startMs, show, colors, cover, peaks };
      if (isHere) setLoaded({ content, sound });
    }
    load().catch(() => isHere && failed.current());
    return () => {
      isHere = false;
    };
  }, [soundbite, frame]);
  return loaded;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // the download has begun by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const fileNameOf = (title: string): string =>
  title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'soundbite';
