import type { Channel } from './channel';
import { classifyReply, type SmtpStep } from './classify-reply';
import { prepareTransaction, type Transaction } from './envelope-commands';
import type { BulkMessage, BulkResult } from './message';
import { ProtocolError, type SmtpReply } from './smtp-reply';
import type { Offers, SmtpTimeouts } from './smtp-session';

type Delivery = {
  id: string;
  onResult: OnResult;
  transaction: Transaction;
  /** The first rejection. */
  failed: { step: SmtpStep; reply: SmtpReply } | null;
  hasReset: boolean;
  /** The first slice of the body was written, so the rest must follow. */
  hasBegun: boolean;
  /** The last byte was written: the server may have the whole email. */
  isComplete: boolean;
};
type Command = { delivery: Delivery; piece: string | Buffer; step: SmtpStep | null };

export type OnResult = (result: BulkResult) => void;
export type PipelineEvents = {
  /** More messages may be submitted. */
  onRoom(): void;
  /** All results are there, and no more can be submitted. */
  onEnd(reason: Error): void;
};

/**
 * Emails that may be in flight at once with CHUNKING. If the connection is lost, all of them are unknown, so there are
 * only as many as hide the time for an answer.
 */
const CHUNKED_WINDOW = 4;
/** With DATA, the server must agree first, so the next envelope travels with the former email. */
const DATA_WINDOW = 2;
const QUIT_MS = 2000;

export type Pipeline = ReturnType<typeof createPipeline>;

