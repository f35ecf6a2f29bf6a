import type { Delivered, DeliverRequest } from './port';
import type { OpenResponse, Requester } from './requests';

/**
 * Posts a message to an address that somebody entered. Whatever the status, it is an answer; an answer whose body breaks
 * off or takes too long has the part that came.
 */
export async function deliver(requests: Requester, request: DeliverRequest): Promise<Delivered> {
  const { url, headers, body, answerMs, answerBytes } = request;
  const response = await requests.get({ url, headers, body, maxBytes: answerBytes, lane: 'message', answerMs });
  try {
    return { status: response.status, answer: await readStart(response, answerBytes) };
  } finally {
    response.done();
  }
}

async function readStart({ body }: OpenResponse, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    // the status is the answer
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
