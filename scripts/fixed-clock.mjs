// `NODE_OPTIONS=--import=…/fixed-clock.mjs FIXED_CLOCK=2026-11-24T10:00:00Z`: the process and those that it starts begin at
// this moment, and their clocks run on from there. Pictures of the demo show the same days whenever they are taken.
const start = Date.parse(process.env.FIXED_CLOCK ?? '');
// the first process of the tree says when that moment was
process.env.FIXED_CLOCK_BEGAN ??= String(Date.now());
const shift = start - Number(process.env.FIXED_CLOCK_BEGAN);

if (Number.isFinite(shift)) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(RealDate.now() + shift);
      else super(...values);
    }

    static now() {
      return RealDate.now() + shift;
    }
  };
}
