import type { KeyboardEvent, RefObject } from 'react';
import { playSound } from '~/app/lib/play-sound';
import type { PassageTools } from './use-passages';

const BACK_SECONDS = 3;

type Input = {
  audio: RefObject<HTMLAudioElement>;
  tools: PassageTools;
  nextUnsure: () => void;
  openFind: () => void;
};

/** The shortcuts of the editor, which its help lists. */
export function useEditorKeys({ audio, tools, nextUnsure, openFind }: Input) {
  const withControl: Record<string, (event: KeyboardEvent) => void> = {
    b: () => {
      if (audio.current) audio.current.currentTime = Math.max(0, audio.current.currentTime - BACK_SECONDS);
    },
    j: nextUnsure,
    f: openFind,
    z: ({ shiftKey }) => (shiftKey ? tools.redo() : tools.undo()),
    y: tools.redo,
  };
  const togglePlay = () => {
    if (audio.current?.paused) void playSound(audio.current);
    else audio.current?.pause();
  };
  return (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLInputElement;
    const key = event.key.toLowerCase();
    const act =
      event.ctrlKey || event.metaKey ? withControl[key] : key === 'escape' && !isField ? togglePlay : undefined;
    // a field undoes its own letters
    if (!act || event.altKey || event.nativeEvent.isComposing || (isField && (key === 'z' || key === 'y'))) return;
    event.preventDefault();
    act(event);
  };
}
