import type { V1Call } from './v1-call';

export const EXAMPLE_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

type Where = { appUrl: string; path?: string; body?: Record<string, unknown> };

/** Programs that make a call, with the key in the environment. @param where `path`: with the ids of real things */
export function examplesOf(call: V1Call, where: Where): Record<ExampleLanguage, string> {
  const path = where.path ?? call.path.replace(/:\w+/g, '1');
  const query = call.exampleQuery ? `?${new URLSearchParams(call.exampleQuery)}` : '';
  const body = call.method === 'GET' ? null : (where.body ?? call.example ?? null);
  const sent: Sent = {
    method: call.method,
    url: `${where.appUrl}/v1${path}${query}`,
    body,
    hasAnswer: call.out !== null,
  };
  return { curl: inCurl(sent), python: inPython(sent), typescript: inTypescript(sent) };
}

type Sent = { method: string; url: string; body: Record<string, unknown> | null; hasAnswer: boolean };

function inCurl({ method, url, body }: Sent): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`, '-H "Authorization: Bearer $ALTAVOZ_KEY"'];
  if (body) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`);
  return lines.join(' \\\n  ');
}

function inPython({ method, url, body, hasAnswer }: Sent): string {
  const headers = body
    ? `headers = {"Authorization": "Bearer " + os.environ["ALTAVOZ_KEY"], "Content-Type": "application/json"}`
    : `headers = {"Authorization": "Bearer " + os.environ["ALTAVOZ_KEY"]}`;
  const data = body ? [`data = json.dumps(${pythonOf(body)}).encode()`] : [];
  return [
    'import json, os, urllib.request',
    '',
    headers,
    ...data,
    `request = urllib.request.Request("${url}", ${body ? 'data, ' : ''}headers=headers, method="${method}")`,
    'with urllib.request.urlopen(request) as answer:',
    hasAnswer ? '    print(json.load(answer))' : '    print(answer.status)',
  ].join('\n');
}

/** A literal of Python. */
function pythonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonOf(inner)}`)
      .join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

function inTypescript({ method, url, body, hasAnswer }: Sent): string {
  const type = body ? ', "Content-Type": "application/json"' : '';
  const headers = `{ Authorization: "Bearer " + env.ALTAVOZ_KEY${type} }`;
  const lines = [
    'import { env } from "node:process";',
    '',
    `const answer = await fetch("${url}", {`,
    ...(method === 'GET' ? [] : [`  method: "${method}",`]),
    `  headers: ${headers},`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    hasAnswer ? 'console.log(await answer.json());' : 'console.log(answer.status);',
  ];
  return lines.join('\n');
}
