import { type Heard, hear, openEar } from './weighting';

export const STEPS_PER_SECOND = 20;

/** A twentieth of a second, over all channels. */
export type Step = Heard & { samples: number };

export type StepMeter = {
  add(channels: Float32Array[]): void;
  /** The steps that are over. */
  whole: Step[];
  /** These and the one that has begun. */
  all(): Step[];
};

/** Cuts the sound that goes by into steps, each ending at the sample nearest to its time. */
export function stepMeter(sampleRate: number, channels: 1 | 2): StepMeter {
  const ears = Array.from({ length: channels }, () => openEar(sampleRate));
  const whole: Step[] = [];
  let step = nothing();
  let seen = 0;
  const endOfStep = () => Math.round(((whole.length + 1) * sampleRate) / STEPS_PER_SECOND);
  return {
    add(pcm) {
      const total = pcm[0]!.length;
      for (let from = 0, to = 0; from < total; from = to) {
        to = Math.min(total, from + endOfStep() - seen);
        for (const [channel, ear] of ears.entries()) join(step, hear(ear, pcm[channel]!.subarray(from, to)));
        step.samples += to - from;
        seen += to - from;
        if (seen < endOfStep()) continue;
        whole.push(step);
        step = nothing();
      }
    },
    whole,
    all: () => (step.samples > 0 ? [...whole, step] : whole),
  };
}

const nothing = (): Step => ({ samples: 0, weighted: 0, power: 0, highest: 0 });

function join(step: Step, heard: Heard): void {
  step.weighted += heard.weighted;
  step.power += heard.power;
  step.highest = Math.max(step.highest, heard.highest);
}
