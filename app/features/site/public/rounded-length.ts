/** A length in seconds below a minute, otherwise in minutes: the key of its text and its number. */
export function roundedLength(seconds: number): { unit: 'seconds' | 'minutes'; count: number } {
  const whole = Math.max(1, Math.round(seconds));
  return whole < 60 ? { unit: 'seconds', count: whole } : { unit: 'minutes', count: Math.round(whole / 60) };
}
