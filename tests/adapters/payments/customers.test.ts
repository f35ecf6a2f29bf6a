import { customerChecks } from './customers.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(customerChecks);
