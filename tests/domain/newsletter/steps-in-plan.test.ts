import { expect, test } from 'vitest';
import { later, MINUTES } from '~/server/base/time';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import type { Ctx } from '~/server/runtime/ctx';
import { automationStage } from './running-automations';

const { clock, publisher, addContacts, running, signUp, send, emailsOf } = await automationStage();

test('an email that did not leave counts when it does', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);

  await send(steps[0]!, { answer: () => ({ state: 'unsent' as const }) });
  expect(await emailsOf(owner.creatorId)).toBe(0);
  await send(steps[0]!, { now: later(clock.now, MINUTES(5)) });

  expect(await emailsOf(owner.creatorId)).toBe(1);
});

test('a worker that is killed after it has recorded what did not leave counts no email twice', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);
  async function killed(ctx: Ctx, step: { editionId: number }) {
    const { bulkMail } = ctx.ports;
    const die: typeof bulkMail.send = async (messages, onResults) => {
      await bulkMail.send(messages, onResults);
      throw new Error('killed');
    };
    await deliverStep({ ...ctx, ports: { ...ctx.ports, bulkMail: { ...bulkMail, send: die } } }, step);
  }

  const answer = () => ({ state: 'unsent' as const });
  await expect(send(steps[0]!, { answer, run: killed })).rejects.toThrow('killed');
  await send(steps[0]!, { now: later(clock.now, MINUTES(5)) });

  expect(await emailsOf(owner.creatorId)).toBe(1);
});
