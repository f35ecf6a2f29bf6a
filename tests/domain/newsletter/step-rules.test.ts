import { expect, test } from 'vitest';
import { DAYS, later } from '~/server/base/time';
import { mustWait, type StepFacts, whySkipped } from '~/server/domain/newsletter/rules';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';

const NOW = new Date('2026-03-01T10:00:00Z');
const FACTS: StepFacts = {
  mayGet: true,
  hasLeft: false,
  trigger: 'sign_up',
  keepsShow: false,
  isOnHold: false,
  dueAt: NOW,
};

test.each<[string, Partial<StepFacts>, string | null]>([
  ['a new reader', {}, null],
  ['one whose address is suppressed', { mayGet: false }, 'left'],
  ['one who has left and come back', { hasLeft: true }, 'left'],
  ['a subscriber', { trigger: 'purchase', keepsShow: true }, null],
  ['a subscriber who has cancelled', { trigger: 'purchase' }, 'ended'],
  ['one who has left a show', { trigger: 'cancellation' }, null],
  ['one who has come back to it', { trigger: 'cancellation', keepsShow: true }, 'ended'],
  ['one who has left a show while a payment was overdue', { trigger: 'cancellation', isOnHold: true }, null],
  ['an email that is just in time', { dueAt: later(NOW, -AUTOMATION_LIMITS.lateAfter) }, null],
  ['an email that is days late', { dueAt: later(NOW, -AUTOMATION_LIMITS.lateAfter - 1) }, 'late'],
  ['a late email to a subscriber who has cancelled', { trigger: 'purchase', dueAt: later(NOW, -DAYS(9)) }, 'ended'],
])('whether %s gets the email of a step', (_, over, reason) => {
  expect(whySkipped({ ...FACTS, ...over }, NOW)).toBe(reason);
});

test.each<[string, Partial<StepFacts>, boolean]>([
  ['whose subscription is on hold', {}, true],
  ['who has bought the show, too', { keepsShow: true }, false],
  ['who has left the list', { hasLeft: true }, false],
  ['whose address is suppressed', { mayGet: false }, false],
  ['who pays', { isOnHold: false, keepsShow: true }, false],
  ['who has signed up', { trigger: 'sign_up' }, false],
  ['who has cancelled', { trigger: 'cancellation' }, false],
])('whether the email to one %s waits', (_, over, waits) => {
  expect(mustWait({ ...FACTS, trigger: 'purchase', isOnHold: true, ...over })).toBe(waits);
});
