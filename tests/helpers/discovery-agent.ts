import path from 'node:path';
import type { HeldTask, ResultItem, TaskOf, TaskSummary } from '../../src/agent/agent-task.ts';
import type { DiscoveryResultItem } from '../../src/agent/discovery/result-item.ts';
import { createRepositoryReader } from '../../src/agent/git/repository-reader.ts';
import { runDiscovery } from '../../src/agent/run-discovery.ts';
import { parseContentLimits } from '../../src/domain/parsers/content-limits.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import {
  createEgressGuard,
  createHttpPolicy,
  createOutboundClient,
} from '../../src/platform/outbound/index.ts';
import type { Sandbox } from '../../src/platform/sandbox/index.ts';
import { sharedSandbox } from './shared-sandbox.ts';

export interface DiscoveryOutcome {
  items: DiscoveryResultItem[];
  parts: number;
  summary: TaskSummary | null;
  /** Error that the agent reported when the task failed. */
  error: unknown;
}

export interface DiscoveryAgent {
  sandbox: Sandbox;
  run(spec: Partial<TaskOf<'discovery'>['spec']> & { repository_url: string }): Promise<DiscoveryOutcome>;
  close(): Promise<void>;
}

/** Creates an agent that runs discovery tasks without a server. The repository is at 127.0.0.1. */
export function createDiscoveryAgent(dataDir: string, limits = parseContentLimits): DiscoveryAgent {
  const allowHttp = createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false });
  const client = createOutboundClient({ guard: createEgressGuard({ allow: ['127.0.0.1/32'] }), allowHttp });
  const folder = path.join(dataDir, 'git-cache');
  const repositories = createRepositoryReader({ folder, client, allowHttp, log: createSilentLog() });
  const sandbox = sharedSandbox({ ...limits, workers: 3 });
  return {
    sandbox,

    async run(spec) {
      const outcome: DiscoveryOutcome = { items: [], parts: 0, summary: null, error: null };
      const ended = Promise.withResolvers<void>();
      const held: HeldTask<TaskOf<'discovery'>> = {
        task: {
          task_id: 1,
          organization_id: 2,
          lease_token: 'lease',
          lease_expires_at: '',
          kind: 'discovery',
          spec: {
            ...defaultSpec,
            ...spec,
          },
        },
        signal: new AbortController().signal,
        limitTime: () => undefined,
        ended: ended.promise,
        listPackages: () => Promise.reject(new Error('no reference task')),
        listCves: () => Promise.reject(new Error('no reference task')),
        findMissingRecords: () => Promise.reject(new Error('no reference task')),
        async sendPart(items: ResultItem[]) {
          // Serialize the items as JSON, which is how they arrive at the server.
          outcome.items.push(...(JSON.parse(JSON.stringify(items)) as DiscoveryResultItem[]));
          outcome.parts += 1;
        },
        async complete(summary) {
          outcome.summary = summary;
          ended.resolve();
        },
        async fail(error) {
          outcome.error = error;
          ended.resolve();
        },
      };
      await runDiscovery(held, { repositories, sandbox, openCredential: async () => null });
      return outcome;
    },

    async close() {
      await Promise.all([repositories.close(), sandbox.close(), client.close()]);
    },
  };
}

const defaultSpec = {
  discovery_job_id: 1,
  ref: 'HEAD',
  include: [],
  exclude: [],
  extractors: [],
  label_rules: [],
  custom_extractors: [],
  credential_name: null,
  validators: null,
} as const satisfies Omit<TaskOf<'discovery'>['spec'], 'repository_url'>;
