import { run } from '/work/wt5/benchmarks/feeds';
import { printed } from '/work/wt5/benchmarks/table';

run().then((r) => console.log(printed(r)));
