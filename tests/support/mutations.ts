const PIECES = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '</item>',
  '<item>',
  '</',
  '<!DOCTYPE',
  '\0',
  '\xff\xfe',
  'xmlns=""',
  '&#x0;',
  '<?xml encoding="utf-16"?>',
];

/** Applies one to four mutations: flipped bits, inserted pieces, removed, doubled or moved ranges, a missing end. */
export function mutate(bytes: Buffer, pick: (below: number) => number): Buffer {
  let mutated: Buffer = Buffer.from(bytes);
  for (let times = 1 + pick(4); times > 0; times--) mutated = once(mutated, pick);
  return mutated;
}

function once(bytes: Buffer, pick: (below: number) => number): Buffer {
  const at = pick(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + pick(200));
  const [before, stretch, rest] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (pick(6)) {
    case 0:
      return Buffer.concat([before, Buffer.from(stretch.map((byte) => byte ^ (1 << pick(8)))), rest]);
    case 1:
      return Buffer.concat([before, Buffer.from(PIECES[pick(PIECES.length)]!, 'latin1'), stretch, rest]);
    case 2:
      return Buffer.concat([before, rest]);
    case 3:
      return Buffer.concat([before, stretch, stretch, rest]);
    case 4:
      return Buffer.concat([stretch, before, rest]);
    default:
      return before.length > 0 ? before : bytes;
  }
}
