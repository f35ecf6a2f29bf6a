import { KIND_NAMES, KINDS, type KindName } from '~/server/domain/products/kinds';

/** Which kind of product an address is about: `/es/account/audio-series/7/episodes` → 'audio_series'; null for another page. */
export function kindOfAddress(pathname: string): KindName | null {
  const segments = new Set(pathname.split('/'));
  return KIND_NAMES.find((name) => segments.has(KINDS[name].path)) ?? null;
}
