/** Plays a sound from where it is. A pause at the same moment interrupts the start, which is no error. */
export async function playSound(audio: HTMLMediaElement | null | undefined): Promise<void> {
  try {
    await audio?.play();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
