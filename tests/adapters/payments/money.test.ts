import { moneyChecks } from './money.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(moneyChecks);
