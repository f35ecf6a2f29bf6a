import { type ChannelLevels, createChannelMeter, measureSamples } from './weighting';

export const STEPS_PER_SECOND = 20;

/** A twentieth of a second, over all channels. */
export type Step = ChannelLevels & { samples: number };

export type StepMeter = {
  add(channels: Float32Array[]): void;
  /** The complete steps. */
  whole: Step[];
  /** The complete steps and the current one. */
  all(): Step[];
};

/** Splits a stream of samples into steps, each ending at the sample nearest to its time. */
export function stepMeter(sampleRate: number, channels: 1 | 2): StepMeter {
  const ears = Array.from({ length: channels }, () => createChannelMeter(sampleRate));
  const whole: Step[] = [];
  let step = emptyStep();
  let seen = 0;
  const endOfStep = () => Math.round(((whole.length + 1) * sampleRate) / STEPS_PER_SECOND);
  return {
    add(pcm) {
      const total = pcm[0]!.length;
      for (let from = 0, to = 0; from < total; from = to) {
        to = Math.min(total, from + endOfStep() - seen);
        for (const [channel, ear] of ears.entries())
          addLevels(step, measureSamples(ear, pcm[channel]!.subarray(from, to)));
        step.samples += to - from;
        seen += to - from;
        if (seen < endOfStep()) continue;
        whole.push(step);
        step = emptyStep();
      }
    },
    whole,
    all: () => (step.samples > 0 ? [...whole, step] : whole),
  };
}

const emptyStep = (): Step => ({ samples: 0, weighted: 0, power: 0, highest: 0 });

function addLevels(step: Step, levels: ChannelLevels): void {
  step.weighted += levels.weighted;
  step.power += levels.power;
  step.highest = Math.max(step.highest, levels.highest);
}