/** Sends emails over an open session, several at once with PIPELINING (RFC 2920). */
export function createPipeline(
  { channel, offers }: { channel: Channel; offers: Offers },
  timeouts: SmtpTimeouts,
  events: PipelineEvents,
) {
  const inFlight: Delivery[] = [];
  let outbox: Command[] = [];
  const awaiting: { delivery: Delivery; step: SmtpStep }[] = [];
  let waitsForGo = false;
  /** The server still has a transaction open that has failed. */
  let isDirty = false;
  let isEnded = false;
  let isQuitting = false;
  let progressAt = performance.now();
  const capacity = !offers.pipelining ? 1 : offers.chunking ? CHUNKED_WINDOW : DATA_WINDOW;
  const watch = setInterval(checkDeadline, Math.min(1000, timeouts.answerMs / 2, timeouts.acceptMs / 2));
  watch.unref();

  function submit(message: BulkMessage, bytes: Buffer, onResult: OnResult): void {
    const transaction = prepareTransaction(message, bytes, offers);
    if ('state' in transaction) {
      onResult(transaction);
      return;
    }
    const delivery: Delivery = {
      id: message.id,
      onResult,
      transaction,
      failed: null,
      hasReset: false,
      hasBegun: false,
      isComplete: false,
    };
    if (inFlight.length === 0) progressAt = performance.now();
    inFlight.push(delivery);
    outbox.push(
      { delivery, piece: transaction.mail, step: 'mail' },
      { delivery, piece: transaction.rcpt, step: 'rcpt' },
      ...(offers.chunking ? bodyOf(delivery) : [{ delivery, piece: 'DATA\r\n', step: 'data' as const }]),
    );
    pump();
  }

  function pump(): void {
    while (!isEnded && outbox.length > 0 && !waitsForGo && !channel.isFull()) {
      if (!offers.pipelining && awaiting.length > 0) return;
      const command = outbox.shift()!;
      const isAfterOthers = isDirty || (offers.chunking && awaiting.length > 0);
      if (command.step === 'mail' && isAfterOthers && !command.delivery.hasReset) {
        // a transaction that has failed, or still may, must not swallow this one
        command.delivery.hasReset = true;
        isDirty = false;
        outbox.unshift(command);
        write({ ...command, piece: 'RSET\r\n', step: 'reset' });
      } else write(command);
    }
  }

  function write({ delivery, piece, step }: Command): void {
    if (Buffer.isBuffer(piece)) delivery.hasBegun = true;
    if (step === 'end') delivery.isComplete = true;
    if (step === 'data') waitsForGo = true;
    if (step) awaiting.push({ delivery, step });
    channel.write(piece);
  }

  function onReply(reply: SmtpReply): void {
    const head = awaiting.shift();
    progressAt = performance.now();
    if (reply.code === 421) shutDown(head, reply);
    else if (!head || !isPossible(head.step, reply)) channel.destroy(new ProtocolError('an answer out of turn'));
    else onAnswer(head.delivery, head.step, reply);
  }

  function onAnswer(delivery: Delivery, step: SmtpStep, reply: SmtpReply): void {
    if (step === 'data') waitsForGo = false;
    if (reply.code >= 400) fail(delivery, step, reply);
    else if (step === 'data') outbox.unshift(...goOn(delivery));
    if (step === 'end' || (delivery.failed && !isOpen(delivery))) settle(delivery, classifyOf(delivery, step, reply));
    pump();
    if (hasRoom()) events.onRoom();
  }

  function fail(delivery: Delivery, step: SmtpStep, reply: SmtpReply): void {
    delivery.failed ??= { step, reply };
    if (step !== 'end') isDirty = true;
    if (!delivery.hasBegun) outbox = outbox.filter((command) => command.delivery !== delivery);
  }

  /** Some servers agree to data although they have rejected the recipient: they get none. */
  function goOn(delivery: Delivery): Command[] {
    return delivery.failed ? [{ delivery, piece: '.\r\n', step: 'end' }] : bodyOf(delivery);
  }

  const isOpen = (delivery: Delivery) =>
    awaiting.some((entry) => entry.delivery === delivery) || outbox.some((entry) => entry.delivery === delivery);

  function settle(delivery: Delivery, result: BulkResult): void {
    inFlight.splice(inFlight.indexOf(delivery), 1);
    delivery.onResult(result);
  }

  /** 421: the server answers and accepts nothing any more (RFC 5321 §3.8), so what follows is certainly not sent. */
  function shutDown(head: (typeof awaiting)[number] | undefined, reply: SmtpReply): void {
    const delivery = head?.delivery;
    const isOfConnection = !head || head.step === 'reset' || head.step === 'mail';
    if (delivery && (delivery.failed || !isOfConnection)) {
      settle(delivery, classifyOf(delivery, head.step, reply));
    }
    for (const later of inFlight) later.isComplete = false;
    channel.destroy(new Error(`the mail server answered ${reply.code} ${reply.text}`));
  }

  function onEnd(reason: Error): void {
    if (isEnded) return;
    isEnded = true;
    clearInterval(watch);
    for (const delivery of [...inFlight]) {
      const { id, failed, isComplete } = delivery;
      if (failed) settle(delivery, classifyReply(id, failed.step, failed.reply));
      else settle(delivery, { id, state: isComplete ? 'unknown' : 'unsent', text: reason.message });
    }
    events.onEnd(reason);
  }

  /** A server that stops reading is as late as one that does not answer. */
  function checkDeadline(): void {
    if (inFlight.length === 0) return;
    const limit = awaiting[0]?.step === 'end' ? timeouts.acceptMs : timeouts.answerMs;
    if (performance.now() - progressAt > limit) channel.destroy(new Error('the mail server does not answer'));
  }

  function onDrain(): void {
    progressAt = performance.now();
    pump();
    if (hasRoom()) events.onRoom();
  }

  const hasRoom = () => !isEnded && !isQuitting && inFlight.length < capacity && !channel.isFull();

  channel.listen({ onReply, onEnd, onDrain });
  return {
    submit,
    hasRoom,
    isIdle: () => inFlight.length === 0,
    isEnded: () => isEnded,
    /** Once everything is answered. */
    quit(): void {
      if (isEnded || isQuitting) return;
      isQuitting = true;
      channel.write('QUIT\r\n');
      channel.listen({ onReply: () => channel.destroy(new Error('closed')), onEnd });
      setTimeout(() => channel.destroy(new Error('closed')), QUIT_MS).unref();
    },
  };
}

function bodyOf(delivery: Delivery): Command[] {
  const { body } = delivery.transaction;
  return body.map((piece, i) => ({ delivery, piece, step: i === body.length - 1 ? 'end' : null }));
}

const isPossible = (step: SmtpStep, { code }: SmtpReply): boolean =>
  code >= 400 || (step === 'data' ? code === 354 : code < 300);

function classifyOf({ id, failed }: Delivery, step: SmtpStep, reply: SmtpReply): BulkResult {
  return failed ? classifyReply(id, failed.step, failed.reply) : classifyReply(id, step, reply);
}
