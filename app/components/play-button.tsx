import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { playSound } from '~/app/lib/play-sound';
import { useTranslation } from '~/app/lib/translation';
import { PauseIcon, PlayIcon } from './icons';
import { NativeAudio } from './native-audio';
import classes from './play-button.module.css';

type Props = { src: string; name: string };

/** The one that plays: a list is heard one row after the other. */
let current: HTMLAudioElement | null = null;

/**
 * Plays one of the creator's own files, such as a row of a list. The browser loads it when it is played. Without
 * JavaScript, the browser's controls remain.
 */
export function PlayButton({ src, name }: Props) {
  const { t } = useTranslation('studio');
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => () => audio.current?.pause(), []);
  function toggle() {
    const own = audio.current;
    if (!own) return;
    if (!own.paused) return own.pause();
    if (current !== own) current?.pause();
    current = own;
    void playSound(own);
  }
  return (
    <>
      <ActionIcon
        type="button"
        size={32}
        radius="xl"
        variant="default"
        className={classes.button}
        onClick={toggle}
        aria-label={t(isPlaying ? 'sound.pauseOf' : 'sound.playOf', { name })}
        data-needs-script
      >
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </ActionIcon>
      {/* biome-ignore lint/a11y/useMediaCaption: the creator's own recording, heard by its creator */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        hidden
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      <noscript>
        <NativeAudio src={src} label={name} />
      </noscript>
    </>
  );
}
