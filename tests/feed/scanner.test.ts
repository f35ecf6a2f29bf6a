import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { hasForeignSamples, readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { decodeEntities, WINDOWS_1252 } from '~/server/feed/markup/entities';
import { type ScanHandler, scan } from '~/server/feed/markup/scanner';
import { FEED_IMPORT_LIMITS } from '~/server/limits/rss-import';
import { deepSeed, isDeep } from '../support/deep';
import { feedModel } from '../support/feed-models';
import { feedText } from '../support/feed-samples';
import { mutate } from '../support/mutations';
import { seededInts } from '../support/seeded-ints';
import { ODDITIES } from './oddities';

type Event = { open: string; attributes: [string, string][] } | { close: string } | { text: string };

/** Joins adjacent texts and normalizes line ends as XML does. */
function merged(events: Event[]): Event[] {
  const result: Event[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if ('text' in event && last && 'text' in last) last.text += event.text.replace(/\r\n?/g, '\n');
    else result.push('text' in event ? { text: event.text.replace(/\r\n?/g, '\n') } : event);
  }
  return result.filter((event) => !('text' in event) || event.text !== '');
}

/** With `leaves`, the handler takes elements without children at once. */
function ours(source: string, leaves = false): Event[] {
  const events: Event[] = [];
  const names: string[] = [];
  const handler: ScanHandler = {
    open({ name, attributes }) {
      names.push(name);
      events.push({ open: name, attributes: [...attributes] });
    },
    close(name) {
      names.pop();
      events.push({ close: name });
    },
    text: (text) => void (names.length > 0 && events.push({ text })),
    fault: () => {},
    current: () => names.at(-1) ?? '',
  };
  if (leaves)
    handler.leaf = (tag, { start, end }) => {
      handler.open(tag, { start, end });
      handler.text(decodeEntities(source.slice(start, end)));
      handler.close(tag.name, end);
      return true;
    };
  scan(source, handler, { limits: FEED_IMPORT_LIMITS, guessing: false });
  return merged(events);
}

/** Null if saxes reports a fault: only valid documents have a single right reading. */
function saxes(source: string): Event[] | null {
  const events: Event[] = [];
  let depth = 0;
  let sound = true;
  const parser = new SaxesParser();
  parser.on('error', () => {
    sound = false;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    // XML turns line ends and tabs in attributes into spaces; our reader does so later
    events.push({ open: name, attributes: Object.entries(attributes) });
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.push({ close: name });
  });
  // the only intended difference: references to Windows-1252 characters
  const asWindows = (text: string) =>
    text.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!);
  parser.on(
    'text',
    (text) => void (depth > 0 && events.push({ text: source.includes('&#1') ? asWindows(text) : text })),
  );
  parser.on('cdata', (text) => void events.push({ text }));
  parser.write(source).close();
  return sound ? merged(events) : null;
}

const spaced = (events: Event[] | null) =>
  events?.map((event) =>
    'open' in event
      ? { ...event, attributes: event.attributes.map(([name, value]) => [name, value.replace(/\s/g, ' ')]) }
      : event,
  );

test('valid XML gives the same tokens as a strict parser', () => {
  for (const model of fc.sample(feedModel, { numRuns: isDeep ? 1000 : 60, seed: deepSeed() })) {
    const document = feedText(model);
    const strict = saxes(document);

    expect(strict).not.toBeNull();
    expect(spaced(ours(document))).toEqual(spaced(strict));
  }
});

test('valid samples give the same tokens as a strict parser', () => {
  let compared = 0;
  for (const file of sampleFiles()) {
    const source = readSample(file).toString('utf8');
    const strict = saxes(source);
    if (!source || !strict || /<!DOCTYPE/.test(source)) continue;
    compared += 1;
    expect(spaced(ours(source)), file).toEqual(spaced(strict));
  }
  expect(compared).toBeGreaterThan(hasForeignSamples ? 30 : 1);
});

test('elements taken at once give the same tokens as in three calls, however broken the markup is', () => {
  const pick = seededInts(deepSeed());
  const sources = [...sampleFiles().map(readSample), ...ODDITIES.map(([, source]) => Buffer.from(source))];
  for (const [at, source] of sources.entries()) {
    for (const bytes of [source, mutate(source, pick), mutate(source, pick)]) {
      const text = bytes.toString('utf8');
      expect(ours(text, true), `source ${at}`).toEqual(ours(text));
    }
  }
});

test('a tag that is written twice keeps the attributes and the faults of each', () => {
  const tag = '<a href="x" rel="y">';
  const faults: string[] = [];
  const handler = { open() {}, text() {}, close() {}, current: () => '', fault: (fault: string) => faults.push(fault) };
  scan('<b c=d>1</b><b c=d>2</b><b e="&">3</b><b e="&">4</b>', handler, {
    limits: FEED_IMPORT_LIMITS,
    guessing: false,
  });

  expect(ours(`${tag}1</a>${tag}2</a>`).filter((event) => 'open' in event)).toEqual(
    Array(2).fill({
      open: 'a',
      attributes: [
        ['href', 'x'],
        ['rel', 'y'],
      ],
    }),
  );
  expect(faults).toEqual(['broken_attribute', 'broken_attribute', 'bare_ampersand', 'bare_ampersand']);
});
