import ts from 'typescript';

const SUBQUERY_TAKERS = /^(?:inArray|notInArray|exists|notExists)$/;
const AGGREGATE = /\b(?:count|sum|avg|min|max|bool_and|bool_or|\w+_agg)\(/i;
/** Matches an order, a single row, or a template that is one of the product's statements. */
const HAS_ORDER = /\border by\b|\blimit 1\b|^\(\$\{/i;
const ONE_ID = /\b(?:id|[a-z]+_id) = (?:\$\{|'|\d)/;

/** A select of rows without an order: its lines, and the table that it reads, if Drizzle's name reveals it. */
export type UnorderedSelect = { line: number; end: number; table: string; text: string };

/**
 * Selects of a test that may return several rows in any order, in Drizzle and in SQL. Selects that return one row are
 * fine: they aggregate, have a limit of 1, ask for one id, or the test takes only the first row. Subqueries are fine,
 * too.
 */
export function unorderedSelects(file: string, text: string): UnorderedSelect[] {
  if (!/\bselect\b/i.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: UnorderedSelect[] = [];
  const visit = (node: ts.Node): void => {
    const select = drizzleSelect(node) ?? rawSelect(node);
    if (select && !takesOneRow(select.whole)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ line, end: select.whole.end, table: select.table, text: select.whole.getText() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Select = { whole: ts.Node; table: string };

/** The complete chain of calls that starts with `select` and has no order. */
function drizzleSelect(node: ts.Node): Select | null {
  if (!ts.isCallExpression(node) || !/^select(?:Distinct)?$/.test(methodOf(node))) return null;
  let [whole, table, isFine]: [ts.CallExpression, string, boolean] = [node, '', false];
  while (ts.isPropertyAccessExpression(whole.parent) && ts.isCallExpression(whole.parent.parent)) {
    whole = whole.parent.parent;
    const [method, argument = ''] = [methodOf(whole), whole.arguments[0]?.getText()];
    if (method === 'from') table = argument;
    isFine ||= method === 'orderBy' || (method === 'limit' && argument === '1');
    isFine ||= method === 'where' && /^eq\(\w+\.id, /.test(argument);
  }
  const aggregates = AGGREGATE.test(node.arguments[0]?.getText() ?? '') && !whole.getText().includes('.groupBy(');
  return table === '' || isFine || aggregates ? null : { whole, table };
}

const methodOf = (call: ts.CallExpression) =>
  ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : '';

/** A template that is a complete statement, with the call that runs it. Rows of a constant look the same. */
function rawSelect(node: ts.Node): Select | null {
  if (!ts.isTaggedTemplateExpression(node)) return null;
  const [columns = '', ...others] = node.template
    .getText()
    .slice(1)
    .trim()
    .split(/\sfrom\s/i);
  if (others.length === 0 || !/^select\b/i.test(columns) || /^select (?:1$|pg_\w+_backend)/i.test(columns)) return null;
  const rest = others.join(' from ');
  const aggregates = AGGREGATE.test(columns) && !/\bgroup by\b/i.test(rest);
  if (aggregates || HAS_ORDER.test(rest) || ONE_ID.test(rest)) return null;
  return { whole: ts.isCallExpression(node.parent) ? node.parent : node, table: '' };
}

/** Whether the test takes only the first row, or uses this as part of another query. */
function takesOneRow(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent))
    return takesOneRow(parent);
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression.getText() === '0';
  if (ts.isVariableDeclaration(parent))
    return ts.isArrayBindingPattern(parent.name) && parent.name.elements.length === 1;
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === 'length';
  return ts.isCallExpression(parent) && SUBQUERY_TAKERS.test(parent.expression.getText());
}
