import type { Operator } from '../domain/operators/record-operation';
import type { Ctx } from '../runtime/ctx';
import { type Command, requireReason } from './command';

/** `state`: printed afterwards. `idIn`: reads the ID from the arguments; it throws UsageError. */
type Step<Id> = { name: string; state: string; idIn: (args: string[]) => Id };
type Change<Id> = { operator: Operator; id: Id };
type Verb<Input> = (ctx: Ctx, input: Input) => Promise<void>;

/** A command that calls one verb with one object. */
export const step = <Id extends string | number>({ name, state, idIn }: Step<Id>, verb: Verb<Change<Id>>): Command => ({
  usage: `${name} ID`,
  async run({ ctx, operator }, args) {
    const id = idIn(args);
    await verb(ctx, { operator, id });
    return [{ id, state }];
  },
});

/** A step with a verb that needs a reason. */
export const reasonedStep = <Id extends string | number>(
  { name, state, idIn }: Step<Id>,
  verb: Verb<Change<Id> & { reason: string }>,
): Command => ({
  usage: `${name} ID --reason TEXT`,
  options: ['reason'],
  async run({ ctx, operator }, args, options) {
    const id = idIn(args);
    await verb(ctx, { operator, id, reason: requireReason(options) });
    return [{ id, state }];
  },
});
