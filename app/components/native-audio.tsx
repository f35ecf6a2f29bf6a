/** The browser's own audio controls. It loads nothing before the visitor plays it. */
export function NativeAudio({ src, label, hidden }: { src: string; label: string; hidden?: boolean }) {
  // biome-ignore lint/a11y/useMediaCaption: spoken audio; the page shows its transcript
  return <audio hidden={hidden} controls preload="none" src={src} aria-label={label} />;
}
