import { periodChecks } from './periods.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(periodChecks);
