/** The browser's own audio controls. It loads nothing before the visitor plays it. */
export function NativeAudio({ src, label }: { src: string; label: string }) {
  // biome-ignore lint/a11y/useMediaCaption: spoken audio; the page shows its transcript
  return <audio controls preload="none" src={src} aria-label={label} />;
}
