/** The browser's own audio controls. They load nothing before the visitor presses play. */
export function NativeAudio({ src, label, hidden }: { src: string; label: string; hidden?: boolean }) {
  // biome-ignore lint/a11y/useMediaCaption: audio has no captions; where there is a transcript, the page shows it
  return <audio hidden={hidden} controls preload="none" src={src} aria-label={label} />;
}
