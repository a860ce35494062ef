import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { AgentTask } from '../../src/agent/agent-task.ts';

/** State of one task, with all data that the fake received for it. */
export interface FakeTask {
  task: AgentTask;
  state: 'queued' | 'claimed' | 'completed' | 'failed';
  parts: Map<number, unknown[]>;
  renewals: number;
  summary: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  retryable: boolean | null;
}

export interface FakeCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/**
 * Starts a fake agent interface over real HTTP that keeps its tasks in memory. It supports one agent, which
 * registers with its first heartbeat.
 */
export async function startFakeAgentInterface(options: { leaseSeconds?: number } = {}) {
  const tasks = new Map<number, FakeTask>();
  const calls: FakeCall[] = [];
  const polls: (() => void)[] = [];
  let waitingClaims = 0;
  let agentId = 0;
  const fake = {
    url: '',
    tasks,
    calls,
    leaseSeconds: options.leaseSeconds ?? 60,
    /** Returns an error response for a path, or null to process the request normally. */
    refuse: null as ((path: string) => { status: number; code: string; errors?: object[] } | null) | null,
    /** Error code of responses to a lost lease. Older servers send `conflict`. */
    /** True if the fake rejects the item of a task in a batch completion. */
    isUnfit: null as ((item: unknown) => boolean) | null,
    add(task: AgentTask): FakeTask {
      const entry: FakeTask = {
        task,
        state: 'queued',
        parts: new Map(),
        renewals: 0,
        summary: null,
        error: null,
        retryable: null,
      };
      tasks.set(task.task_id, entry);
      for (const wake of polls.splice(0)) wake();
      return entry;
    },
    forgetAgent(): void {
      agentId = 0;
    },
    callsTo: (end: string): FakeCall[] => calls.filter(({ path }) => path.endsWith(end)),
    /** Returns the number of claims whose agents wait for tasks. */
    waitingClaims: () => waitingClaims,
    /** Resolves when every task has completed or failed. */
    async ended(): Promise<void> {
      while ([...tasks.values()].some(({ state }) => state !== 'completed' && state !== 'failed')) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async close(): Promise<void> {
      for (const wake of polls.splice(0)) wake();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/api/v1/agent', '');
    const chunks: Uint8Array[] = [];
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const body: Record<string, unknown> = JSON.parse(text.toString('utf8'));
    calls.push({ path, headers: request.headers, body });
    const refusal = fake.refuse?.(path);
    if (refusal) return refuse(response, refusal.status, refusal.code, refusal.errors);
    if (path === '/heartbeat') {
      agentId ||= Math.floor(Math.random() * 1_000) + 1;
      return send(response, 200, {
        agent_id: agentId,
        server_time: '2026-11-21T05:10:00.000Z',
        lease_seconds: fake.leaseSeconds,
      });
    }
    if (path === '/tasks/claim') return claim(body, response);
    if (path === '/tasks/complete-batch') return completeBatch(body, response);
    const [, id, action] = /^\/tasks\/(\d+)\/(\w+)$/u.exec(path) ?? [];
    const entry = tasks.get(Number(id));
    if (!entry) return refuse(response, 404, 'not_found');
    if (entry.state !== 'claimed' || body['lease_token'] !== entry.task.lease_token)
      return refuse(response, 409, 'lease_lost');
    switch (action) {
      case 'renew':
        entry.renewals += 1;
        return send(response, 200, { lease_expires_at: '2026-11-21T05:11:00.000Z' });
      case 'results':
        entry.parts.set(Number(body['sequence']), body['items'] as unknown[]);
        return send(response, 204);
      case 'complete':
        if (body['parts'] !== entry.parts.size) return refuse(response, 409, 'conflict');
        entry.state = 'completed';
        entry.summary = body['summary'] as Record<string, unknown>;
        return send(response, 204);
      default:
        entry.state = 'failed';
        entry.error = body['error'] as FakeTask['error'];
        entry.retryable = body['retryable'] as boolean;
        return send(response, 204);
    }
  }

  function completeBatch(body: Record<string, unknown>, response: ServerResponse): void {
    const lost: number[] = [];
    const refused: { task_id: number; message: string }[] = [];
    for (const { task_id, lease_token, summary, item, releases } of body['tasks'] as {
      task_id: number;
      lease_token: string;
      summary: FakeTask['summary'];
      item?: unknown;
      releases?: unknown[];
    }[]) {
      const entry = tasks.get(task_id);
      if (entry?.state !== 'claimed' || lease_token !== entry.task.lease_token) lost.push(task_id);
      else if (fake.isUnfit?.(item)) refused.push({ task_id, message: 'The fake does not take it.' });
      else {
        const items = item === undefined ? releases : [item];
        if (items !== undefined) entry.parts.set(1, items);
        Object.assign(entry, { state: 'completed', summary });
      }
    }
    send(response, 200, { lost, refused });
  }

  async function claim(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    if (body['agent_id'] !== agentId || agentId === 0) return refuse(response, 404, 'not_found');
    // The API contract limits `max` to 200.
    if (Number(body['max']) > 200) return refuse(response, 400, 'validation_failed');
    const capabilities = body['capabilities'] as string[];
    const until = performance.now() + Number(body['wait_seconds']) * 1_000;
    for (;;) {
      const due = [...tasks.values()]
        .filter(({ state, task }) => state === 'queued' && capabilities.includes(capabilityOf(task)))
        .slice(0, Number(body['max']));
      if (due.length > 0 || performance.now() >= until || response.destroyed) {
        if (!response.destroyed) for (const entry of due) entry.state = 'claimed';
        return send(response, 200, { tasks: due.map(({ task }) => task) });
      }
      waitingClaims += 1;
      await new Promise<void>((resolve) => {
        polls.push(resolve);
        setTimeout(resolve, Math.max(0, until - performance.now())).unref();
        response.once('close', resolve);
      });
      waitingClaims -= 1;
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  fake.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return fake;
}

export type FakeAgentInterface = Awaited<ReturnType<typeof startFakeAgentInterface>>;

function capabilityOf(task: AgentTask): string {
  return task.kind === 'gather' ? `gather:${task.spec.source_type}` : task.kind;
}

function send(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'fake' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, code: string, errors?: object[]): void {
  const detail = `The fake says ${code}.`;
  send(response, status, { status, code, title: code, detail, request_id: 'fake', errors });
}
