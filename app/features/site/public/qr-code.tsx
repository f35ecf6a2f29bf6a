import type { QrCodeData } from './qr-code.server';

const QUIET_ZONE = 4;

/** A QR code for a phone's camera. It is always dark on light, because many readers expect that. */
export function QrCode({ code: { size, path }, label }: { code: QrCodeData; label: string }) {
  const side = size + 2 * QUIET_ZONE;
  return (
    <svg className="qr" viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
