import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '~/server/http/metrics';
import { cast } from '../support/cast';
import { toolPath } from '../support/tools';

const RULES = 'deploy/prometheus-alerts.yml';
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const { runtime, dataDir } = await cast({ empty: true });
const names = new Set(
  [...(await createMetrics(runtime).read()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  ),
);
const dashboard: Dashboard = JSON.parse(fs.readFileSync('deploy/grafana-dashboard.json', 'utf8'));
const ofDashboard = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const ofRules = [...fs.readFileSync(RULES, 'utf8').matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);

/** The names in an expression that are neither functions, keywords nor labels. */
function metricsOf(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) ?\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z]\w+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(?:by|without)$/.test(name));
}

test('alerts and dashboard name only metrics that a process shows', () => {
  const named = [...ofRules, ...ofDashboard].flatMap(metricsOf);

  expect(ofRules.length).toBeGreaterThan(9);
  expect(named.length).toBeGreaterThan(25);
  expect(
    [...new Set(named)].filter((name) => !names.has(name)),
    'of Prometheus itself',
  ).toEqual(['up']);
});

test.skipIf(toolPath('promtool') === null)('promtool, where installed, reads every rule and expression', () => {
  const rules = {
    groups: [{ name: 'dashboard', rules: ofDashboard.map((expr, i) => ({ record: `panel_${i}`, expr })) }],
  };
  const file = path.join(dataDir, 'dashboard.yml');
  fs.writeFileSync(file, JSON.stringify(rules).replaceAll('$__rate_interval', '5m'));

  expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('rules found');
  expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain('rules found');
});
