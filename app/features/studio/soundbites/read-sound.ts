/** The decoded sound of a soundbite, and its loudest moments from 0 to 1 at equal distances. */
export type ReadSound = { sound: AudioBuffer; peaks: number[] };

const BARS = 72;
const RATE = 48_000;

/** @throws if the file can't be loaded or decoded */
export async function readSound(path: string): Promise<ReadSound> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const decoder = new OfflineAudioContext({ length: 1, numberOfChannels: 1, sampleRate: RATE });
  const sound = await decoder.decodeAudioData(await response.arrayBuffer());
  return { sound, peaks: peaksOf(sound.getChannelData(0)) };
}

function peaksOf(samples: Float32Array): number[] {
  const size = Math.max(1, Math.floor(samples.length / BARS));
  const found = Array.from({ length: BARS }, (_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((most, value) => Math.max(most, Math.abs(value)), 0),
  );
  const loudest = Math.max(...found, 0.01);
  return found.map((peak) => peak / loudest);
}
