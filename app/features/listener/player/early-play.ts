/** The audio element that plays before the player loads, and the ID of its episode. The player then takes it over. */
export type EarlyPlay = { id: string; audio: HTMLAudioElement };

declare global {
  interface Window {
    earlyPlay?: EarlyPlay;
    /** Set once React handles clicks. */
    playerReady?: boolean;
  }
}

/**
 * Plays an episode at once: browsers allow sound only during the click itself, and the player may still have to load. A
 * second click pauses it.
 * @param button has the episode's ID; its sibling is the audio element that works without JavaScript
 */
export function playEarly(button: HTMLElement, seconds = 0): void {
  const id = button.dataset.play ?? '';
  const src = button.parentElement?.querySelector('audio')?.src;
  const current = window.earlyPlay;
  if (current?.id === id && seconds === 0) toggle(current.audio, button);
  else if (src) {
    current?.audio.pause();
    const audio = new Audio(src);
    audio.currentTime = seconds;
    window.earlyPlay = { id, audio };
    toggle(audio, button);
  }
}

/** The button gets the player's own state when the page hydrates. */
function toggle(audio: HTMLAudioElement, button: HTMLElement) {
  button.dataset.playing = String(audio.paused);
  // the player reports failures
  if (audio.paused) audio.play().catch(() => {});
  else audio.pause();
}
