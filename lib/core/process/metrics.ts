import "server-only";
import { Counter, Gauge, Registry } from "prom-client";
import { processWide } from "@/lib/core/process-wide";
import { PRODUCT_KEY } from "@/lib/core/product";

// The counters of /metrics, which grow with each event. lib/metrics.ts adds the values that are read on each request.

/** The registry of all values in /metrics. */
export const registry = processWide("metrics", () => new Registry());

const REQUEST = ["method", "route", "status"] as const;

const counters = processWide("metrics-counters", () => ({
  requests: new Counter({
    name: `${PRODUCT_KEY}_requests_total`,
    help: "Requests that got a response; status 499 means that the client disconnected first",
    labelNames: REQUEST,
    registers: [registry],
  }),
  seconds: new Counter({
    name: `${PRODUCT_KEY}_request_seconds_total`,
    help: "Seconds from the header of a request to the end of its response",
    labelNames: REQUEST,
    registers: [registry],
  }),
  refusedSignIns: new Counter({
    name: `${PRODUCT_KEY}_sign_ins_refused_total`,
    help: "Refused sign-ins, by error code",
    labelNames: ["reason"],
    registers: [registry],
  }),
}));

/** Counts a finished request by its route, which contains no ids. */
export function countRequest(method: string, route: string, status: number, ms: number): void {
  counters.requests.inc({ method, route, status });
  counters.seconds.inc({ method, route, status }, ms / 1000);
}

/** Counts a refused sign-in. */
export const countRefusedSignIn = (reason: string): void => counters.refusedSignIns.inc({ reason });

/** Returns a value of /metrics that is set on each request for the metrics. */
export const gauge = <Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> => new Gauge({ name: `${PRODUCT_KEY}_${name}`, help, labelNames, registers: [registry] });
