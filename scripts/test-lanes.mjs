// Decides which parts of a test run execute in parallel, and with how many processes.
import fs from 'node:fs';
import { buildPart, JOURNEYS, journeysPart, lintPart, typesPart, vitestPart } from './test-parts.mjs';

/** Their figures include the work of what runs beside them: memory of the whole process, or seconds until something is back. */
const MEASURES = /memoryUsage|maxRSS|usedMegabytes|expect\(seconds\)\.toBeLessThan/;

/**
 * Sequential steps, each with parallel lanes, each a list of [name, part]. So no processor is idle while journeys and
 * integration wait.
 * @param {{ chosen: string[], leftOut: string[] }} options names of the parts to run, all if empty
 */
export function everydayLanes({ chosen, leftOut }) {
  // One process loads each module once; integration waits for its database and timers, so it has two.
  const parts = {
    build: buildPart,
    journeys: leftOut.includes(JOURNEYS)
      ? { ...journeysPart, env: { ...journeysPart.env, SAMPLES: 'off' } }
      : journeysPart,
    integration: vitestPart('integration', { leftOut, workers: 2 }),
    lint: lintPart,
    unit: vitestPart('unit', { leftOut, workers: 1 }),
    types: typesPart,
  };
  const unknown = chosen.filter((name) => !(name in parts));
  if (unknown.length > 0)
    throw new Error(`no such part: ${unknown.join(', ')} (there are ${Object.keys(parts).join(', ')})`);
  const lane = (...names) =>
    names.filter((name) => chosen.length === 0 || chosen.includes(name)).map((name) => [name, parts[name]]);
  return [[lane('build', 'journeys'), lane('integration'), lane('lint', 'unit', 'types')]];
}

/**
 * Full proofs in two lanes, and then those that measure memory or time alone. With NODE_NEXT, the path of another Node, unit
 * tests also run there. Proofs with a database wait for processes and timers most of the time, so four run at once.
 * @param {{ files: string[], hasFiles: boolean }} options the files or folders to run, all if none is given
 */
export function deepLanes({ files, hasFiles }) {
  const others = files.filter((file) => file !== JOURNEYS);
  const hasTests = hasFiles && (others.length > 0 || files.length === 0);
  const hasJourneys = hasFiles && (files.length === 0 || files.includes(JOURNEYS));
  const alone = testFilesIn(others).filter((file) => MEASURES.test(fs.readFileSync(file, 'utf8')));
  const deep = (project, workers) => [[project, vitestPart(project, { files: others, leftOut: alone, workers })]];
  const { NODE_NEXT: node } = process.env;
  const next = node
    ? [['unit-next', vitestPart('unit-next', { project: 'unit', workers: 1, node, env: { DEEP: '' } })]]
    : [];
  const first = [
    ...(hasTests ? deep('unit', 1) : []),
    ...(hasJourneys
      ? [
          ['build', buildPart],
          ['journeys', journeysPart],
        ]
      : []),
  ];
  const second = [...(hasTests ? deep('integration', 4) : []), ...next];
  const steps = [[first, second]];
  return hasTests && alone.length > 0 ? [...steps, [aloneLane(alone)]] : steps;
}

const aloneLane = (files) =>
  ['unit', 'integration'].map((project) => {
    const name = `${project}-alone`;
    return [name, vitestPart(name, { project, files, workers: 1, flags: '--isolate' })];
  });

function testFilesIn(places) {
  const folders = ['tests', ...fs.readdirSync('packages').map((name) => `packages/${name}/tests`)];
  const names = folders.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
  );
  const isChosen = (file) => places.length === 0 || places.some((place) => file.startsWith(place));
  return names.filter((file) => /\.test\.tsx?$/.test(file) && isChosen(file)).sort();
}
