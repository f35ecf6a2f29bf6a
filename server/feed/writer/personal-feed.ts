import { escapeXml } from './xml';

/** A place where the feeds of two listeners differ. */
export type Slot = { kind: 'self' | 'name' } | { kind: 'access'; episodeId: number };
/** Literal parts, and the slots between them. */
export type FeedTemplate = { parts: (Buffer | Slot)[]; bytes: number };
/** The values of one listener. */
export type Personal = { self: string; name: string; access(episodeId: number): string };

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
export function fillTemplate({ parts }: FeedTemplate, personal: Personal): Buffer {
  const valueIn = slotValues(personal);
  return Buffer.concat(parts.map((part) => ('kind' in part ? valueIn(part) : part)));
}

/** The bytes for each slot. An episode's access is signed once, although several files of it may need it. */
export function slotValues({ self, name, access }: Personal): (slot: Slot) => Buffer {
  const signed = new Map<number, Buffer>();
  const texts = { self: Buffer.from(escapeXml(self)), name: Buffer.from(escapeXml(name)) };
  return (slot) => {
    if (slot.kind !== 'access') return texts[slot.kind];
    const known = signed.get(slot.episodeId) ?? Buffer.from(access(slot.episodeId));
    signed.set(slot.episodeId, known);
    return known;
  };
}
