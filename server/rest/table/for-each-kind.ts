import { KINDS, type Kind, type KindName } from '../../domain/products/kinds';
import type { Call } from '../call';

/** The calls that every product kind has under paths of its own. */
export function forEachKind(callsOf: (kind: KindName, traits: Kind) => Call[]): Call[] {
  return (Object.entries(KINDS) as [KindName, Kind][]).flatMap(([kind, traits]) => callsOf(kind, traits));
}
