/** The thread that signs; dkim-threads.ts starts it. A signature with RSA-2048 takes a quarter of a millisecond. */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { DkimKey } from './dkim-signature';

export type SignTask = { id: number; key: DkimKey; texts: string[] };
export type SignReply = { id: number; signatures: string[] } | { id: number; error: string };

const keys = new Map<string, KeyObject>();
const MAX_KEYS = 100;

function keyOf({ privateKey }: DkimKey): KeyObject {
  const known = keys.get(privateKey);
  if (known) return known;
  if (keys.size >= MAX_KEYS) keys.clear();
  const key = createPrivateKey(privateKey);
  keys.set(privateKey, key);
  return key;
}

function signText(key: DkimKey, text: string): string {
  if (key.algorithm === 'rsa-sha256') return sign('sha256', Buffer.from(text), keyOf(key)).toString('base64');
  // RFC 8463 §3: Ed25519 signs the hash
  return sign(null, createHash('sha256').update(text).digest(), keyOf(key)).toString('base64');
}

parentPort?.on('message', ({ id, key, texts }: SignTask) => {
  let reply: SignReply;
  try {
    reply = { id, signatures: texts.map((text) => signText(key, text)) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
