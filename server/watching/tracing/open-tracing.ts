import type { IncomingMessage } from 'node:http';
import {
  type Context,
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { SECONDS } from '../../base/time';
import type { TracingSettings } from '../../env/tracing';
import type { ObservedResponse } from '../observed-response';
import { UNMATCHED } from '../request-counts';
import type { EndSpan, Tracing } from './tracing';

/** Spans that wait for the collector; further ones are dropped. A span has about a kilobyte. */
const QUEUE = { maxQueueSize: 4096, maxExportBatchSize: 512, scheduledDelayMillis: SECONDS(1) } as const;
const SEND_TIMEOUT = SECONDS(5);
/** Limits the wait at the end of the process. */
const CLOSE_TIMEOUT = SECONDS(2);
const MAX_STATEMENT = 2000;

/**
 * @param trusted whether a proxy of ours may continue its trace (`traceparent`); other clients could choose what is
 * traced
 */
export function openTracing(settings: TracingSettings, { trusted }: { trusted: boolean }): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: SEND_TIMEOUT,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { ...QUEUE, exportTimeoutMillis: SEND_TIMEOUT })],
  });
  // without it, spans would not find their parent
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('altavoz');
  return {
    request: traceRequests(tracer, trusted),
    job: ({ name, id }, work) => {
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CONSUMER, attributes: { 'messaging.message.id': id } },
        ROOT_CONTEXT,
      );
      return runInSpan(span, context.active(), work);
    },
    call: (name, work) =>
      isWithin() ? runInSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT }), context.active(), work) : work(),
    statement: (text) => (isWithin() ? traceStatement(tracer, text) : ignore),
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), timeout(CLOSE_TIMEOUT)]);
    },
  };
}

/** Outside of requests and jobs, a process queries its database every second to see whether it answers. */
const isWithin = (): boolean => trace.getSpan(context.active())?.isRecording() === true;
const ignore: EndSpan = () => {};

function traceRequests(tracer: Tracer, trusted: boolean): Tracing['request'] {
  const propagator = new W3CTraceContextPropagator();
  return (req, res, handle) => {
    const before = trusted ? propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter) : ROOT_CONTEXT;
    const span = tracer.startSpan(req.method ?? '', { kind: SpanKind.SERVER }, before);
    if (span.isRecording()) res.once('close', () => endRequest(span, req, res));
    context.with(trace.setSpan(before, span), handle);
  };
}

function endRequest(span: Span, req: IncomingMessage, res: ObservedResponse): void {
  const route = res.route ?? UNMATCHED;
  span.updateName(`${req.method} ${route}`);
  span.setAttributes({
    'http.request.method': req.method ?? '',
    'http.route': route,
    'altavoz.request_id': res.requestId,
    'altavoz.cache_hit': res.isFromCache,
    ...(res.headersSent && { 'http.response.status_code': res.statusCode }),
  });
  if (res.hasFailed || res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function traceStatement(tracer: Tracer, text: string): EndSpan {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_STATEMENT) };
  const span = tracer.startSpan(verb, { kind: SpanKind.CLIENT, attributes });
  return (error) => endSpan(span, error);
}

/** Records only the code of an error: its message may contain text that users typed. */
function endSpan(span: Span, error: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', typeOf(error));
  }
  span.end();
}

function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : (name ?? 'unknown')).slice(0, 100);
}

/** Ends the span with the promise, or at once if there is none. */
function runInSpan<T>(span: Span, around: Context, work: () => T): T {
  return context.with(trace.setSpan(around, span), () => {
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      result.then(
        () => span.end(),
        (error) => endSpan(span, error),
      );
      return result;
    } catch (error) {
      endSpan(span, error);
      throw error;
    }
  });
}

const timeout = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
