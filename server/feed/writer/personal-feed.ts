import { escapeXml } from './xml';

/** A place where the feeds of two listeners differ: a literal part, or a value of the listener. */
type Slot = { kind: 'self' | 'name' } | { kind: 'access'; episodeId: number };
export type FeedTemplate = { parts: (Buffer | Slot)[]; bytes: number };
type Personal = { self: string; name: string; access(episodeId: number): string };

/**
 * Placeholders for the personal values of a feed, which `toTemplate` finds again. `secret` is random, so no text of a
 * creator can look like one.
 */
export function placeholders(secret: string): Personal {
  return {
    self: `${secret}self-`,
    name: `${secret}name-`,
    access: (episodeId) => `${secret}${episodeId}-`,
  };
}

export function toTemplate(xml: Buffer, secret: string): FeedTemplate {
  const parts = xml.toString().split(new RegExp(`${secret}(self|name|\\d+)-`));
  // a captured group follows each literal part
  return { parts: parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part) : toSlot(part))), bytes: xml.length };
}

const toSlot = (found: string): Slot =>
  found === 'self' || found === 'name' ? { kind: found } : { kind: 'access', episodeId: Number(found) };

/** The feed of one listener. */
export function fillTemplate({ parts }: FeedTemplate, { self, name, access }: Personal): Buffer {
  const signed = new Map<number, Buffer>();
  const texts = { self: Buffer.from(escapeXml(self)), name: Buffer.from(escapeXml(name)) };
  return Buffer.concat(
    parts.map((part) => {
      if (!('kind' in part)) return part;
      if (part.kind !== 'access') return texts[part.kind];
      const known = signed.get(part.episodeId) ?? Buffer.from(access(part.episodeId));
      signed.set(part.episodeId, known);
      return known;
    }),
  );
}
