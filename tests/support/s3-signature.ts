import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type Credentials = { accessKeyId: string; secretAccessKey: string };

const sha256 = (body: Buffer | string) => createHash('sha256').update(body).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** `scope` is, for example, `20260101/eu-west-1/s3/aws4_request`. */
function sign(scope: string, text: string, { secretAccessKey }: Credentials): string {
  const key = scope.split('/').reduce<Buffer | string>((sofar, part) => hmac(sofar, part), `AWS4${secretAccessKey}`);
  return hmac(key as Buffer, text).toString('hex');
}

/** The fault of the AWS Signature Version 4 in the Authorization header; null if the signature is valid. */
export function headerFault(
  request: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer },
  credentials: Credentials,
): string | null {
  const { method, url, headers, body } = request;
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const parts = pattern.exec(headers.authorization ?? '');
  if (!parts) return 'AccessDenied';
  const [, accessKeyId, scope, signedHeaders, signature] = parts as unknown as [string, string, string, string, string];
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';

  const payload = String(headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = url.split('?');
  const sortedQuery = query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&');
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, sortedQuery, canonicalHeaders.join(''), signedHeaders, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  return sign(scope, text, credentials) === signature ? null : 'SignatureDoesNotMatch';
}

type Policy = { expiration: string; conditions: (Record<string, string> | [string, string, string | number])[] };

/** The reason to reject a browser's POST with a signed policy; null if it is valid. */
export function policyFault(
  fields: Record<string, string>,
  fileBytes: number,
  credentials: Credentials,
  now = new Date(),
): string | null {
  const [accessKeyId, ...scope] = (fields['X-Amz-Credential'] ?? '').split('/');
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  if (sign(scope.join('/'), fields.Policy ?? '', credentials) !== fields['X-Amz-Signature'])
    return 'SignatureDoesNotMatch';
  const policy = JSON.parse(Buffer.from(fields.Policy ?? '', 'base64').toString()) as Policy;
  if (new Date(policy.expiration) < now) return 'AccessDenied';
  for (const condition of policy.conditions) {
    const fault = conditionFault(condition, fields, fileBytes);
    if (fault) return fault;
  }
  return null;
}

function conditionFault(condition: Policy['conditions'][number], fields: Record<string, string>, bytes: number) {
  if (!Array.isArray(condition)) {
    const wrong = Object.entries(condition).some(([name, value]) => name !== 'bucket' && fields[name] !== value);
    return wrong ? 'AccessDenied' : null;
  }
  const [operator, subject, value] = condition;
  if (operator === 'content-length-range') {
    if (bytes < Number(subject)) return 'EntityTooSmall';
    return bytes > Number(value) ? 'EntityTooLarge' : null;
  }
  const field = fields[subject.slice(1)] ?? '';
  if (operator === 'eq') return field === value ? null : 'AccessDenied';
  if (operator === 'starts-with') return field.startsWith(String(value)) ? null : 'AccessDenied';
  return 'InvalidPolicyDocument';
}
