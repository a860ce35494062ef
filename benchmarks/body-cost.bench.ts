/**
 * Measures how long one request occupies the main thread of the server, for every operation with a body. The
 * bodies are the slowest ones that the operation's schema accepts and the slowest ones that it rejects: many
 * items and fields, deep nesting, equal values, long texts that nearly fit, escapes, long numbers, many
 * errors. The result is CPU time of the main thread, not wall-clock time, and includes reading,
 * authentication, and the response. Run with `node benchmarks/body-cost.bench.ts [OPERATION…]`; goal: at most
 * 50 ms, and 5 ms for a caller without credentials. `BENCH_ROUNDS` (default 3) sets the number of requests
 * per median.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { type ApiClient, createApiClient } from '../src/client/api-client.ts';
import { readContract } from '../src/platform/http/index.ts';
import { type ContractOperation, contractOperations } from '../tests/contract/contract-operations.ts';
import { type BenchWorld, median, readServerUsage, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';
import { type HostileBody, hostileBodies } from './hostile-bodies.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

interface Row {
  caller: string;
  operation: string;
  body: string;
  kB: number;
  status: number;
  'thread, ms': number;
  'goal, ms': number;
}

/** A task that an agent has claimed, so that valid results pass every check. */
interface Task {
  id: number;
  lease_token: string;
}

async function main(only: readonly string[]): Promise<void> {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [smallSize]);
  try {
    const { key } = await world.api.call('createAPIKey', { body: { name: 'bench', role: 'agent' } });
    const agent = createApiClient({ baseUrl: world.url, apiKey: key });
    const rows: Row[] = [];
    for (const operation of contractOperations) {
      if (!operation.body || (only.length > 0 && !only.includes(operation.id))) continue;
      rows.push(...(await measure(world, operation, agent, key)));
    }
    print(rows);
  } finally {
    await world.stop();
  }
}

async function measure(
  world: BenchWorld,
  operation: ContractOperation,
  agent: ApiClient,
  agentKey: string,
): Promise<Row[]> {
  const { bodyLimits } = readContract(operation.side).find(
    ({ operationId }) => operationId === operation.id,
  )!;
  const caller = operation.isOpen ? 'anonymous' : operation.side === 'agent' ? 'agent' : 'client';
  const credential = {
    anonymous: {},
    agent: { 'x-api-key': agentKey },
    client: { authorization: `Bearer ${world.token}` },
  }[caller];
  const takesResults = operation.id === 'submitTaskResults';
  const rows: Row[] = [];
  let isFirst = true;
  for (const body of hostileBodies(operation, bodyLimits.bytes)) {
    const task = takesResults && body.isValid ? await claimTask(world.api, agent) : null;
    const path = operation.path.replace('{id}', String(task?.id ?? 1)).replace('{category}', 'resolved');
    const url = world.url + path.replace('{key}', 'gather.max_releases');
    const json = task ? withLease(body, task) : body.json;
    const variants: [packing: string, bytes: Buffer, headers: Record<string, string>][] = [['', json, {}]];
    if (takesResults) variants.push([', packed', gzipSync(json), { 'content-encoding': 'gzip' }]);
    for (const [packing, bytes, packed] of variants) {
      const ask = async () => {
        const { statusCode, body: answer } = await request(url, {
          method: operation.method as 'POST' | 'PUT',
          headers: { 'content-type': 'application/json', ...credential, ...packed },
          body: bytes,
        });
        await answer.dump({ limit: 100_000_000 });
        return statusCode;
      };
      const times: number[] = [];
      let status = 0;
      // The first request of an operation compiles its validators, so the first body gets an extra warm-up
      // round.
      for (let round = isFirst ? -2 : -1; round < rounds; round++) {
        await readServerUsage(world.server);
        status = await ask();
        const { threadMs } = await readServerUsage(world.server);
        if (round >= 0) times.push(threadMs);
      }
      isFirst = false;
      rows.push({
        caller,
        operation: operation.id,
        body: body.name + packing,
        kB: Math.ceil(bytes.length / 1_000),
        status,
        'thread, ms': Number(median(times).toFixed(1)),
        'goal, ms': caller === 'anonymous' ? 5 : 50,
      });
    }
  }
  return rows;
}

function print(rows: readonly Row[]): void {
  const slowest = (some: readonly Row[], count: number) =>
    some
      .toSorted((a, b) => b['thread, ms'] / b['goal, ms'] - a['thread, ms'] / a['goal, ms'])
      .slice(0, count);
  const over = rows.filter((row) => row['thread, ms'] > row['goal, ms']);
  console.log(`${rows.length} bodies; ${over.length} above the goal. The slowest of each kind of caller:`);
  for (const caller of ['client', 'agent', 'anonymous']) {
    const ofCaller = rows.filter((row) => row.caller === caller);
    const valid = ofCaller.filter(({ status }) => status < 300);
    const refused = ofCaller.filter(({ status }) => status >= 300);
    console.table([...slowest(valid, 5), ...slowest(refused, 10)]);
  }
}

const capabilities = ['gather:github_releases'];

async function claimTask(api: ApiClient, agent: ApiClient): Promise<Task> {
  await api.call('createGatherJob', {
    body: { name: 'bench', source_type: 'github_releases', artifact_name: 'github.com/example/bench' },
  });
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: { name: 'bench', hostname: 'bench', version: '1', capabilities, credential_names: [], running: [] },
  });
  const { tasks } = await agent.call('claimTasks', {
    body: { agent_id, capabilities, credential_names: [], max: 1, wait_seconds: 10 },
  });
  const [task] = tasks;
  if (!task) throw new Error('there was no task');
  return { id: task.task_id, lease_token: task.lease_token };
}

function withLease({ json }: HostileBody, { lease_token }: Task): Buffer {
  const body = JSON.parse(json.toString()) as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...body, lease_token, sequence: 1 }));
}

const [role, ...rest] = process.argv.slice(2);
if (role === 'server') await serveBench(rest[0]!, rest[1]!);
else await main(process.argv.slice(2));
