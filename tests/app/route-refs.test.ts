import fs from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import * as routeRefs from '~/app/lib/route-refs';

const THROWING = new Set(Object.keys(routeRefs));

/** Calls that throw for a bad address while requests before them in the same `Promise.all` have started. */
function lateReads(text: string): string[] {
  const found: string[] = [];
  const isThrowing = (node: ts.Node) => ts.isCallExpression(node) && THROWING.has(node.expression.getText());
  const findIn = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (isThrowing(node)) found.push(node.getText());
    ts.forEachChild(node, findIn);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'Promise.all') {
      const [requests] = node.arguments;
      if (requests && ts.isArrayLiteralExpression(requests)) for (const one of requests.elements.slice(1)) findIn(one);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true));
  return found;
}

test('calls that throw after a request has started are found', () => {
  expect(lateReads('await Promise.all([load(productRef(door)), rest(one, parseId(id))])')).toEqual(['parseId(id)']);
  expect(lateReads('await Promise.all([load(door), ids.map((id) => parseId(id))])')).toEqual([]);
});

// nobody awaits the request that has started, so its failure would end the process
test('pages read the identifiers in their address before any request starts', () => {
  const files = fs.readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const late = files.flatMap((file) => lateReads(fs.readFileSync(`app/${file}`, 'utf8')).map((call) => [file, call]));
  expect(late).toEqual([]);
});
