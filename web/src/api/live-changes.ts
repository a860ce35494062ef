import type { Schemas } from '../../../src/generated/client-api.ts';
import { operationsByResource } from '../../../src/generated/resources.ts';
import { basePath, withBasePath } from './page-location.ts';
import { queryClient } from './query-client.ts';
import type { ApiOperationId } from './session.ts';

/** Debounce window for refetching after change events. */
const debounceMs = 400;
/**
 * Pause after a refetch, as a multiple of its duration. The pause leaves the server capacity for other work
 * when queries are slow.
 */
const cooldownFactor = 3;
const maxCooldownMs = 5_000;
const channelName = withBasePath('pacekeeper-changes');
const pending = new Set<ApiOperationId>();
let isRefetching = false;
let pauseCount = 0;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Schedules a refetch of these operations. A running refetch finishes first: if every change restarted it,
 * frequent changes would prevent any result.
 */
function scheduleRefetch(operationIds: readonly ApiOperationId[]): void {
  for (const id of operationIds) pending.add(id);
  if (!isRefetching && pauseCount === 0 && pending.size > 0) void refetchPending();
}

async function refetchPending(): Promise<void> {
  isRefetching = true;
  await sleep(debounceMs);
  if (pauseCount === 0) {
    const due = new Set<unknown>(pending);
    pending.clear();
    const begin = performance.now();
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => due.has(queryKey[0]) });
    await sleep(Math.min(cooldownFactor * (performance.now() - begin), maxCooldownMs));
  }
  isRefetching = false;
  scheduleRefetch([]);
}

/**
 * Cancels running queries and pauses refetching until the returned function is called. Without the pause, the
 * page of a resource that is being deleted would request the resource again.
 */
export function pauseRefetching(): () => void {
  pauseCount += 1;
  void queryClient.cancelQueries();
  return () => {
    pauseCount -= 1;
    scheduleRefetch([]);
  };
}

type StreamMessage =
  | { kind: 'change'; change: Schemas['ChangeEvent'] }
  | { kind: 'missed' }
  | { kind: 'lost' };

/**
 * Emits `doubt` when the stream breaks, because the server can be unavailable long before a request fails.
 */
export const connectionEvents = new EventTarget();

function apply(message: StreamMessage): void {
  if (message.kind === 'change') scheduleRefetch(operationsByResource[message.change.resource] ?? []);
  else if (message.kind === 'missed') void queryClient.invalidateQueries();
  else connectionEvents.dispatchEvent(new Event('doubt'));
}

/**
 * Subscribes to changes on the server. One tab of the browser holds the stream and broadcasts its messages to
 * the other tabs, because each user can have only a few streams. Call the returned function to unsubscribe.
 */
export function subscribeToChanges(): () => void {
  const stopping = new AbortController();
  const others = new BroadcastChannel(channelName);
  others.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => apply(data));
  const broadcast = (message: StreamMessage) => {
    apply(message);
    others.postMessage(message);
  };
  const holdStream = () => streamChanges(broadcast, stopping.signal);
  if ('locks' in navigator) {
    void navigator.locks.request(channelName, { signal: stopping.signal }, holdStream).catch(() => {});
  } else {
    void holdStream();
  }
  return () => {
    stopping.abort();
    others.close();
  };
}

/**
 * Opens the event stream and resolves when `stop` aborts. The browser reconnects a broken stream; a rejected
 * stream is reopened after 5 s. The server sends changes that happened before the stream opened, for example
 * between the first queries and the stream, or after another tab closed its stream.
 */
function streamChanges(broadcast: (message: StreamMessage) => void, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // The signal can abort just before the lock is granted.
    if (stop.aborted) return resolve();
    let source: EventSource;
    let wasOpen = false;
    let again: ReturnType<typeof setTimeout>;
    const open = () => {
      source = new EventSource(`${basePath}/api/v1/client/events`);
      source.addEventListener('open', () => {
        if (wasOpen) broadcast({ kind: 'missed' });
        wasOpen = true;
      });
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        broadcast({ kind: 'change', change: JSON.parse(data) as Schemas['ChangeEvent'] });
      });
      source.addEventListener('error', () => {
        broadcast({ kind: 'lost' });
        if (source.readyState !== EventSource.CLOSED) return;
        // The server rejected the stream, usually because the access token expired. Retry later, because the next
        // request of the page renews the token.
        again = setTimeout(open, 5_000);
        broadcast({ kind: 'missed' });
      });
    };
    open();
    stop.addEventListener('abort', () => {
      clearTimeout(again);
      source.close();
      resolve();
    });
  });
}
