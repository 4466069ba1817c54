import { runningDatabase } from "/work/main/lib/ops/embedded.ts";
import pg from "pg";
const c = new pg.Client(await runningDatabase("/tmp/accounts-data")); await c.connect();
console.log((await c.query(process.argv[2])).rows); await c.end();
